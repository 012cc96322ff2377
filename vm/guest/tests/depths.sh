# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# limit: 600
# For vm/depths: an amount of I/O that is the same each time, between marks that
# QEMU's plugin counts instructions between; twice, so that the difference is
# free of fio's start. Somebody has to wait for tags, else it shows nothing: an
# I/O takes the longer the more tags there are, and the jobs want twice as many.
# "alone" is for the way without waiting: one job, bound to a CPU, one I/O at a
# time.
start()
{
	if [ "$share" = alone ]; then
		load f --filename=/dev/a --rw=randread --size=32M --numjobs=1 \
			--iodepth=1 --ioengine=libaio --cpus_allowed=1 \
			--number_ios=$((4 * $1))
		return
	fi
	load f --filename=/dev/a --rw=randread --size=32M --numjobs=16 \
		--iodepth=$((d / 8 + 1)) --ioengine=libaio --number_ios="$1"
}

fill()
{
	mark
	start "$1"
	loaded f
	rc=$?
	mark
	return $rc
}

# The same load once more, with somebody who looks: that costs instructions, too
look()
{
	start "$1"
	while kill -0 "$fio_f" 2>/dev/null; do
		[ "$(tags a busy)" -ne 0 ] || continue
		looks=$((looks + 1))
		w=$(tags a ws_active)
		[ "$w" -eq 0 ] || waited=$((waited + 1))
		[ "$w" -le "$most" ] || most=$w
	done
	loaded f
}
few=$(cmdline few 100) many=$(cmdline many 300)
for share in $(cmdline queues one,all,alone | tr ',' ' '); do
	for d in $(cmdline depths 2,4,8,16,32,64,256 | tr ',' ' '); do
		q=1 ns=$((d * 100000))
		[ "$share" = one ] || q=$ncpus
		if [ "$share" = alone ]; then
			[ "$d" -ge 64 ] || continue
			ns=10000
		fi
		null_load "$d" submit_queues="$q" && null_add a submit_queues="$q" \
			irqmode=2 completion_nsec="$ns"
		ok $? "$share, depth $d: a device"
		fill "$few"
		ok $? "$share, depth $d: $few I/Os a job"
		a=$(done_ios f)
		fill "$many"
		ok $? "$share, depth $d: $many I/Os a job"
		b=$(done_ios f)
		waited=0 most=0 looks=0
		if [ "$share" != alone ]; then
			look "$many"
			ok $? "$share, depth $d: $many I/Os a job, looked at $looks times"
		fi
		log "depths: share=$share depth=$d few=$a many=$b looks=$looks waited=$waited most=$most mode=$(tags_mode a)"
		null_unload
		ok $? "$share, depth $d: goes away"
	done
done
