# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# scsi_debug with one tag for the whole host and many tasks: where wakeups that
# got lost have been seen before
secs=$(cmdline seconds 60)
[ ! -f /modules/crc-t10dif.ko ] || insmod /modules/crc-t10dif.ko
insmod /modules/scsi_debug.ko max_queue=1 host_max_queue=1 submit_queues=4 \
	dev_size_mb=32 ndelay=5000 delay=0
ok $? "scsi_debug with host-wide tags"
i=0
while [ ! -b /dev/sda ] && [ $i -lt 100 ]; do usleep 100000; i=$((i + 1)); done
check "a disk, scheduler none" write none /sys/block/sda/queue/scheduler
load s --filename=/dev/sda --rw=randrw --size=32M --numjobs=40 --iodepth=1 \
	--ioengine=psync --time_based --runtime="$secs"
progress sda $((secs - 5)) 5
ok $? "I/O goes on in each 5 s, $(ios sda) I/Os"
waiters=$(tags sda ws_active)
loaded s
ok $? "load ends, $(done_ios s) I/Os (ws_active was $waiters)"
quiet_now sda scsi
rmmod scsi_debug
ok $? "goes away"
