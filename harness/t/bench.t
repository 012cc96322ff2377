#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a default mode that executes more or fewer instructions for a
# get/put pair than the base; a count that sees nothing (the table of pointers
# must cost more); a NUMA mode that executes more of them than the default mode
# does, or, where one node takes all tags, more than 1.3 times as many; a division
# on the way of a get or a put; a bench that does not run or compares nothing.
prog=bench.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

HARNESS_BUILD=$build/harness
export HARNESS_BUILD
bin=$HARNESS_BUILD/host/plain/bench
[ -x "$bin" ] || die "$bin is not built; run: make -C harness"

out=$("$top/harness/bench-count" base patched dptr patched:numa patched:via 2>&1)
is $? 0 "instructions are counted"
n() { printf '%s\n' "$out" | awk -v w="$1" -v c="${2:-2}" '$1 == w {print $c}'; }
# holds EXPRESSION NAME: of awk, on numbers
holds()
{
	awk "BEGIN {exit !($1)}"
	ok $? "$2 ($1)"
}
is "$(n patched)" "$(n base)" "default mode: as many instructions as the base"
holds "$(n base) > 20 && $(n dptr) > $(n base)" "a table of pointers costs more"
holds "$(n patched:numa) <= $(n patched)" "NUMA mode costs no more than the default mode"
holds "$(n patched:numa 3) > 20 && $(n patched:numa 3) <= $(n patched 3)" \
	"nor in instructions of its own files alone"
# Two tests and jumps; with registers saved before them it is a tenth.
holds "$(n patched:via) > $(n patched) && $(n patched:via) <= 1.05 * $(n patched)" \
	"a bitmap in default mode on a machine with several nodes costs 5 % more at most"

for depth in 256 1024 4096; do
	out=$("$top/harness/bench-count" -l "alone-$depth" patched dptr patched:numa 2>&1)
	is $? 0 "one node takes all of $depth tags"
	holds "$(n patched:numa) > 20 && $(n patched:numa) <= 1.3 * $(n patched)" \
		"depth $depth, one node alone: at most 1.3 times the default mode"
	# Hints that stay in the own part walk over it: the count sees searches.
	holds "$(n dptr) > 1.3 * $(n patched)" "and the count sees a search"
done
# Words of 8 bits are 8 times as many as words of 64.
out=$("$top/harness/bench-count" -l full-256 patched patched:numa 2>&1)
is $? 0 "no tag is left"
holds "$(n patched) > 100 && $(n patched:numa) <= 8 * $(n patched)" \
	"a get that fails looks at 8 times as many words in 8 times the instructions at most"
fails_with 2 'load nothing' "a load that is not there" \
	"$top/harness/bench-count" -l nothing base

"$top/harness/no-division" "$HARNESS_BUILD/patched/plain/adapter-numa.o"
ok $? "no get and no put divides"
scratch
cp -R "$HARNESS_BUILD/patched/src" "$tmp/src"
sed 's/^\(\tmap = sbn->word\[i\)\(\]\.map;\)$/\1 - i % sbn->nr_slots + sbn->word[i].slot\2/' \
	"$HARNESS_BUILD/patched/src/lib/sbitmap_numa.c" >"$tmp/src/lib/sbitmap_numa.c"
cmp -s "$tmp/src/lib/sbitmap_numa.c" "$HARNESS_BUILD/patched/src/lib/sbitmap_numa.c"
is $? 1 "a division is put in"
CC=gcc KSTD='-std=gnu11 -fno-strict-aliasing -fno-strict-overflow -fno-common -fPIC' \
	KWARN=-w WARN=-w FL=-O2 "$top/harness/build-so" "$tmp/src" "$tmp/o"
is $? 0 "and compiled"
fails_with 1 'sbn_get_word.* divides' "and found" \
	"$top/harness/no-division" "$tmp/o/adapter-numa.o"

out=$("$bin" --rounds 3 --pairs 1000)
is $? 0 "bench runs"
for w in base default dptr; do
	like "$out" "^one thread	$w	[0-9.]+	[0-9.]+	" "one thread: $w"
done
like "$out" '^one thread	base	[0-9.]+	1.0000	' "the base's ratio is 1"
"$top/harness/model/memory" >"$tmp/memory.md"
cmp "$tmp/memory.md" "$top/docs/results/memory.md"
ok $? "docs/results/memory.md is what the code asks for"
fails_with 2 'usage' "bad options are refused" "$bin" --rounds x
done_testing
