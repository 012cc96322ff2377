#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: docs/results that are not what the model gives (a few points are
# run again and must be the same to the digit), and a cover letter whose figures
# are not those of docs/results.
prog=model-results.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

tsv=$top/docs/results/model.tsv
scratch
"$top/harness/model/results" use-50 alone-100 full-20 on-genoa >"$tmp/new" 2>"$tmp/err"
is $? 0 "a few points run again"
while IFS= read -r l; do
	grep -Fqx -- "$l" "$tsv"
	ok $? "in docs/results: $(printf '%s' "$l" | cut -f1,5)"
done <"$tmp/new"
[ "$tap_bad" -eq 0 ] || diag "to mend: make results, then look at what changed"

"$top/harness/model/quote" "$top/docs/results" "$top/cover-letter.txt" >"$tmp/cover"
cmp -s "$tmp/cover" "$top/cover-letter.txt"
ok $? "the cover letter quotes docs/results"
"$top/harness/model/tables" "$tsv" >"$tmp/md"
cmp -s "$tmp/md" "$top/docs/results/model.md"
ok $? "model.md is made of model.tsv"
done_testing
