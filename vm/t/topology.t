#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a machine that QEMU does not take, or that is not the one of its name.

prog=topology.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
have qemu-system-x86_64 || skip_all 'qemu-system-x86_64 is not installed; run: make setup'
scratch

# What QEMU says of its nodes, in its monitor, before the machine has started
for t in $("$top/vm/topology"); do
	"$top/vm/topology" "$t" > "$tmp/out"
	sed 1d "$tmp/out" > "$tmp/args"
	set --
	while read -r word; do
		set -- "$@" "$word"
	done < "$tmp/args"
	printf 'info numa\nquit\n' |
		timeout 60 qemu-system-x86_64 -M q35 -accel tcg -nodefaults -S \
			-display none -monitor stdio "$@" > "$tmp/numa" 2>&1
	ok $? "$t: QEMU takes it"
	got=$(tr -d '\r' < "$tmp/numa" | awk '
		/^[0-9]+ nodes/ {n = $1}
		/ cpus:/ {c = NF - 3; if (c > 0) {with++; cpus += c}}
		/ size: 0 MB/ {none = none (none == "" ? "" : ",") $2}
		END {print n "," with "," cpus "," (none == "" ? "-" : none)}')
	want=$(awk 'NR == 1 {print $2 "," $4 "," $6 "," $8}' "$tmp/out")
	case $t in
	# The machine is 4x2, the command line hides that from the kernel
	kdump | numaoff) want=4,4,8,- ;;
	esac
	is "$got" "$want" "$t: nodes, nodes with CPUs, CPUs, nodes without memory"
	[ "$t" != far ] || {
		cmp=$("$top/vm/topology" far | grep -c 'src=0,dst=2,val=28')
		is "$cmp" 1 'far: node 2 is further from node 0 than its neighbours'
	}
done
is "$("$top/vm/topology" 4x2 | sed -n 's/^nodes \([0-9]*\) cpunodes \([0-9]*\) cpus \([0-9]*\).*/\1 \2 \3/p')" \
	'4 4 8' '4x2 is 4 nodes of 2 CPUs'
fails_with 2 "no topology 'moebius'; there are: 1 2x4" 'an unknown name' "$top/vm/topology" moebius
done_testing
