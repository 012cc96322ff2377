#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: bad input that is accepted, that gives more than one line, or
# another status than 2.
prog=input.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"
scratch
h=$top/harness
HARNESS_BUILD=$build/harness
export HARNESS_BUILD
sbtest=$build/harness/sbtest

# one_line NAME PATTERN COMMAND...: exit 2 and one line which matches
one_line()
{
	_n=$1 _p=$2
	shift 2
	"$@" >"$tmp/o" 2>&1
	_rc=$?
	is "$_rc $(grep -c . "$tmp/o")" '2 1' "$_n: exit 2, one line"
	like "$(cat "$tmp/o")" "$_p" "$_n: says what"
}

one_line 'unknown machine' 'no such machine' "$sbtest" --topology nowhere
one_line 'a machine too big' 'no such machine' "$sbtest" --topology 64x64
one_line 'a depth that cannot be' 'not a number from 0 to' "$sbtest" --depth 10241
one_line 'a negative depth' 'not a number' "$sbtest" --depth -5
one_line 'a shift that cannot be' 'not a number from 0 to 6' "$sbtest" --shift 7
one_line 'a seed that does not parse' 'not a number' "$sbtest" --seed 12x
one_line 'a seed too big' 'not a number' "$sbtest" --seed 99999999999999999999
one_line 'a sequence that does not parse' 'not a sequence' \
	"$sbtest" --replay 'queue:5:1:1:1:0:-1,fly 3'
one_line 'a sequence without its head' 'not a sequence' "$sbtest" --replay 'get 3'
one_line 'a tree that is not built' 'tree nowhere: .*make -C harness' \
	"$sbtest" --tree nowhere
one_line 'an argument too many' 'unexpected argument' "$sbtest" more
mkdir -p "$tmp/empty/lib"
one_line 'a tree without the file' 'has no lib/sbitmap.c' \
	"$h/tree-files" "$tmp/empty" "$tmp/dest"
one_line 'no tree' 'no such kernel tree' "$h/tree-files" "$tmp/none" "$tmp/dest"
git -c init.defaultBranch=x init -q "$tmp/git"
one_line 'a revision without the file' 'has no lib/sbitmap.c' \
	"$h/tree-files" "$tmp/git:HEAD" "$tmp/dest"
one_line 'a fault that is not kept' 'no fault matches' "$h/test-faults" 999 2>&1

"$sbtest" --seed 5 --sequences 20 --ops 30 >"$tmp/a" 2>&1
ok $? 'good input is accepted'
"$sbtest" --seed 5 --sequences 20 --ops 30 >"$tmp/b" 2>&1
is "$(cat "$tmp/a")" "$(cat "$tmp/b")" 'the same seed, the same run'
"$sbtest" --strict --round-robin 1 --sequences 3000 >"$tmp/c" 2>&1
is $? 1 'a failure is exit 1'
like "$(cat "$tmp/c")" 'static const struct seq seq' 'a failure prints C'
replay=$(sed -n "s/^replay: .*--replay '//p" "$tmp/c")
topo=$(sed -n "s/^replay: --topology \([^ ]*\) .*/\1/p" "$tmp/c")
"$sbtest" --strict --topology "$topo" --replay "$replay" >"$tmp/d" 2>&1
is $? 1 'what it prints, replayed, fails again'
done_testing
