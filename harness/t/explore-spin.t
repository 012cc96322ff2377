#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a barrier of the wakeup, or of the look at a full word without
# its lock, that is not needed, or not enough, in the Promela models.
prog=explore-spin.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

need spin gcc
scratch

# errors MODEL [DEFINE...]: prints how many errors a complete search finds
errors()
{
	(
		cd "$tmp" && rm -f pan* ./*.trail || exit
		m=$top/harness/spin/$1.pml
		shift
		spin "$@" -a "$m" >spin.out 2>&1 || { cat spin.out; exit; }
		gcc -O0 -w -o pan pan.c || exit
		./pan >pan.out || { cat pan.out; exit; }
		grep -q 'Search not completed' pan.out && found=yes
		n=$(sed -n 's/.*errors: \([0-9]*\)$/\1/p' pan.out)
		[ "${n:-x}" != 0 ] || [ -z "${found:-}" ] || n=incomplete
		echo "${n:-none}"
	)
}

is "$(errors sb_wake)" 0 'with both barriers no wakeup is lost'
is "$(errors sb_wake -DNO_MB_CLEAR)" 1 \
	'without the one of sbitmap_queue_clear() one is'
is "$(errors sb_wake -DNO_MB_WAIT)" 1 \
	'without the one of set_current_state() one is'
is "$(errors full_unlocked)" 0 'a word with a free bit is never taken for full'
is "$(errors full_unlocked -DNO_RMB1)" 1 \
	'it is if the lock is looked at before ->cleared'
is "$(errors full_unlocked -DNO_RMB2)" 1 \
	'it is if the word is looked at before the lock'
is "$(errors full_unlocked -DNO_LOCK)" 1 \
	'it is if the lock is not looked at (fault 16)'
done_testing
