# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Four devices on one tag set, one of them takes what it can get; while they
# sleep for tags, nr_requests of another one is rewritten. All get on. (Not so in
# the default mode, where the others' gets can see a depth that is half changed,
# and hand out bits beyond it.)
secs=$(cmdline seconds 20)
null_load 64
for dev in a b c d; do
	null_add $dev irqmode=2 completion_nsec=2000000 || ok 1 "device $dev"
done
check_mode a 64
load a --filename=/dev/a --rw=randread --size=32M --numjobs=8 --iodepth=64 \
	--time_based --runtime="$secs"
for dev in b c d; do
	load $dev --filename=/dev/$dev --rw=randread --size=32M --numjobs=4 \
		--iodepth=4 --time_based --runtime="$secs"
done
end=$(($(date +%s) + secs - 3))
sleep 1
for dev in a b c d; do ios $dev > /run/last.$dev; done
waited=0 starved=0 n=0 resized=0 bad=0
mode=$(tags_mode a)
while [ "$(date +%s)" -lt $end ]; do
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(tags a ws_active)" -eq 0 ] || waited=$((waited + 1))
		usleep 150000
		if [ "$mode" = numa ]; then
			write $((16 + 6 * (i % 9))) /sys/block/d/queue/nr_requests || bad=$((bad + 1))
			resized=$((resized + 1))
		fi
	done
	for dev in a b c d; do
		this=$(ios $dev)
		if [ "$this" -le "$(cat /run/last.$dev)" ]; then
			starved=$((starved + 1))
			log "$dev: no I/O in a round, at $this"
		fi
		echo "$this" > /run/last.$dev
	done
	n=$((n + 1))
done
[ $n -gt 1 ] && [ $waited -gt 0 ]
ok $? "$n rounds, somebody waited for tags in $waited of $((n * 10)) looks"
ok $starved "every device got on in every round ($starved times not)"
ok $bad "nr_requests of d was rewritten $resized times, $bad times in vain"
for dev in a b c d; do
	loaded $dev
	ok $? "$dev: $(done_ios $dev) I/Os"
done
quiet_now a greedy
null_unload
ok $? "goes away"
