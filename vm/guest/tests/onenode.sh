# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Load from one node alone gets every tag; requests stay in flight long enough
# for somebody to look. In NUMA mode a node's CPUs hold tags of their own words
# as long as they need no more than those.
d=$(cmdline depth 256)
null_load "$d"
null_add a irqmode=2 completion_nsec=300000000
ok $? "depth $d: a slow device"
check_mode a "$d"
for n in $(cpu_nodes); do
	load all --filename=/dev/a --rw=randread --size=32M --numjobs=4 \
		--iodepth=$((d / 2)) --cpus_allowed="$(cpus_of "$n")" \
		--time_based --runtime=6
	most=0
	for i in $(seq 40); do
		usleep 100000
		busy=$(tags a busy)
		[ "$busy" -le "$most" ] || most=$busy
		[ "$most" -lt "$d" ] || break
	done
	loaded all || log "fio ended with $?"
	[ "$most" -eq "$d" ]
	ok $? "node $n alone took $most of $d tags"
	quiet_now a "node $n"
done
null_unload
ok $? "goes away"
