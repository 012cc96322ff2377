# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# limit: 900
# Each allocation in turn fails while a tag set comes up; then it has to say so
# (or do without), leak nothing, and come up the next time
echo 0 > /sys/kernel/debug/failslab/verbose
echo N > /sys/kernel/debug/failslab/ignore-gfp-wait
null_load 256 submit_queues="$ncpus"
ok $? "null_blk is there"
for share in 0 1; do
	mkdir /config/nullb/f || ok 1 "a device in configfs"
	for a in size=64 shared_tags=0 shared_tag_bitmap=$share hw_queue_depth=256 submit_queues="$ncpus"; do
		echo "${a#*=}" > "/config/nullb/f/${a%%=*}"
	done
	# Files are opened beforehand: that allocates, too
	exec 4> /proc/self/fail-nth 5> /config/nullb/f/power 6> /run/why
	n=0 failed=0 odd=0 through=
	while [ $n -lt 3000 ]; do
		n=$((n + 1))
		exec 3< /proc/self/fail-nth
		echo $n >&4
		# The shell's own echo: the fault is for this process
		rc=0
		echo 1 2>&6 >&5 || rc=1
		read -r left <&3
		echo 0 >&4
		if [ $rc -ne 0 ]; then
			failed=$((failed + 1))
			why=$(tail -n 1 /run/why) power=$(cat /config/nullb/f/power)
			case $power$why in
			0*'Cannot allocate memory'*) ;;
			*)
				odd=$((odd + 1))
				log "allocation $n: power $power, $why"
				;;
			esac
		else
			echo 0 >&5
		fi
	# Not used up: there are fewer allocations than that
		if [ "$left" != 0 ]; then
			through=1
			break
		fi
		[ $((n % 50)) -ne 0 ] || log "progress: allocation $n, $failed times no device"
	done
	[ -n "$through" ] && [ $failed -gt 5 ]
	ok $? "shared=$share: each of $n allocations failed once, $failed times there was no device"
	ok $odd "shared=$share: that was always said to be for lack of memory ($odd times not)"
	exec 3<&- 4>&- 5>&- 6>&-
	check "shared=$share: then it comes up" write 1 /config/nullb/f/power
	[ $share -eq 0 ] || check_mode f 256
	load v --filename=/dev/f --rw=randread --size=32M --numjobs=4 --iodepth=64 --io_size=1M
	loaded v
	ok $? "shared=$share: and works, $(done_ios v) I/Os"
	null_del f
	ok $? "shared=$share: and goes away"
done
rmmod null_blk
ok $? "goes away"
