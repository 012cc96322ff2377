#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch a level 1 that hangs on where code lies (other addresses, other
# branch lengths), or that does not follow a path: switch tables, cold parts,
# fixups, alternatives, code after a warning, data behind a section anchor.
prog=layout.t
. "$(dirname -- "$0")/../../tools/lib.sh"
. "$top/tools/tap.sh"
scratch
. "$top/identity/t/common.sh"
src=$top/identity/t/layout.c

cat >"$tmp/changes" <<-END
CASE switches
COLD cold_part
FIXUP tables
FLAGS tables
ALTERNATIVE tables
FEATURE tables
AFTER_WARN tables
ONLY_WARN tables.*operands
STATIC (anchors|count2)
WHICH anchors
LSE atomics
END

for t in $targets; do
	extra=
	case $t in
	x86-*)	extra=-fno-jump-tables ;;	# as the kernel does
	esac
	# shellcheck disable=SC2086
	{
		base "$t" $extra <"$src"
		pair "$t" MOVE -DMOVE $extra <"$src"
		pair "$t" FAR -DFAR $extra <"$src"
		while read -r what _; do
			pair "$t" "$what" "-DCHANGE_$what" -DMOVE $extra <"$src"
		done <"$tmp/changes"
	}
	compare_all --level 1 --key our_key
	verdict_same MOVE "$t: all is in another place"
	like "$(cat "$tmp/out")" 'new function +in_front' "$t: a new function is listed"
	case $t in
	x86-*)	verdict_same FAR "$t: a branch became long"
		like "$(cat "$tmp/out")" 'distance: .*[1-9][0-9]* branches of another length' \
			"$t: and that is counted"
		;;
	esac
	while read -r what where; do
		verdict_seen "$what" ": $where" "$t: $what is seen"
	done <"$tmp/changes"
done
case "$targets" in
*x86-gcc*)
	base x86-gcc -fjump-tables <"$src"
	pair x86-gcc MOVE -DMOVE -fjump-tables <"$src"
	pair x86-gcc CASE -DCHANGE_CASE -DMOVE -fjump-tables <"$src"
	compare_all --level 1
	verdict_same MOVE 'x86-gcc: a jump table is followed'
	verdict_seen CASE ': switches' 'x86-gcc: what it leads to is compared'
	;;
esac
done_testing
