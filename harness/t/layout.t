#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: what each get and put reads of the mode's side structure on a line
# with something that sleepers, gets or puts write. By pahole, from the debug
# information of lib/sbitmap_numa.c as compiled here, with lines of 64 bytes.
prog=layout.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

need pahole gcc
[ -f "$build/harness/patched/plain/adapter-numa.o" ] ||
	die "the mode is not built; run: make -C harness"
scratch

# at OBJECT STRUCT MEMBER: offset and size
at()
{
	pahole -C "$2" "$1" | awk -v m="$3" '
	{ sub(/ __attribute__[^;]*/, ""); name = "" }
	match($0, /[a-z_]+(\[[0-9]*\])?;/) {
		name = substr($0, RSTART, RLENGTH)
		sub(/[[;].*/, "", name)
	}
	name == m && match($0, /\/\* +[0-9]+ +[0-9]+ \*\//) {
		split(substr($0, RSTART + 2), n, " ")
		print n[1], n[2]
		exit
	}'
}

# apart OBJECT: of struct sbn, what is read is on no line of what is written
apart()
{
	_ws=$(at "$1" sbn ws)
	[ -n "$_ws" ] || { echo "no struct sbn"; return 1; }
	_last=$(((${_ws#* } + ${_ws% *} - 1) / 64))
	for _m in cpu nr_slots nr_words near word; do
		_at=$(at "$1" sbn "$_m")
		[ -n "$_at" ] || { echo "no sbn.$_m"; return 1; }
		[ $((${_at% *} / 64)) -gt $_last ] || {
			echo "sbn.$_m at ${_at% *} is on a line of ws"
			return 1
		}
	done
	# Each word's bits, and what a put writes, on lines of their own.
	_w=$(at "$1" sbitmap_word word) _c=$(at "$1" sbitmap_word cleared)
	[ -n "$_w" ] && [ -n "$_c" ] &&
		[ $((${_w% *} / 64)) -ne $((${_c% *} / 64)) ]
}

o=$build/harness/patched/plain/adapter-numa.o
why=$(apart "$o")
ok $? "what a get and a put read is on no line of the wait queues"
[ -z "$why" ] || diag "$why"
pahole -C sbn "$o" | sed 's/^/# /'

cp -R "$build/harness/patched/src" "$tmp/src"
sed 's/^} ____cacheline_aligned_in_smp;/};/; s/^\(#define SBQ_WAIT_QUEUES\) 8/\1 7/' \
	"$build/harness/patched/src/include/linux/sbitmap.h" >"$tmp/src/include/linux/sbitmap.h"
cmp -s "$tmp/src/include/linux/sbitmap.h" "$build/harness/patched/src/include/linux/sbitmap.h"
is $? 1 "a fault is put in: wait queues without lines of their own"
CC=gcc KWARN=-w WARN=-w FL='-O2 -g' KSTD='-std=gnu11 -fno-common -fPIC' \
	"$top/harness/build-so" "$tmp/src" "$tmp/o"
is $? 0 "and compiled"
why=$(apart "$tmp/o/adapter-numa.o")
is $? 1 "and found ($why)"
done_testing
