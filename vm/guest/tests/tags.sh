# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Data integrity with two devices on one tag set, at each depth; the devices'
# memory tells whether a request went where it should
for d in $(cmdline depths '2 4 8 16 32 64 256' | tr ',' ' '); do
	null_load "$d" && null_add a memory_backed=1 && null_add b memory_backed=1
	ok $? "depth $d: two devices"
	check_mode a "$d"
	for dev in a b; do
		load $dev --filename=/dev/$dev --rw=randwrite --size=1M \
			--offset_increment=1M --numjobs=4 --iodepth=$((d / 2 + 1)) \
			--verify=crc32c --verify_fatal=1 --io_size=1M
	done
	for dev in a b; do
		loaded $dev
		ok $? "depth $d: $dev reads what was written, $(done_ios $dev) I/Os"
		quiet_now $dev "depth $d, $dev"
	done
	null_unload
	ok $? "depth $d: devices go away"
done
