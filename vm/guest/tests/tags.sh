# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Data integrity with two devices on one tag set, at each depth; the devices'
# memory tells whether a request went where it should
verified()
{
	_dev=$1
	shift
	load "$_dev" --filename="/dev/$_dev" --rw=randwrite --size=1M \
		--offset_increment=1M --numjobs=4 --iodepth=$((d / 2 + 1)) \
		--verify=crc32c --verify_fatal=1 --io_size=1M "$@"
}
for d in $(cmdline depths '2 4 8 16 32 64 256' | tr ',' ' '); do
	null_load "$d" && null_add a memory_backed=1 && null_add b memory_backed=1
	ok $? "depth $d: two devices"
	check_mode a "$d"
	verified a
	verified b
	for dev in a b; do
		loaded $dev
		ok $? "depth $d: $dev reads what was written, $(done_ios $dev) I/Os"
		quiet_now $dev "depth $d, $dev"
	done
	# Would it be noticed?
	dd if=/dev/zero of=/dev/a bs=4k count=1 seek=300 conv=notrunc,fsync 2>/dev/null
	verified a --verify_only
	! loaded a
	ok $? "depth $d: a block that is not what was written is noticed"
	null_unload
	ok $? "depth $d: devices go away"
done
