# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# CPUs, and whole nodes' CPUs, go and come back under load
secs=$(cmdline seconds 20)
null_load 64 && null_add a memory_backed=1 && null_add b
ok $? "two devices"
check_mode a 64
load v --filename=/dev/a --rw=randwrite --size=2M --offset_increment=2M \
	--numjobs=4 --iodepth=16 --verify=crc32c --verify_fatal=1 \
	--time_based --runtime="$secs"
load r --filename=/dev/b --rw=randread --size=32M --numjobs=8 --iodepth=8 \
	--time_based --runtime="$secs"
end=$(($(date +%s) + secs))
rounds=0 bad=0
cpu_sets=$(for n in $(cpu_nodes); do
	for c in $(expand_list "$(cpus_of "$n")"); do echo "$c"; done
	expand_list "$(cpus_of "$n")" | tr '\n' ',' | sed 's/,$/\n/'
done)
while [ "$(date +%s)" -lt $end ]; do
	for set in $cpu_sets; do
		for c in $(echo "$set" | tr ',' ' '); do
			[ "$c" != 0 ] || continue
			echo 0 > /sys/devices/system/cpu/cpu"$c"/online || bad=$((bad + 1))
		done
		usleep 50000
		for c in $(echo "$set" | tr ',' ' '); do
			[ "$c" != 0 ] || continue
			echo 1 > /sys/devices/system/cpu/cpu"$c"/online || bad=$((bad + 1))
		done
		[ "$(date +%s)" -lt $end ] || break
	done
	rounds=$((rounds + 1))
	log "progress: hotplug round $rounds, $(ios a) and $(ios b) I/Os"
done
ok $bad "$rounds rounds of taking every CPU and every node off and on, $bad refusals"
for l in v r; do
	loaded $l
	ok $? "load $l, $(done_ios $l) I/Os"
done
quiet_now a hotplug
null_unload
ok $? "goes away"
