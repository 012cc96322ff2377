# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For all tests in the guest.

# cmdline WORD [DEFAULT]: the value of vm.WORD= on the kernel's command line, or
# of $vm_WORD
cmdline()
{
	eval "_v=\${vm_$1:-}"
	if [ -n "$_v" ]; then
		echo "$_v"
		return
	fi
	_v=$(tr ' ' '\n' < /proc/cmdline | sed -n "s/^vm\.$1=//p")
	echo "${_v:-${2:-}}"
}

log()
{
	echo "vm: $*" > /dev/kmsg
}

# ok STATUS TEXT: a check and how it went. They are counted, and vm/judge
# compares the count with the lines it sees.
checks=/run/checks
echo 0 > $checks
ok()
{
	_n=$(($(cat $checks) + 1))
	echo $_n > $checks
	if [ "$1" -eq 0 ]; then
		log "ok $_n - $2"
	else
		log "not ok $_n - $2"
	fi
}

test_failed()
{
	ok 1 "$*"
}

# check TEXT COMMAND...
check()
{
	_text=$1
	shift
	"$@"
	ok $? "$_text"
}

# run_test NAME: another test as part of this one
run_test()
{
	log "part $1"
	(
		# shellcheck source=/dev/null
		. "/tests/$1.sh"
	)
	_rc=$?
	[ $_rc -eq 0 ] || test_failed "the script of test $1 ended with $_rc"
}

# mark: QEMU's plugin notes how many instructions there were up to now
mark()
{
	[ ! -x /bin/mark ] || /bin/mark
}

write()
{
	echo "$1" > "$2"
}

finish()
{
	# What scripts complained about
	if [ -s /run/init.out ]; then
		head -n 20 /run/init.out | while read -r _l; do
			log "stderr: $_l"
		done
	fi
	leaks
	log "tainted $(cat /proc/sys/kernel/tainted)"
	log "end $test checks $(cat $checks)"
	poweroff -f
}

# leaks: kmemleak's word, where it is built in. What only looks lost at the
# first scan is not.
leaks()
{
	[ -w /sys/kernel/debug/kmemleak ] || return 0
	for _i in 1 2 3; do
		sleep 6
		echo scan > /sys/kernel/debug/kmemleak
	done
	head -n 30 /sys/kernel/debug/kmemleak > /run/leaks
	if [ -s /run/leaks ]; then
		while read -r _l; do
			log "kmemleak: $_l"
		done < /run/leaks
	fi
	[ ! -s /run/leaks ]
	ok $? "kmemleak has found nothing"
}

# nodes that have CPUs, CPUs of a node
cpu_nodes()
{
	expand_list "$(cat /sys/devices/system/node/has_cpu 2>/dev/null || echo 0)"
}

cpus_of()
{
	if [ -d "/sys/devices/system/node/node$1" ]; then
		cat "/sys/devices/system/node/node$1/cpulist"
	else
		cat /sys/devices/system/cpu/online
	fi
}

# expand_list 0-2,5: 0 1 2 5
expand_list()
{
	echo "$1" | tr ',' '\n' | while IFS=- read -r _a _b; do
		[ -n "$_a" ] && seq "$_a" "${_b:-$_a}"
	done
}

ncpus=$(expand_list "$(cat /sys/devices/system/cpu/possible)" | wc -l)

# Is this the machine that was ordered?
check_machine()
{
	_nodes=$(expand_list "$(cat /sys/devices/system/node/online 2>/dev/null || echo 0)" | wc -l)
	_cpunodes=$(cpu_nodes | wc -l)
	_cpus=$(expand_list "$(cat /sys/devices/system/cpu/online)" | wc -l)
	_memless=$(for _n in $(expand_list "$(cat /sys/devices/system/node/online 2>/dev/null || echo 0)"); do
		if [ -f "/sys/devices/system/node/node$_n/meminfo" ] &&
			awk '/MemTotal/ {exit $4 != 0}' "/sys/devices/system/node/node$_n/meminfo"; then
			echo "$_n"
		fi
	done | tr '\n' ',' | sed 's/,$//')
	_have="$_nodes,$_cpunodes,$_cpus,${_memless:--}"
	[ "$_have" = "$(cmdline machine)" ]
	ok $? "nodes, nodes with CPUs, CPUs, nodes without memory: $_have (wanted $(cmdline machine))"
}

### null_blk, by configfs

# null_load DEPTH [PARAMETER...]: the driver, with one tag set for the devices
# to come, whose tags all hardware queues share
null_load()
{
	_d=$1
	shift
	insmod /modules/null_blk.ko nr_devices=0 queue_mode=2 shared_tags=1 \
		shared_tag_bitmap=1 hw_queue_depth="$_d" \
		submit_queues="$ncpus" "$@"
}

