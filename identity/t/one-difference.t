#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch an objcmp that does not see one instruction, operand, register,
# order, branch polarity, relocation target, addend, constant, string, pointer
# or unlisted section that differs, or that sees one where there is none.
prog=one-difference.t
. "$(dirname -- "$0")/../../tools/lib.sh"
. "$top/tools/tap.sh"
scratch
. "$top/identity/t/common.sh"
src=$top/identity/t/basic.c

cat >"$tmp/changes" <<-END
INSN instruction
IMM instruction
REG instruction
ORDER instruction
MEM instruction
POLARITY branches
RELOC relocation
ADDEND addend
RODATA (table|rodata)
STRING (strings|\\.rodata)
RESOLVED resolved
DATA initialised
POINTER pointer
SECTION (unlisted|some_table)
GONE gone
END

for t in $targets; do
	base "$t" <"$src"
	pair "$t" again <"$src"
	pair "$t" lines -DPASS_LINES <"$src"
	pair "$t" moved -DPASS_MOVED <"$src"
	pair "$t" BINDING -DCHANGE_BINDING <"$src"
	while read -r what _; do
		pair "$t" "$what" "-DCHANGE_$what" <"$src"
	done <"$tmp/changes"
	for l in 0 1; do
		compare_all --level $l
		verdict_same again "$t: level $l: the same source"
		verdict_same lines "$t: level $l: inserted lines"
		while read -r what where; do
			verdict_seen "$what" ": $where" \
				"$t: level $l: $what is seen and named"
		done <"$tmp/changes"
		if [ $l -eq 0 ]; then
			verdict_seen moved 'no function changed, but' \
				"$t: level 0: a function that moved"
			# the same code, but it links in another way
			verdict_seen BINDING ': bound' \
				"$t: level 0: another binding"
		else
			verdict_same moved "$t: level 1: a function that moved"
		fi
	done
done
done_testing
