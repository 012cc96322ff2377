# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# nr_requests is rewritten under load. One device on the tag set: with more, a
# resize runs beside gets of the others, and the default mode hands out bits
# beyond the depth then (its two stores are not ordered).
secs=$(cmdline seconds 20)
null_load 256 && null_add a memory_backed=1
ok $? "a device"
check_mode a 256
load v --filename=/dev/a --rw=randwrite --size=2M --offset_increment=2M \
	--numjobs=4 --iodepth=64 --verify=crc32c --verify_fatal=1 \
	--time_based --runtime="$secs"
end=$(($(date +%s) + secs))
n=0 bad=0
while [ "$(date +%s)" -lt $end ]; do
	for r in 4 256 64 5 128 33 256 17; do
		echo $r > /sys/block/a/queue/nr_requests || bad=$((bad + 1))
		[ "$(cat /sys/block/a/queue/nr_requests)" = $r ] || bad=$((bad + 1))
		n=$((n + 1))
		usleep 30000
	done
done
[ $bad -eq 0 ] && [ $n -gt 8 ]
ok $? "nr_requests rewritten $n times, $bad times in vain"
loaded v
ok $? "load, $(done_ios v) I/Os"
quiet_now a resize
[ "$(tags a depth)" = 17 ]
ok $? "the depth of the bitmap is what was written last ($(tags a depth))"
null_unload
ok $? "goes away"
