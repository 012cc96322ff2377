# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Devices are removed and made again under load, others of the set go on
secs=$(cmdline seconds 20)
null_load 32 && null_add stay memory_backed=1
ok $? "a device that stays"
load v --filename=/dev/stay --rw=randwrite --size=2M --offset_increment=2M \
	--numjobs=4 --iodepth=16 --verify=crc32c --verify_fatal=1 \
	--time_based --runtime="$secs"
end=$(($(date +%s) + secs))
n=0 bad=0
while [ "$(date +%s)" -lt $end ]; do
	null_add go1 && null_add go2 || bad=$((bad + 1))
	for dev in go1 go2; do
		load $dev --filename=/dev/$dev --rw=randread --size=32M \
			--numjobs=2 --iodepth=16 --time_based --runtime=4
	done
	for dev in go1 go2; do
		i=0
		while [ "$(ios $dev)" -lt 50 ] && [ $i -lt 200 ]; do
			usleep 100000
			i=$((i + 1))
		done
		[ $i -lt 200 ] || bad=$((bad + 1))
	done
	null_del go1 && null_del go2 || bad=$((bad + 1))
	# Their load ends, with an error or with reads of nothing
	for dev in go1 go2; do
		eval "wait \$fio_$dev" || :
	done
	n=$((n + 1))
	log "progress: $n rounds, $(ios stay) I/Os"
done
[ $bad -eq 0 ] && [ $n -gt 1 ]
ok $? "two devices made and removed under load, $n times, $bad oddities"
loaded v
ok $? "the one that stays: $(done_ios v) I/Os"
quiet_now stay remove
null_unload
ok $? "goes away"
