# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Schedulers are switched under load
secs=$(cmdline seconds 20)
null_load 64 && null_add a memory_backed=1 && null_add b
ok $? "two devices"
load v --filename=/dev/a --rw=randwrite --size=2M --offset_increment=2M \
	--numjobs=4 --iodepth=16 --verify=crc32c --verify_fatal=1 \
	--time_based --runtime="$secs"
load r --filename=/dev/b --rw=randrw --size=32M --numjobs=8 --iodepth=8 \
	--time_based --runtime="$secs"
end=$(($(date +%s) + secs))
n=0 bad=0
while [ "$(date +%s)" -lt $end ]; do
	for e in mq-deadline kyber bfq none; do
		for dev in a b; do
			echo $e > /sys/block/$dev/queue/scheduler || bad=$((bad + 1))
			grep -q "\[$e\]" /sys/block/$dev/queue/scheduler || bad=$((bad + 1))
			n=$((n + 1))
		done
		usleep 100000
	done
	log "progress: $n switches"
done
[ $bad -eq 0 ] && [ $n -ge 8 ]
ok $? "$n switches of the scheduler, $bad in vain"
for l in v r; do
	loaded $l
	ok $? "load $l, $(done_ios $l) I/Os"
done
quiet_now a elevators
null_unload
ok $? "goes away"
