#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch a report that hides a red gate, or that calls a gate which looked
# at nothing green.
prog=report.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"

scratch
BUILD=$tmp
export BUILD
fails_with 1 'no gate has run' "without any gate it says so" "$top/tools/report"

mkdir "$tmp/report"
printf 'ok\tidentity\tx86_64 0001-a.patch\t58 objects\n' > "$tmp/report/make-identity.tsv"
printf 'ok\tsparse\tx86_64 0001-a.patch\tnone new\n' > "$tmp/report/make-sparse.tsv"
out=$("$top/tools/report" 2>&1)
is $? 0 "all green is green"
like "$out" 'make +identity +1 looked at +ok' "a line for each gate"
like "$(cat "$tmp/report.md")" '0001-a\.patch.*58 objects' "report.md holds the details"

printf 'red\tidentity\tarm64 0002-b.patch\tlib/sbitmap.o differs\n' >> "$tmp/report/make-identity.tsv"
fails_with 1 'identity +2 looked at +RED +arm64 0002-b\.patch: lib/sbitmap\.o' \
	"a red line makes the gate red, with patch and file" "$top/tools/report"

sed -i '$d' "$tmp/report/make-identity.tsv"
: > "$tmp/report/make-warnings.tsv"
fails_with 1 'warnings +0 looked at +RED +looked at nothing' \
	"an empty table is red" "$top/tools/report"
rm "$tmp/report/make-warnings.tsv"
: > "$tmp/report/make-sparse.tsv"
fails_with 1 'sparse +0 looked at +RED' "so is that of sparse, which skips itself in silence" \
	"$top/tools/report"
done_testing
