#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a guest's run that is taken for good though the kernel complained,
# the log is cut off, checks are missing or bad, or no KUnit case ran.

prog=judge.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
judge=$top/vm/judge

good()
{
	cat <<'LOG'
[    0.000000] Linux version 7.3.4
[    1.500000] vm: begin tags
[    1.510000][    T1] vm: ok 1 - nodes
[    1.600000] null_blk: disk a created
    KTAP version 1
    # Subtest: sbitmap
    1..3
    ok 1 test_slow
        # Subtest: test_stress
        ok 1 default
        ok 2 numa
    ok 2 test_stress
    ok 3 test_last
ok 1 sbitmap
[    2.000000] vm: progress: 17 rounds
[    3.000000] vm: ok 2 - reads what was written
[    3.100000] vm: tainted 262144
[    3.200000] vm: end tags checks 2
[    3.300000] reboot: Power down
LOG
}

bad_run() # NAME PATTERN SED-SCRIPT [ARGUMENT...]
{
	_n=$1 _p=$2
	good | sed "$3" > "$tmp/log"
	shift 3
	! good | cmp -s - "$tmp/log" || [ $# -gt 0 ] || ok 1 "$_n: nothing was changed"
	fails_with 1 "$_p" "$_n" "$judge" "$@" "$tmp/log" tags
}

good > "$tmp/log"
out=$("$judge" "$tmp/log" tags)
is "$out" 'PASS: 2 checks' 'a good run'
out=$("$judge" -k -m default -m numa -n 3 "$tmp/log" tags)
like "$out" '^PASS: 2 checks, KUnit PASS: 3 cases' 'a good run with KUnit'
good | sed 's/$/\r/' > "$tmp/log"
is "$("$judge" "$tmp/log" tags)" 'PASS: 2 checks' 'a serial console ends lines its own way'

# What a kernel says when something is wrong, and that the line is named
while IFS= read -r splat; do
	good | awk -v s="[    1.700000] $splat" '{print} /disk a created/ {print s}' > "$tmp/log"
	fails_with 1 '^FAIL: .*line 5: the kernel complains: ' "$splat" "$judge" "$tmp/log" tags
done <<'SPLATS'
WARNING: CPU: 3 PID: 71 at lib/sbitmap.c:80 sbitmap_get+0x11/0x40
WARNING: lib/sbitmap.c:80 at sbitmap_get+0x11/0x40, CPU#3: fio/71
WARNING: possible circular locking dependency detected
WARNING: possible recursive locking detected
WARNING: suspicious RCU usage
WARNING: inconsistent lock state
BUG: kernel NULL pointer dereference, address: 0000000000000008
BUG: unable to handle page fault for address: ffffc90000000000
BUG: KASAN: slab-out-of-bounds in __sbitmap_get_word+0x11/0x80
BUG: KCSAN: data-race in sbitmap_resize / sbitmap_get
BUG: soft lockup - CPU#1 stuck for 26s! [fio:70]
watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [fio:70]
BUG: sleeping function called from invalid context at mm/slub.c:1
BUG: scheduling while atomic: fio/71/0x00000002
BUG: workqueue lockup - pool cpus=1 node=0 flags=0x0 nice=0 stuck for 31s!
BUG: Bad page state in process fio  pfn:01234
Oops: general protection fault, probably for non-canonical address 0xdead: 0000 [#1] SMP
Oops: int3: 0000 [#1] SMP
kernel BUG at block/blk-mq.c:600!
Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b
INFO: task fio:71 blocked for more than 60 seconds.
INFO: task kworker/u32:1:71 is blocked on a mutex likely owned by task fio:2.
rcu: INFO: rcu_preempt self-detected stall on CPU
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 3-... }
UBSAN: array-index-out-of-bounds in lib/sbitmap.c:80:9
kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
unreferenced object 0xffff888004b62000 (size 64):
refcount_t: underflow; use-after-free.
list_del corruption. prev->next should be ffff888, but was dead
fio[71]: segfault at 8 ip 000055d5 sp 00007ffe error 4 in fio
traps: fio[71] trap invalid opcode ip:55 sp:7ff error:0 in librados.so.2
Out of memory: Killed process 71 (fio) total-vm:1kB
SPLATS

bad_run 'a check that failed' 'FAIL: 2 checks: line 16: reads what' \
	's/vm: ok 2 - reads/vm: not ok 2 - reads/'
bad_run 'a check that is not in the log' '1 checks are in the log, the guest made 2' '/vm: ok 2/d'
bad_run 'a check of the middle is not in the log' 'check 2 where check 1 was due' '/vm: ok 1/d'
bad_run 'a guest that made no check' 'no check was made' \
	'/vm: ok/d; s/checks 2/checks 0/'
bad_run 'a log without an end' 'did not come to its end' '/vm: end/,$d'
bad_run 'a log cut within its last line' 'no check was made|did not come to its end|the guest made' \
	'/vm: end/{s/ checks.*//;q;}'
bad_run 'a log cut within the number' 'checks are in the log|no check was made' \
	'/vm: end/{s/checks 2/checks/;q;}'
bad_run 'another test' 'test tags did not begin' 's/begin tags/begin boot/'
bad_run 'a machine that started again' 'began 2 times' '/begin tags/p'
bad_run 'a tainted kernel whose complaint is not in the log' 'tainted \(512, bit 9\)' 's/tainted 262144/tainted 512/'
bad_run 'a kernel that died and said nothing' 'bit 7' 's/tainted 262144/tainted 128/'
bad_run 'nothing about taint' 'did not say' '/tainted/d'
: > "$tmp/log"
fails_with 1 'the log is empty' 'an empty log' "$judge" "$tmp/log" tags

bad_run 'no KUnit case' 'KUnit: FAIL: 0 cases.*no suite' '/Subtest: sbitmap/,/^ok 1 sbitmap/d' -k
bad_run 'a KUnit case is missing' 'KUnit: FAIL: 2 cases' '/ok 3 test_last/d' -k
bad_run 'too few KUnit cases' 'at least 20 wanted' 's/zzz/z/' -k -n 20
bad_run 'no KUnit case in NUMA mode' 'zero cases in mode "numa"' '/ok 2 numa/d' -k -m numa
bad_run 'a KUnit case that failed' 'KUnit: FAIL' 's/    ok 3 test_last/    not ok 3 test_last/' -k

# Known complaints are let through, others are not
good | awk '{print} /disk a created/ {print "BUG: KCSAN: data-race in known / other"}' |
	sed 's/tainted 262144/tainted 262656/' > "$tmp/log"
echo 'KCSAN: data-race in known / ' > "$tmp/known"
like "$("$judge" -x "$tmp/known" "$tmp/log" tags)" '^PASS: 2 checks, 1 known complaints$' 'a known complaint'
like "$("$judge" -k -x "$tmp/known" "$tmp/log" tags)" '^PASS: 2 checks, KUnit PASS: 3 ' 'one beside KUnit'
echo 'BUG: KCSAN: data-race in news / known' >> "$tmp/log"
fails_with 1 'line 21: the kernel complains: BUG: KCSAN: data-race in news' \
	'one that is not known' "$judge" -x "$tmp/known" "$tmp/log" tags

fails_with 2 'cannot be read' 'no log' "$judge" "$tmp/nothing" tags
fails_with 2 'vm/judge' 'no test named' "$judge" "$tmp/log"
done_testing
