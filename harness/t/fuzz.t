#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: what model.t catches, on sequences that the coverage of the
# kernel's file leads to. That it finds something is shown by test-faults (40).
prog=fuzz.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"
scratch

secs=10
[ "${HARNESS_TIER:-}" != long ] || secs=300
"$top/harness/run-fuzz" $secs >"$tmp/out" 2>&1
rc=$?
ok $rc "$secs s of fuzzing"
[ $rc -eq 0 ] || diag "$(tail -n 60 "$tmp/out")"
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$tmp/out")
[ "${runs:-0}" -gt 500 ]
ok $? "${runs:-0} sequences run"
fails_with 2 'not a number of seconds' 'a bad time' "$top/harness/run-fuzz" soon
done_testing
