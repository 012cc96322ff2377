# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# The number of hardware queues changes under load
secs=$(cmdline seconds 20)
null_load 64
null_add a shared_tags=0 shared_tag_bitmap=1 hw_queue_depth=128
ok $? "a device with a tag set of its own"
check_mode a 128
load r --filename=/dev/a --rw=randrw --size=32M --numjobs=8 --iodepth=32 \
	--time_based --runtime="$secs"
end=$(($(date +%s) + secs))
n=0 bad=0
poll=$(cat /config/nullb/a/poll_queues)
while [ "$(date +%s)" -lt $end ]; do
	for q in 1 "$ncpus" 2 3 "$ncpus"; do
		[ "$q" -le "$ncpus" ] || continue
		write "$q" /config/nullb/a/submit_queues || bad=$((bad + 1))
		[ "$(find /sys/block/a/mq -mindepth 1 -maxdepth 1 | wc -l)" -eq $((q + poll)) ] || bad=$((bad + 1))
		n=$((n + 1))
		usleep 100000
	done
	log "progress: $n changes, $(ios a) I/Os"
done
[ $bad -eq 0 ] && [ $n -gt 4 ]
ok $? "$n changes of the number of queues, $bad in vain"
loaded r
ok $? "load, $(done_ios r) I/Os"
quiet_now a hwqueues
null_unload
ok $? "goes away"
