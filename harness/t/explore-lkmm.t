#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: an ordering that sbitmap relies on and does not have, a store
# buffer that shows what the kernel's memory model forbids.
prog=explore-lkmm.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

run=$top/harness/explore/run

out=$("$run" t-lkmm "$top"/harness/litmus/*.litmus)
ok $? 'the orderings of sbitmap are as their files say'
diag "$out"
is "$(printf '%s\n' "$out" | grep -c '^ok')" \
	"$(find "$top/harness/litmus" -name '*.litmus' | wc -l)" 'every file was run'

dir=$build/base/$base/tools/memory-model/litmus-tests
if [ -d "$dir" ]; then
	out=$("$run" t-lkmm --lenient "$dir"/*.litmus)
	ok $? 'the kernel'\''s own litmus tests are never contradicted'
	diag "$out"
	n=$(printf '%s\n' "$out" | grep -c '^ok')
	[ "$n" -ge 30 ]
	ok $? "at least 30 of them are understood ($n)"
else
	diag "no litmus tests in $dir"
fi

scratch
sed 's/smp_mb__after_atomic();//' "$top/harness/litmus/sbq-clear-wake.litmus" \
	>"$tmp/broken.litmus"
fails_with 1 'not ok 1 .*Never, seen, first under PSO' \
	'a barrier taken out is noticed' "$run" t-lkmm "$tmp/broken.litmus"
echo 'C x {} P0(int *x) { foo(x); } exists (x=1)' >"$tmp/bad.litmus"
fails_with 1 'not understood' 'a file that is not understood is not passed' \
	"$run" t-lkmm "$tmp/bad.litmus"
fails_with 2 'cannot read' 'a file that is not there' "$run" t-lkmm "$tmp/none"
done_testing
