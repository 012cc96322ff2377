# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In NUMA mode the CPUs of a node hold tags of their own node's words, as long as
# they want no more than those; shown by the bitmap of tags and by the slots'
# lines, which have to agree. In the default mode nothing is said of slots.
d=$(cmdline depth 256)
null_load "$d"
null_add a irqmode=2 completion_nsec=400000000
ok $? "depth $d: a slow device"
check_mode a "$d"
mode=$(tags_mode a)
nodes=$(cpu_nodes | wc -l)
bits=$(tags a bits_per_word)

# owners: of the tags that are taken, how many lie in words of each slot
owners()
{
	taken a | awk -v bits="$bits" -v slots="$nodes" '
		{n[int($1 / bits) % slots]++}
		END {for (s = 0; s < slots; s++) printf "%d ", n[s]}'
}

slot=0
for n in $(cpu_nodes); do
	# Half of what a slot has
	load one --filename=/dev/a --rw=randread --size=32M --numjobs=2 \
		--iodepth=$((d / nodes / 4)) --cpus_allowed="$(cpus_of "$n")" \
		--time_based --runtime=4
	usleep 1000000
	seen=0 foreign=0 differ=0
	for i in 1 2 3 4 5 6; do
		usleep 200000
		own=$(owners | awk -v s=$((slot + 1)) '{print $s}')
		all=$(owners | awk '{for (i = 1; i <= NF; i++) t += $i; print t + 0}')
		[ "$all" -le "$seen" ] || seen=$all
		[ "$own" -eq "$all" ] || foreign=$((foreign + 1))
		said=$(sed -n "s/^slot $slot: .*busy=//p" /sys/kernel/debug/block/a/hctx0/tags)
		[ "$mode" = flat ] || [ "$said" -gt 0 ] || [ "$all" -eq 0 ] || differ=$((differ + 1))
	done
	loaded one
	ok $? "node $n: load"
	[ "$seen" -gt 0 ] && [ "$seen" -le $((d / nodes)) ]
	ok $? "node $n: up to $seen tags were seen taken"
	if [ "$mode" = numa ]; then
		ok $foreign "node $n: in $foreign of 6 looks it held tags of another node's words"
		ok $differ "node $n: slot $slot said so, too"
	fi
	slot=$((slot + 1))
done
slots=$(sed -n 's/^numa_slots=//p' /sys/kernel/debug/block/a/hctx0/tags)
if [ "$mode" = numa ]; then
	[ "$slots" = "$nodes" ]
	ok $? "there are $slots slots for $nodes nodes with CPUs"
else
	[ -z "$slots" ]
	ok $? "nothing is said of slots"
fi
quiet_now a locality
null_unload
ok $? "goes away"
