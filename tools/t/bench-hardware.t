#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: bench-hardware that reads a disk which is not its own, leaves
# null_blk or fio behind, measures one kernel twice, loses results, or reckons
# wrongly. On a machine made of files; with real ones it runs in a guest (vm/).
set -u
prog='bench-hardware.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
export TMPDIR="$tmp" M="$tmp/machine"
export BENCH_SYS="$M/sys" BENCH_PROC="$M/proc" BENCH_DEV="$M/dev" BENCH_SETTLE=0
# From here, as on the user's machine.
cp "$top/tools/bench-hardware" "$tmp/bench"
bench=$tmp/bench
cd "$tmp" || exit 1
mkdir "$tmp/bin"
fake() # NAME: a command, from stdin
{
	{ echo '#!/bin/sh'; cat; } > "$tmp/bin/$1"
	chmod +x "$tmp/bin/$1"
}
fake id <<'X'
cat "$M/uid"
X
fake uname <<'X'
case $1 in -r) cat "$M/release" ;; -v) echo '#1 SMP' ;; *) echo Linux ;; esac
X
fake systemd-detect-virt <<'X'
echo none
exit 1
X
fake modprobe <<'X'
case $1 in
-n) [ ! -e "$M/no-module" ] ;;
-r)
	echo "unload" >> "$M/log"
	rm -rf "$M/sys/module/null_blk" "$M"/sys/devices/virtual/block/* "$M"/sys/block/nullb* "$M"/dev/nullb*
	;;
*)
	echo "load $*" >> "$M/log"
	mkdir -p "$M/sys/module/null_blk"
	n=$(printf '%s\n' "$*" | sed 's/.*nr_devices=\([0-9]*\).*/\1/')
	i=0
	while [ $i -lt $n ]; do
		mkdir -p "$M/sys/devices/virtual/block/nullb$i/queue"
		echo '[mq-deadline] none' > "$M/sys/devices/virtual/block/nullb$i/queue/scheduler"
		ln -s "../devices/virtual/block/nullb$i" "$M/sys/block/nullb$i"
		: > "$M/dev/nullb$i"
		i=$((i + 1))
	done
	[ ! -e "$M/odd-device" ] || { rm "$M/sys/block/nullb0"; mkdir -p "$M/sys/devices/pci/sda"; ln -s ../devices/pci/sda "$M/sys/block/nullb0"; }
	;;
esac
X
# What the node says it is: as null_blk registered itself, or a disk.
fake stat <<'X'
case "$*" in
*"%F %t"*) echo "block special file $(cat "$M/major")" ;;
*"-f -c %T"*) cat "$M/fs" ;;
esac
X
# So many IOPS for this kernel and point, a little more in each run.
fake fio <<'X'
case "$*" in
*--enghelp=io_uring*) exit 0 ;;
*--version*) echo fio-3.33; exit 0 ;;
esac
for a do case $a in --output=*) o=${a#--output=} ;; esac; job=$a; done
cp "$job" "$M/job.$(grep -c '^\[null' "$job").$(sed -n 's/^numjobs=//p' "$job").$(sed -n 's/^cpus_allowed=//p' "$job")"
echo "fio $$" >> "$M/log"
sed -n 's/^filename=//p' "$job" >> "$M/read"
[ ! -e "$M/hang" ] || { : > "$M/hanging"; exec sleep 60; }
[ ! -e "$M/fio-fails" ] || { echo 'fio: engine broken' >&2; exit 1; }
# That for perf is not counted.
[ "$o" != /dev/null ] || exec sleep 60
k=$(($(cat "$M/count") + 1))
echo $k > "$M/count"
iops=$(($(cat "$M/iops") + k * 1000))
printf '3;fio-3.33;nullb0;0;0;1;2;%s;1001;1;14;8.2;1;3;24;46.9;463.1;1.000000%%=12;99.000000%%=%s;99.500000%%=9\n' "$iops" "$(cat "$M/p99")" > "$o"
X
fake perf <<'X'
[ ! -e "$M/no-c2c" ] || exit 1
case "$*" in
*report*) printf '  Total records                     :     5000\n  Load Remote HITM                  :       %s\n' "$(cat "$M/hitm")" ;;
esac
X
PATH=$tmp/bin:$PATH
machine()
{
	rm -rf "$M" "$tmp/r"
	mkdir -p "$M/sys/block" "$M/sys/module" "$M/sys/devices/virtual/block" "$M/sys/devices/system/cpu" "$M/proc" "$M/dev"
	for n in 0 1 2 5; do mkdir -p "$M/sys/devices/system/node/node$n"; done
	echo 0-3,8-11 > "$M/sys/devices/system/cpu/online"
	echo 0-1,8-9 > "$M/sys/devices/system/node/node0/cpulist"
	echo 2-3 > "$M/sys/devices/system/node/node1/cpulist"
	echo > "$M/sys/devices/system/node/node2/cpulist"
	echo 10-11 > "$M/sys/devices/system/node/node5/cpulist"
	printf '  8 sd\n252 nullb\n' > "$M/proc/devices"
	echo '0.10 0.1 0.1 1/1 1' > "$M/proc/loadavg"
	echo 'BOOT_IMAGE=/vmlinuz root=UUID=5e-c2 quiet' > "$M/proc/cmdline"
	echo 0 > "$M/uid"; echo 7.3.4 > "$M/release"; echo fc > "$M/major"; echo ext2/ext3 > "$M/fs"
	echo 0 > "$M/count"; echo 7130000 > "$M/iops"; echo 900 > "$M/p99"; echo 400 > "$M/hitm"
	: > "$M/log"; : > "$M/read"
}
gone() # nothing of ours is left
{
	is "$(find "$M/sys/module" "$M/dev" -mindepth 1; find "$tmp" -maxdepth 1 -name 'bench-hardware.*')" '' '... null_blk is unloaded, nothing is left'
}

