#!/bin/sh
# shellcheck disable=SC2119 # it takes arguments at other calls
# SPDX-License-Identifier: GPL-2.0-only
# Would catch a mask that is too wide (the file, flags or format of a bug
# entry, a flag of an allocation tag, a constant of another call, a UBSAN type,
# a KASAN frame) or too narrow (a moved line is reported), on six machines.
prog=masks.t
. "$(dirname -- "$0")/../../tools/lib.sh"
. "$top/tools/tap.sh"
scratch
. "$top/identity/t/common.sh"
src=$top/identity/t/masks.c

for t in $targets i386-gcc ppc64le-gcc s390x-gcc; do
	echo 'int x;' | build "$t" "$tmp/x.o" 2>/dev/null >/dev/null || {
		diag "no compiler for $t: not tested"
		continue
	}
	base "$t" <"$src"
	pair "$t" line -DLINE=117 <"$src"
	pair "$t" file -DFILE_NAME='"lib/another.c"' <"$src"
	pair "$t" flags -DFLAGS=0x903 <"$src"
	pair "$t" sleep -DSLEEP_ARG=217 <"$src"
	pair "$t" resched -DRESCHED_ARG=9 <"$src"
	pair "$t" tagflags -DTAG_FLAGS=1 <"$src"
	pair "$t" plain -DPLAIN=6 <"$src"
	compare_all
	verdict_same line "$t: lines are masked"
	like "$(grep '^identical-with-masks .*line.o' "$tmp/out")" \
		'bug-line 1 of 1 alloc-tag 1 of 1 might-sleep 1 of 1' \
		"$t: and counted, each kind"
	like "$(cat "$tmp/out")" 'masked might-sleep: .*sleeps.* new ' \
		"$t: and listed"
	verdict_seen file . "$t: the file is not masked"
	verdict_seen flags ': (bug|__bug_table)' "$t: the flags of a bug entry are not masked"
	verdict_same sleep "$t: the line of __might_sleep is masked"
	verdict_seen resched sleeps_elsewhere "$t: a constant of another call is not"
	verdict_seen tagflags '_?alloc_tag' "$t: the flags of an allocation tag are not"
	verdict_seen plain looks_alike "$t: a structure of somebody's own is not"
	case $t in
	x86-*|s390x-gcc)
		pair "$t" format -DFORMAT='"another"' <"$src"
		compare_all
		verdict_seen format . "$t: the format of a bug entry is not masked"
		;;
	esac
done

# what the compiler adds: the real thing
src=$top/identity/t/sanitize.c
for t in $targets; do
	case $t in
	*gcc) san="-fsanitize=kernel-address --param asan-globals=1 --param asan-stack=1" ;;
	*) san="-fsanitize=kernel-address -mllvm -asan-globals=1 -mllvm -asan-stack=1 -g" ;;
	esac
	san="$san -fsanitize=bounds,shift"
	case $t in
	arm64*) san="$san -fasan-shadow-offset=0xdfff800000000000" ;;
	x86-gcc) san="$san -fasan-shadow-offset=0xdffffc0000000000" ;;
	x86-clang) san="$san -mllvm -asan-mapping-offset=0xdffffc0000000000" ;;
	esac
	# shellcheck disable=SC2086
	{
		base "$t" $san <"$src"
		pair "$t" lines -DLINES $san <"$src"
		pair "$t" bound -DBOUND=12 $san <"$src"
		pair "$t" wider -DWIDER $san <"$src"
		pair "$t" other -DOTHER $san <"$src"
		pair "$t" named -DNAMED $san <"$src"
		to=-DMOVED_TO='"a-word-of-it.h"'
		pair "$t" moved "$to" $san <"$src"
		pair "$t" movedbound "$to" -DBOUND=12 $san <"$src"
		pair "$t" movedother "$to" -DOTHER $san <"$src"
		pair "$t" movedextra "$to" -DEXTRA $san <"$src"
		pair "$t" movedsaid "$to" -DWHO='"a-word-of-it.h"' $san <"$src"
		to=-DMOVED_TO='"somebody.h"'
		pair "$t" said "$to" $san <"$src"
		pair "$t" unsaid "$to" -DWHO='"an-other.h"' $san <"$src"
		pair "$t" who -DWHO='"an-other.h"' $san <"$src"
		compare_all
	}
	verdict_same lines "$t: UBSAN and KASAN: moved lines are masked"
	like "$(grep '^identical-with-masks .*lines.o' "$tmp/out")" \
		'ubsan-location 3 of 3' "$t: UBSAN: all locations"
	case $t in
	*gcc)	# clang-19 writes no lines there
		like "$(grep '^identical-with-masks .*lines.o' "$tmp/out")" \
			'kasan-location [1-9].* kasan-frame 2 of 2' \
			"$t: KASAN: globals and frames"
		;;
	esac
	verdict_seen bound . "$t: UBSAN: another type is seen"
	verdict_seen wider frame "$t: KASAN: another frame is seen"
	verdict_seen named 'buffer.*buffeR' "$t: KASAN: another name in a frame is seen"
	verdict_seen other another "$t: KASAN: another global's value is seen"

	case $t in
	arm64*)	# code may count from a place nearby: the string is not passed over
		verdict_seen moved . "$t: a function that moved to another file is seen"
		;;
	*)
		verdict_same moved "$t: a function that moved to another file is masked"
		like "$(grep '^identical-with-masks .*moved.o' "$tmp/out")" \
			'ubsan-location [23] of 3 .*sanitizer-file 1 of' \
			"$t: and counted, with the name of the file"
		like "$(cat "$tmp/out")" 'masked sanitizer-file: .*"a-word-of-it.h" is new' \
			"$t: and listed"
		same "$t: the same back" "$tmp/n/moved.o" "$tmp/b/moved.o"
		same "$t: the same at level 1" --level 1 --walk \
			"$tmp/b/moved.o" "$tmp/n/moved.o"
		# clang merges the two, and KASAN no longer guards the code's
		[ "$t" = x86-clang ] ||
			verdict_same said "$t: to a file that code names as well"
		;;
	esac
	verdict_seen movedbound . "$t: moved: another type is seen"
	verdict_seen movedother . "$t: moved: another value is seen"
	verdict_seen movedextra . "$t: moved: another global is seen"
	verdict_seen movedsaid . "$t: moved: the name of that file, said by code, is seen"
	verdict_seen unsaid . "$t: moved: another name of a file in code is seen"
	verdict_seen who . "$t: another name of a file in code is seen"
done
done_testing
