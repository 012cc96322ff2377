# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For vm/demo: the CPUs of all nodes read from one device at once, and each word
# of the tags' bitmap is shown with how many of its tags are held by requests of
# each node's CPUs. The tag set is shared by all hardware queues, one for each
# CPU, and debugfs lists the requests of each.
d=256
null_load $d
null_add a irqmode=2 completion_nsec=400000000
ok $? "depth $d: a slow device"
check_mode a $d
bits=$(tags a bits_per_word)
nodes=$(cpu_nodes | wc -l)
mode=$(tags_mode a)

# held: lines "TAG NODE" for each request in flight. Queues are listed one after
# the other: of a tag that was given back and taken in between the last is shown.
held()
{
	for q in /sys/block/a/mq/*; do
		c=$(sed 's/,.*//' "$q/cpu_list")
		n=$(echo /sys/devices/system/cpu/cpu"$c"/node*)
		sed -n "s/.*, \.tag=\([0-9][0-9]*\),.*/\1 ${n##*node}/p" \
			"/sys/kernel/debug/block/a/hctx${q##*/}/busy"
	done | awk '{node[$1] = $2} END {for (t in node) print t, node[t]}'
}

# 48 of the 64 tags that are a node's share
for n in $(cpu_nodes); do
	load "n$n" --filename=/dev/a --rw=randread --size=32M --numjobs=4 --iodepth=12 \
		--cpus_allowed="$(cpus_of "$n")" --time_based --runtime=7
done
sleep 3
most=0
for _ in 1 2 3 4 5 6 7 8; do
	held > /run/held
	if [ "$(wc -l < /run/held)" -gt "$most" ]; then
		most=$(wc -l < /run/held)
		cp /run/held /run/most
	fi
	usleep 130000
done
for n in $(cpu_nodes); do
	loaded "n$n"
	ok $? "load of node $n"
done
[ "$most" -gt $((d / 2)) ]
ok $? "up to $most tags were seen taken"
# Which node's memory a word is in, by the slots' lines
sed -n 's/^slot \([0-9]*\): node=\([0-9-]*\) .*/\1 \2/p' \
	/sys/kernel/debug/block/a/hctx0/tags > /run/slots
awk -v bits="$bits" -v d=$d -v nodes="$nodes" -v nslots="$(wc -l < /run/slots)" '
	FILENAME == "/run/slots" {of[$1] = $2; next}
	{n[int($1 / bits) "," $2]++}
	END {
		head = "                  tags held by CPUs of"
		for (i = 0; i < nodes; i++) head = head sprintf("  node %d", i)
		print head
		for (w = 0; w * bits < d; w++) {
			l = sprintf("word %2d, tags %3d to %3d%s", w, w * bits, (w + 1) * bits - 1,
				nslots ? ", on node " of[w % nslots] : "           ")
			l = sprintf("%-38s", l)
			users = 0
			for (i = 0; i < nodes; i++) {
				l = l sprintf("%8s", (v = n[w "," i]) ? v : ".")
				if (v) users++
				if (v && nslots && of[w % nslots] != i) foreign += v
			}
			print l
			if (users > 1) shared++
		}
		printf "words whose tags are held by more than one node: %d of %d\n", shared, w
		printf "foreign: %d\n", foreign
	}' /run/slots /run/most > /run/table
sed '/^foreign/d' /run/table | while IFS= read -r l; do log "demo: $l"; done
if [ "$mode" = numa ]; then
	foreign=$(sed -n 's/^foreign: //p' /run/table)
	[ "$foreign" = 0 ]
	ok $? "of $most tags $foreign are of another node's words"
fi
quiet_now a demo
null_unload
ok $? "goes away"
