#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a program that tries files (for mutate and test-each) and says
# green of a known fault, red of what did not build, or leaves things behind.
prog=try-files.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"
scratch
h=$top/harness
try=$h/try-files
src=$build/harness/base/src
[ -f "$src/lib/sbitmap.c" ] || { "$try" x "$src"; exit 1; }

cp -R "$src" "$tmp/fault"
patch -s -p1 -d "$tmp/fault" <"$h/faults/40-batch-beyond-depth.patch"
ok $? 'a kept fault applies'
fails_with 1 'try-t: red: plain/test-model' 'it is red' "$try" try-t "$tmp/fault"
cp -R "$src" "$tmp/damaged"
echo 'int x = ;' >>"$tmp/damaged/lib/sbitmap.c"
fails_with 3 'does not build' 'what does not build is not red' "$try" try-t "$tmp/damaged"
cp -R "$build/harness/numa/src" "$tmp/mode"
patch -s -p1 -d "$tmp/mode" <"$h/faults/76-farthest-first.patch"
ok $? 'a kept fault of the mode applies'
fails_with 1 'try-t: red: plain/test-numa' 'it is red in the mode' "$try" --numa try-t "$tmp/mode"
# A patch in the middle: what is there compiles, nothing more is asked of it
sed -i '/sbitmap_numa_bitmap_show/,/^$/d' "$tmp/mode/include/linux/sbitmap_numa.h"
fails_with 3 'not the whole mode yet' 'half a mode is not tried' "$try" --numa try-t "$tmp/mode"
[ ! -e "$build/harness/fault-try-t" ]
ok $? 'nothing is left'
if [ "${HARNESS_TIER:-}" = long ]; then
	fails_with 0 'try-t: green' 'the base is green' "$try" try-t "$src"
fi
fails_with 2 'not base or patched' 'a name that is taken' "$try" base "$src"
fails_with 2 'has no lib/sbitmap.c' 'no files' "$try" try-t "$tmp"
fails_with 2 'no NUMA mode' 'the mode where there is none' "$try" --numa try-t "$src"
fails_with 2 'usage' 'no argument' "$try"
done_testing