# null_add NAME [ATTRIBUTE=VALUE...]: a device on that tag set
null_add()
{
	_dir=/config/nullb/$1
	_name=$1
	shift
	mkdir "$_dir" || return 1
	for _a in size=64 shared_tags=1 blocksize=512 irqmode=1 submit_queues="$ncpus" "$@"; do
		echo "${_a#*=}" > "$_dir/${_a%%=*}" || return 1
	done
	echo 1 > "$_dir/power" || return 1
	_i=0
	while [ ! -b "/dev/$_name" ]; do
		usleep 20000
		_i=$((_i + 1))
		[ $_i -lt 250 ] || return 1
	done
	echo none > "/sys/block/$_name/queue/scheduler"
}

null_del()
{
	echo 0 > "/config/nullb/$1/power" && rmdir "/config/nullb/$1"
}

null_unload()
{
	for _d in /config/nullb/*; do
		[ -d "$_d" ] || continue
		case ${_d##*/} in features) continue ;; esac
		null_del "${_d##*/}"
	done
	rmmod null_blk
}

# tags DEV FIELD: from debugfs, for the driver's tags (of the first queue: they
# are shared)
tags()
{
	sed -n "/^breserved_tags/q; s/^$2=//p" "/sys/kernel/debug/block/$1/hctx0/tags"
}

# taken DEV: numbers of the tags that are taken
taken()
{
	sed 's/^[0-9a-f]*: //' "/sys/kernel/debug/block/$1/hctx0/tags_bitmap" | awk '
	{
		gsub(/ /, "")
		for (i = 1; i <= length($0); i += 2) {
			v = (index("0123456789abcdef", substr($0, i, 1)) - 1) * 16 +
				index("0123456789abcdef", substr($0, i + 1, 1)) - 1
			for (b = 0; b < 8; b++) {
				if (v % 2) print bit + b
				v = int(v / 2)
			}
			bit += 8
		}
	}'
}

# tags_mode DEV: numa or flat
tags_mode()
{
	if grep -q '^numa_slots=' "/sys/kernel/debug/block/$1/hctx0/tags"; then
		echo numa
	else
		echo flat
	fi
}

# check_mode DEV DEPTH: is the bitmap in the mode that it has to be in
check_mode()
{
	_want=flat
	_nodes=$(cpu_nodes | wc -l)
	if [ "$(cmdline mode)" = numa ] && [ "$_nodes" -gt 1 ] &&
		[ $(($2 / _nodes)) -ge 16 ]; then
		_want=numa
	fi
	_got=$(tags_mode "$1")
	[ "$_got" = $_want ]
	ok $? "depth $2 on $_nodes nodes with CPUs: tags are in mode $_got (wanted $_want)"
}

# at_rest DEV: no tag is taken and nobody waits; gives it some time
at_rest()
{
	_i=0
	while [ $_i -lt 50 ]; do
		_busy=$(tags "$1" busy) _ws=$(tags "$1" ws_active)
		[ "$_busy" != 0 ] || [ "$_ws" != 0 ] || return 0
		usleep 100000
		_i=$((_i + 1))
	done
	log "$1 at rest: busy=$_busy ws_active=$_ws"
	return 1
}

# quiet_now DEV TEXT
quiet_now()
{
	at_rest "$1"
	ok $? "$2: at rest no tag is taken, nobody waits"
}

### load

# load NAME ARGUMENT...: fio in the background, $fio_NAME is its process
load()
{
	_name=$1
	shift
	fio --name="$_name" --thread --direct=1 --bs=4k --ioengine=libaio \
		--randrepeat=1 --randseed="$(cmdline seed 1)" --group_reporting --verify_state_save=0 \
		--output-format=terse --terse-version=3 --output="/run/$_name.out" \
		"$@" > "/run/$_name.err" 2>&1 &
	eval "fio_$_name=$!"
}

# loaded NAME: waits for it; fio's status, which also tells of failed verifies
loaded()
{
	eval "_pid=\$fio_$1"
	wait "$_pid"
	_rc=$?
	if [ $_rc -ne 0 ]; then
		head -n 5 "/run/$1.err" | while read -r _l; do log "fio $1: $_l"; done
	fi
	return $_rc
}

# done_ios NAME: I/Os that it did: KB read and written by 4
done_ios()
{
	awk -F';' 'NF > 47 {n += ($6 + $47) / 4} END {print int(n)}' "/run/$1.out"
}

# ios DEV: I/Os completed, of the whole disk
ios()
{
	awk '{print $1 + $5}' "/sys/block/$1/stat"
}

# progress DEV SECONDS EVERY: in each EVERY seconds some I/O has to complete
progress()
{
	_end=$(($(date +%s) + $2))
	_last=$(ios "$1")
	while [ "$(date +%s)" -lt $_end ]; do
		sleep "$3"
		_this=$(ios "$1")
		if [ "$_this" -le "$_last" ]; then
			log "$1: no I/O in $3 s, at $_this; busy=$(tags "$1" busy) ws_active=$(tags "$1" ws_active)"
			return 1
		fi
		_last=$_this
	done
}
