#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: more cache lines per get/put pair than the mode may cost, in
# balanced load or with one node alone; foreign bits within a node's share; more
# than 1.7 words looked at per get; a count that the second implementation does
# not find; docs/results/lines.md that is not what the model gives.
prog=model-lines.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

HARNESS_BUILD=$build/harness
export HARNESS_BUILD
[ -x "$HARNESS_BUILD/model/model" ] || die "the model is not built; run: make -C harness"
scratch

"$top/harness/model/lines" -q >"$tmp/out" 2>&1
is $? 0 "every bar is met"
diag "$(grep -E 'missed|lines:' "$tmp/out")"
for use in 0.25 1; do
	for only in "" "--only 1"; do
		# shellcheck disable=SC2086
		"$HARNESS_BUILD/model/model" --machine "$top/harness/model/machines/generic4x32.machine" \
			--untimed --who base,numa --depth 256 --pairs 20000 --check --use "$use" $only >"$tmp/out" 2>&1
		is $? 0 "use $use $only: the second count agrees"
	done
done

if [ "${HARNESS_TIER:-}" = long ]; then
	"$top/harness/model/lines" >"$tmp/lines.md"
	cmp -s "$tmp/lines.md" "$top/docs/results/lines.md"
	ok $? "docs/results/lines.md is made of this"
fi

# A CPU that is away looks at its own slot at each get.
mkdir -p "$tmp/b/patched"
ln -s "$HARNESS_BUILD/base" "$tmp/b/base"
ln -s "$HARNESS_BUILD/model" "$tmp/b/model"
cp -R "$HARNESS_BUILD/patched/src" "$tmp/b/patched/src"
sed 's/^\(#define SBN_PROBE\t*\)16U$/\11U/' "$HARNESS_BUILD/patched/src/lib/sbitmap_numa.c" \
	>"$tmp/b/patched/src/lib/sbitmap_numa.c"
cmp -s "$tmp/b/patched/src/lib/sbitmap_numa.c" "$HARNESS_BUILD/patched/src/lib/sbitmap_numa.c"
is $? 1 "a fault is put in"
CC=gcc KWARN=-w WARN=-w \
	KSTD='-std=gnu11 -fno-strict-aliasing -fno-strict-overflow -fno-common -fPIC -fvisibility=hidden' \
	FL='-O2 -fsanitize=thread -DHS_EXPLORE -DHS_MODEL --param tsan-instrument-func-entry-exit=0 -Dmalloc=sim_waiter_alloc' \
	"$top/harness/build-so" "$tmp/b/patched/src" "$tmp/b/patched/model"
is $? 0 "and compiled"
HARNESS_BUILD=$tmp/b "$top/harness/model/lines" -q >"$tmp/out" 2>&1
is $? 1 "and a bar is missed"
like "$(cat "$tmp/out")" 'bars are missed at: alone' "where one node is alone"
done_testing