# --- what has to be there ------------------------------------------------------------

machine
fails_with 0 '^bench-hardware: ready: 3 nodes with CPUs, 8 CPUs, 4 points of 5 runs of 30 s$' 'a machine with 3 nodes that have CPUs' "$bench" check
is "$(cat "$M/log")" '' '... nothing is loaded to find out'
echo 1000 > "$M/uid"
fails_with 1 'only root can load null_blk' 'not root' "$bench" run base
machine; rm -r "$M"/sys/devices/system/node/node[15]
fails_with 1 'it has 1 node.s. with CPUs: there is nothing to compare' 'one node' "$bench" run base
fails_with 0 'base, session 1, run 1 of 1' '... but for -f' "$bench" -f -o r -n 1 -p rfc run base
machine; touch "$M/no-module"
fails_with 1 'has no null_blk module' 'no null_blk' "$bench" run base
machine; mkdir "$M/sys/module/null_blk"
fails_with 1 'null_blk is loaded .*modprobe -r null_blk' "null_blk of somebody else's" "$bench" run base
is "$(cat "$M/log")$(ls "$M/sys/module")" null_blk '... is left alone'
machine; echo tmpfs > "$M/fs"
fails_with 1 'lies in memory and is gone after the next boot' 'results that would not survive' "$bench" -o r run base
fails_with 2 "no point 'all'" 'a point that is none' "$bench" -p rfc,all run base
fails_with 2 'run what: base or patched' 'neither base nor patched' "$bench" run mine

# --- what is read --------------------------------------------------------------------

machine
fails_with 0 'r/base/1: 8 runs' 'the base kernel, 4 points, 2 runs' "$bench" -o r -n 2 run base
gone
is "$(grep -c ^load "$M/log"):$(grep -c ^unload "$M/log")" 8:8 '... loaded and unloaded for each run'
like "$(grep -m1 ^load "$M/log")" 'nr_devices=20 queue_mode=2 submit_queues=8 shared_tags=1 shared_tag_bitmap=1 hw_queue_depth=256 ' '... as the RFC did'
like "$(cat "$M/job.20.10.0-3,8-11")" '^iodepth=128$' '... 20 devices, 10 jobs, depth 128 on all CPUs'
like "$(cat "$M/job.1.4.0-1,8-9")" '^iodepth=256$' '... one node alone: a job for each of its CPUs'
is "$(grep -hE '^(rw|bs)=' "$M"/job.* | sort -u | tr '\n' ' ')" 'bs=4096 rw=read ' '... it only reads'
is "$(sort -u "$M/read" | grep -cv "^$M/dev/nullb[0-9]*\$")" 0 '... and nothing but null_blk'
is "$(cut -f1 r/base/1/runs | tr '\n' ' ')" 'rfc half one-node own-tags rfc half one-node own-tags ' '... in rounds'
like "$(cat r/base/1/about)" '^nodes with CPUs: 3 \(0: 0-1,8-9; 1: 2-3; 5: 10-11\)$' '... the machine is described'
is "$(grep -c 'UUID\|BOOT_IMAGE' r/base/1/about)" 0 '... without the names of its disks'

