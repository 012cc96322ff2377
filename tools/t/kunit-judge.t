#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a KUnit run that is taken for good though cases are missing, were
# skipped, have failed or hung, or the kernel has complained.

prog=kunit-judge.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
judge=$top/tools/kunit-judge

# What a good run leaves on the console, as the kernel prints it
good()
{
	cat <<'EOF'
Linux version 7.3.4
printk: legacy console [tty0] enabled
KTAP version 1
1..1
    KTAP version 1
    # Subtest: sbitmap
    # module: sbitmap_kunit
    1..3
    # test_slow: Test should be marked slow (runtime: 1.713247488s)
    ok 1 test_slow
        KTAP version 1
        # Subtest: test_stress
        ok 1 default
        ok 2 numa
    # test_stress: pass:2 fail:0 skip:0 total:2
    ok 2 test_stress
    ok 3 test_last
# sbitmap: pass:3 fail:0 skip:0 total:3
# Totals: pass:4 fail:0 skip:0 total:4
ok 1 sbitmap
reboot: System halted
EOF
}

good >"$tmp/log"
fails_with 0 '^PASS: 3 cases, .*1 in mode numa.* 0 skipped$' 'a good run' "$judge" -m numa -m default -n 3 "$tmp/log"

good | sed 's/^/[    1.234567] /; s/$/\r/' >"$tmp/log"
fails_with 0 '^PASS: 3 cases' 'with time stamps and carriage returns' "$judge" -m numa "$tmp/log"

# bad NAME PATTERN SED-SCRIPT [ARGS]
bad()
{
	_n=$1 _p=$2
	good | sed "$3" >"$tmp/log"
	shift 3
	fails_with 1 "$_p" "$_n" "$judge" "$@" "$tmp/log"
}

bad 'no suite at all' 'no suite "sbitmap" ran' '/KTAP/,$d'
bad 'another suite' 'no suite "sbitmap" ran' 's/Subtest: sbitmap/Subtest: cpumask/; s/^ok 1 sbitmap/ok 1 cpumask/'
bad 'a suite of zero cases' 'at least 1 wanted' 's/1\.\.3/1..0/; /^    ok/d; /^        /d'
bad 'fewer cases than wanted' '3 cases ran, at least 4' '' -n 4
bad 'a case is missing' '2 cases ran, 3 were announced' '/ok 3 test_last/d'
bad 'a case failed' 'failed: test_slow' 's/^    ok 1 test_slow/    not ok 1 test_slow/'
bad 'the suite failed' 'the suite failed' 's/^ok 1 sbitmap/not ok 1 sbitmap/'
bad 'a case was skipped' 'skipped: test_slow' 's/ok 1 test_slow/ok 1 test_slow # SKIP not here/'
bad 'a parameter was skipped' 'skipped: test_stress numa' 's/ok 2 numa/ok 2 numa # SKIP one node/'
bad 'skipped for another reason' 'skipped: test_stress numa' 's/ok 2 numa/ok 2 numa # SKIP one node more/' -s 'one node'
good | sed 's/ok 2 numa/ok 2 numa # SKIP one node/' >"$tmp/log"
fails_with 0 '^PASS: 3 cases, .* 1 skipped$' 'skipped for a reason that is all right' "$judge" -s 'one node' "$tmp/log"
bad 'zero NUMA cases' 'zero cases in mode "numa"' '/ok 2 numa/d' -m numa
bad 'cut off by a time limit' 'did not come to its end' '/ok 3 test_last/,$d'
bad 'a crash' 'did not come to its end|the kernel complains' 's/^    ok 3 test_last/Kernel panic - not syncing: Fatal exception/; /^ok 1 sbitmap/d'
bad 'a warning in a case that passed' 'the kernel complains: WARNING' 's/^    ok 3/WARNING: lib\/sbitmap.c:575 at sbitmap_queue_get_shallow\n&/'
bad 'a bad lock' 'the kernel complains: BUG: spinlock bad magic' 's/^    ok 3/BUG: spinlock bad magic on CPU#0\n&/'
bad 'a sleep in atomic context' 'the kernel complains' 's/^    ok 3/BUG: sleeping function called from invalid context\n&/'

fails_with 2 'cannot be read' 'no log' "$judge" "$tmp/none"
fails_with 2 'one log wanted' 'no argument' "$judge"
fails_with 2 'not a number' 'a word for a number' "$judge" -n few "$tmp/log"
done_testing
