# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# limit: 1800
# Everything at once: two devices on one tag set, whose load must go on in every
# 10 s, scsi_debug with one tag beside it; CPUs go and come, schedulers and
# nr_requests change, devices are made and removed
secs=$(cmdline seconds 1440)
null_load 64 && null_add a memory_backed=1 && null_add b
ok $? "two devices"
check_mode a 64
[ ! -f /modules/crc-t10dif.ko ] || insmod /modules/crc-t10dif.ko
insmod /modules/scsi_debug.ko max_queue=1 host_max_queue=1 submit_queues=4 \
	dev_size_mb=16 ndelay=5000 delay=0
ok $? "scsi_debug"
i=0
while [ ! -b /dev/sda ] && [ $i -lt 100 ]; do usleep 100000; i=$((i + 1)); done
check "scheduler none" write none /sys/block/sda/queue/scheduler
load s --filename=/dev/sda --rw=randrw --size=16M --numjobs=40 \
	--ioengine=psync --time_based --runtime="$secs"
load v --filename=/dev/a --rw=randwrite --size=2M --offset_increment=2M \
	--numjobs=4 --iodepth=16 --verify=crc32c --verify_fatal=1 \
	--time_based --runtime="$secs"
load r --filename=/dev/b --rw=randrw --size=32M --numjobs=8 --iodepth=16 \
	--time_based --runtime="$secs"
end=$(($(date +%s) + secs - 5))
for dev in a b sda; do ios $dev > /run/last.$dev; done
n=0 stuck=0 bad=0
next=$(($(date +%s) + 10))
while [ "$(date +%s)" -lt $end ] && [ $stuck -eq 0 ]; do
	n=$((n + 1))
	c=$((n % ncpus))
	if [ $c -ne 0 ]; then
		write 0 /sys/devices/system/cpu/cpu$c/online || bad=$((bad + 1))
	fi
	case $((n % 5)) in
	0) write mq-deadline /sys/block/b/queue/scheduler || bad=$((bad + 1)) ;;
	1) write none /sys/block/b/queue/scheduler || bad=$((bad + 1)) ;;
	2) write kyber /sys/block/a/queue/scheduler || bad=$((bad + 1)) ;;
	3) write none /sys/block/a/queue/scheduler || bad=$((bad + 1)) ;;
	4) null_add x && null_del x || bad=$((bad + 1)) ;;
	esac
	if [ $c -ne 0 ]; then
		write 1 /sys/devices/system/cpu/cpu$c/online || bad=$((bad + 1))
	fi
	usleep 200000
	[ "$(date +%s)" -ge $next ] || continue
	next=$(($(date +%s) + 10))
	for dev in a b sda; do
		this=$(ios $dev)
		if [ "$this" -le "$(cat /run/last.$dev)" ]; then
			stuck=1
			log "$dev: no I/O in 10 s, at $this; busy=$(tags $dev busy) ws_active=$(tags $dev ws_active)"
		fi
		echo "$this" > /run/last.$dev
	done
	log "progress: round $n, I/Os $(cat /run/last.a) $(cat /run/last.b) $(cat /run/last.sda)"
done
ok $stuck "I/O goes on in each 10 s"
ok $bad "$n rounds, $bad refusals"
# Who waits for a wakeup that got lost waits for ever, also when others get on
for l in s v r; do
	[ $stuck -eq 0 ] || break
	eval "pid=\$fio_$l"
	i=0
	while kill -0 "$pid" 2>/dev/null && [ $i -lt 40 ]; do
		sleep 1
		i=$((i + 1))
	done
	if [ $i -ge 40 ]; then
		stuck=1
		ok 1 "load $l has not ended 40 s after its time: somebody waits for ever"
	fi
done
if [ $stuck -eq 0 ]; then
	for l in s v r; do
		loaded $l
		ok $? "load $l, $(done_ios $l) I/Os"
	done
	quiet_now a soak
	quiet_now sda soak
	rmmod scsi_debug
	ok $? "scsi_debug goes away"
	null_unload
	ok $? "null_blk goes away"
fi