machine; touch "$M/odd-device"
fails_with 1 '/dev/nullb0 is not a null_blk device; nothing is read' 'a nullb0 that is a real disk in /sys' "$bench" -o r run base
is "$(cat "$M/read")" '' '... nothing is read'
gone
machine; echo 8 > "$M/major"
fails_with 1 '/dev/nullb0 is not a null_blk device; nothing is read' 'a nullb0 that is a real disk in /dev' "$bench" -o r run base
is "$(cat "$M/read")" '' '... nothing is read'
gone
is "$(find r -type f 2>/dev/null)" '' '... no session is left'
machine; touch "$M/fio-fails"
fails_with 1 'fio failed: fio: engine broken' 'a fio that fails' "$bench" -p half -o r run base
gone

# Stopped in the middle.
for s in INT:130 TERM:143 HUP:129; do
	rc=${s#*:} s=${s%:*}
	machine; touch "$M/hang"
	# In the background a shell has INT ignored, below nohup HUP, and traps neither.
	perl -e '$SIG{$_} = "DEFAULT" for qw(INT HUP); exec @ARGV' "$bench" -p half -o r run base > "$tmp/out" 2>&1 &
	pid=$!
	i=0
	while [ ! -e "$M/hanging" ] && [ $i -lt 200 ]; do sleep 0.1; i=$((i + 1)); done
	kill -s "$s" $pid
	wait $pid
	is "$?" "$rc" "stopped by $s"
	fio=$(sed -n 's/^fio //p' "$M/log")
	[ -n "$fio" ] && ! kill -0 "$fio" 2>/dev/null
	ok $? '... fio is stopped too'
	gone
done

# --- between boots ---------------------------------------------------------------------

machine
"$bench" -o r -n 3 -p half,own-tags run base > "$tmp/out" 2>&1
like "$(cat "$tmp/out")" 'now boot the other kernel and run: bench-hardware -o r run patched' 'after the base kernel: what comes next'
fails_with 1 'this very kernel .7.3.4 #1 SMP. was measured as base; boot the other one' 'the same kernel again as the patched one' "$bench" -o r run patched
echo 7.3.4-other > "$M/release"
fails_with 1 'another kernel was measured as base' 'another kernel as the base' "$bench" -o r run base
fails_with 1 'no results of the patched kernel in r; boot it' 'a report of one kernel' "$bench" -o r report
echo 7.3.4-numa > "$M/release"; echo 7630000 > "$M/iops"; echo 0 > "$M/count"; echo 700 > "$M/p99"; echo 20 > "$M/hitm"
"$bench" -o r -n 3 -p half,own-tags run patched > "$tmp/out" 2>&1
echo 0 > "$M/count"
"$bench" -o r -n 3 -p half run patched > "$tmp/out" 2>&1
is "$(wc -l < r/patched/1/runs):$(wc -l < r/patched/2/runs)" 6:3 'a second boot is kept beside the first'
"$bench" -o r report > "$tmp/out" 2>&1
# By hand, each call of fio adds 1000. Base: 7131 7133 7135. Patched: 7631 7633
# 7635, and 7631 7632 7633 in the second boot. 7632.5 / 7133, 7631 / 7135, 7635 / 7131.
like "$(cat r/report.md)" '^\| half \| 7133 \(7131-7135\) \| 763[23] \(7631-7635\) \| 1\.070 \(1\.070-1\.071\) \| 900 \| 700 \| 3, 6 \|$' 'median, range and ratio, over both boots'
like "$(cat r/report.md)" '^\| half \| 400 of 5000 \| 40 of 10000 \|$' '... and what perf c2c counted'
if have gnuplot; then
	xml=$(tr -d '\n' < r/iops.svg)
	like "$xml" '<svg.*K IOPS.*patched.*</svg>' '... and a plot, with its unit'
fi
echo 7130000 > "$M/iops"; rm -r r/patched; touch "$M/no-c2c"; echo 0 > "$M/count"
"$bench" -o r -n 3 -p half run patched > "$tmp/out" 2>&1
"$bench" -o r report > "$tmp/out" 2>&1
like "$(cat "$tmp/out")" 'own-tags was measured with one kernel only' 'a point of one kernel only is named'
like "$(cat r/report.md)" '^\| half .* within the spread' '... and a difference within the spread is called that'
done_testing
