#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a table of depths that divides what does not belong together, that
# hides runs in which nobody waited, or that is made of part of a run.

prog=depths.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch

# Two depths. fio's start costs 5000 instructions, 3000 of them the kernel's;
# an I/O costs 100 at depth 2 (60 the kernel's, 7 for tags), 90 at 256 (50, 6.5).
cat > "$tmp/marks" <<'MARKS'
1 1000000 500000 10
2 1006000 503600 80
3 1007000 504000 80
4 1015000 508800 290
5 1020000 510000 300
6 1025900 513500 365
7 1026000 514000 370
8 1033700 518500 565
MARKS
cat > "$tmp/log" <<'LOG'
[    1.000000] vm: depths: share=one depth=2 few=10 many=30 looks=10 waited=7 most=12 mode=flat
[    2.000000] vm: depths: share=all depth=256 few=10 many=30 looks=10 waited=0 most=0 mode=numa
LOG
tab=$(printf '\t')
out=$("$top/vm/depths" -r numa 3 "$tmp/marks" "$tmp/log")
is "$(echo "$out" | sed -n 1p | tr "$tab" ' ')" 'numa one 2 3 20 100.0 60.0 7.0 7 12 flat 10' 'the first row'
is "$(echo "$out" | sed -n 2p | tr "$tab" ' ')" 'numa all 256 3 20 90.0 50.0 6.5 0 0 numa 10' 'the second row'

sed '$d' "$tmp/marks" > "$tmp/short"
fails_with 1 '7 marks, not four for each of 2' 'a mark is missing' "$top/vm/depths" -r numa 3 "$tmp/short" "$tmp/log"
grep -v depths: "$tmp/log" > "$tmp/nothing"
fails_with 1 'has measured nothing' 'a guest that measured nothing' "$top/vm/depths" -r numa 3 "$tmp/marks" "$tmp/nothing"
sed 's/many=30/many=10/' "$tmp/log" > "$tmp/same"
fails_with 1 'no more I/O' 'the same amount twice' "$top/vm/depths" -r numa 3 "$tmp/marks" "$tmp/same"

# Five seeds: 90, 100, 110, 100, 100: mean 100, deviation of a sample 7.07
{
	echo 'mode	queues	depth	seed	ios	instructions	kernel	tags	waited	most	bitmap	looks'
	for x in 90 100 110 100 100; do
		printf 'base\tone\t2\t1\t20\t%d\t60\t7\t2\t9\tflat\t10\n' $x
	done
	printf 'numa\tall\t256\t1\t20\t90\t50\t6.5\t0\t0\tnuma\t10\n'
} > "$tmp/tsv"
out=$("$top/vm/depths" -t "$tmp/tsv")
is "$(echo "$out" | sed -n 3p)" '| base | one | 2 | flat | 100 (7) | 60 | 7.0 (0.0) | 10 of 50 | 9 |' 'mean and deviation'
like "$(echo "$out" | sed -n 4p)" '\| 0 of 10 \(never queued\) \| 0 \|$' 'a row in which nobody waited says so'
like "$(echo "$out" | sed -n 4p)" '\| 90 \(-\) \| 50 \| 6\.5 \(-\) \|' 'one seed has no deviation'
done_testing
