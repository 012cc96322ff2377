# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# In NUMA mode the CPUs of a node hold tags of their own node's words, as long as
# they want no more than those: half of them from all of its CPUs, and three
# quarters from one CPU alone, which needs more than its own word then. Shown by
# the bitmap of tags and by the slots' lines, which have to agree. In the default
# mode nothing is said of slots.
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

looks=$(cmdline looks 8)

# watch CPUS JOBS IODEPTH
watch()
{
	load one --filename=/dev/a --rw=randread --size=32M --numjobs="$2" \
		--iodepth="$3" --cpus_allowed="$1" \
		--time_based --runtime=$((3 + looks / 5))
	usleep 1000000
	seen=0 foreign=0 own_said=0 others=0
	for _ in $(seq "$looks"); do
		usleep 100000
		# One look for both figures: requests end and begin in between
		look=$(owners)
		own=$(echo "$look" | awk -v s=$((slot + 1)) '{print $s}')
		all=$(echo "$look" | awk '{for (i = 1; i <= NF; i++) t += $i; print t + 0}')
		[ "$all" -le "$seen" ] || seen=$all
		[ "$own" -eq "$all" ] || {
			foreign=$((foreign + 1))
			log "node $n: tags in the slots: $look"
		}
		# The slots' lines: most at this node's, nothing at others
		said=$(sed -n "s/^slot \([0-9]*\): .*busy=/\1 /p" /sys/kernel/debug/block/a/hctx0/tags |
			awk -v s=$slot '$1 == s {own = $2} $1 != s {rest += $2} END {print own + 0, rest + 0}')
		[ "${said% *}" -le "$own_said" ] || own_said=${said% *}
		others=$((others + ${said#* }))
	done
	loaded one
	ok $? "node $n: load from CPUs $1"
	[ "$seen" -gt $(($2 * $3 / 2)) ] && [ "$seen" -le $(($2 * $3)) ]
	ok $? "node $n: up to $seen tags were seen taken"
	if [ "$mode" = numa ]; then
		ok $foreign "node $n: in $foreign of $looks looks it held tags of another node's words"
		[ "$own_said" -gt 0 ] && [ "$others" -eq 0 ]
		ok $? "node $n: slot $slot said so, too: up to $own_said here, $others elsewhere"
	fi
}

slot=0
for n in $(cpu_nodes); do
	watch "$(cpus_of "$n")" 2 $((d / nodes / 4))
	watch "$(expand_list "$(cpus_of "$n")" | sed 1q)" 1 $((d * 3 / nodes / 4))
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
