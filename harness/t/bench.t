#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a default mode that executes more or fewer instructions for a
# get/put pair than the base; a count that sees nothing (the table of pointers
# must cost more); a bench that does not run or compares nothing.
prog=bench.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

HARNESS_BUILD=$build/harness
export HARNESS_BUILD
bin=$HARNESS_BUILD/host/plain/bench
[ -x "$bin" ] || die "$bin is not built; run: make -C harness"

out=$("$top/harness/bench-count" base patched dptr 2>&1)
is $? 0 "instructions are counted"
n() { printf '%s\n' "$out" | awk -v w="$1" '$1 == w {print $2}'; }
is "$(n patched)" "$(n base)" "default mode: as many instructions as the base"
awk -v a="$(n base)" -v b="$(n dptr)" 'BEGIN {exit !(a > 20 && b > a)}'
ok $? "a table of pointers costs more ($(n base) and $(n dptr))"

out=$("$bin" --rounds 3 --pairs 1000)
is $? 0 "bench runs"
for w in base default dptr; do
	like "$out" "^one thread	$w	[0-9.]+	[0-9.]+	" "one thread: $w"
done
like "$out" '^one thread	base	[0-9.]+	1.0000	' "the base's ratio is 1"
fails_with 2 'usage' "bad options are refused" "$bin" --rounds x
done_testing
