# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Requests that never complete run into the block layer's timeout
null_load 64 && null_add a && null_add b memory_backed=1
ok $? "two devices"
check "a: requests time out after 300 ms" write 300 /sys/block/a/queue/io_timeout
# Every 97th request of a is lost, 30 of them
for kv in probability=100 interval=97 times=30 verbose=0; do
	write "${kv#*=}" "/config/nullb/a/timeout_inject/${kv%%=*}" || ok 1 "timeout_inject/$kv"
done
load v --filename=/dev/b --rw=randwrite --size=2M --offset_increment=2M \
	--numjobs=4 --iodepth=16 --verify=crc32c --verify_fatal=1 --time_based --runtime=20
load t --filename=/dev/a --rw=randread --size=32M --numjobs=8 --iodepth=16 \
	--time_based --runtime=20 --continue_on_error=io
sleep 21
loaded v
ok $? "b does not suffer, $(done_ios v) I/Os"
loaded t || log "fio on a ended with errors, as it should"
left=$(cat /config/nullb/a/timeout_inject/times)
[ "$left" -lt 30 ] && [ "$left" -ge 0 ]
ok $? "$((30 - left)) of 30 requests were lost on a"
[ "$(ios a)" -gt 1000 ]
ok $? "a goes on after timeouts, $(ios a) I/Os"
quiet_now a timeouts
quiet_now b timeouts
null_unload
ok $? "goes away"
