#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: test-each that leaves out a patch, tests other files than those of
# the patch, says green of one that fails, or changes the tree of the queue.

prog=test-each.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
# shellcheck source=tools/t/kernel.sh
. "$top/tools/t/kernel.sh"
mini_kernel
queue_env
"$top/tools/tree" >"$tmp/tree.log" 2>&1 || { diag "$(cat "$tmp/tree.log")"; skip_all 'no tree'; }
lt=$BUILD/linux-tree
mkdir -p "$lt/lib/tests"
echo suite >"$lt/lib/tests/sbitmap_kunit.c"
commit_patch 1 'lib/tests: Add tests' 's/^/&/' lib/sbitmap.c
three_patches
sums "$lt" >"$tmp/before"

# What they are given, and whether they like it
cat >"$tmp/kunit" <<'EOT'
#!/bin/sh
[ "$2" = --tree ] || exit 9
(cd "$3" && git -C "$LT" hash-object --no-filters "$3/lib/sbitmap.c" "$3/block/blk-mq-tag.c") | tr '\n' ' ' >>"$SEEN"
echo "$1" >>"$SEEN"
grep -q BROKEN "$3/lib/sbitmap.c" && { echo "kunit-run: $1: FAIL: broken"; exit 1; }
echo "kunit-run: $1: PASS: 20 cases, 0 skipped; log x"
EOT
cat >"$tmp/harness" <<'EOT'
#!/bin/sh
echo "$1" >>"$SEEN.harness"
grep -q BROKEN "$2/lib/sbitmap.c" && { echo "try-files: $1: red: plain/test-x, 1 s"; exit 1; }
echo 'plain/test-model: green, 1 s'
echo "try-files: $1: green"
EOT
chmod +x "$tmp/kunit" "$tmp/harness"
mkdir "$tmp/o"
export KUNIT_RUN="$tmp/kunit" TRY_FILES="$tmp/harness" SEEN="$tmp/seen" LT="$lt"
export KUNIT_OBJECTS="$tmp/o"
"$top/tools/test-each" >"$tmp/out" 2>&1
rc=$?
ok $rc 'a good series'
[ $rc -eq 0 ] || diag "$(cat "$tmp/out")"
for r in $(git -C "$lt" rev-list --reverse base..series); do
	echo "$(git -C "$lt" rev-parse "$r:lib/sbitmap.c" "$r:block/blk-mq-tag.c" | tr '\n' ' ')uml"
done >"$tmp/want"
is "$(cat "$tmp/seen")" "$(cat "$tmp/want")" 'the suite ran on the files of each patch, in order'
is "$(wc -l <"$tmp/seen.harness")" 3 'the harness ran where the files of lib/ or the header differ'
is "$(sums "$lt")" "$(cat "$tmp/before")" 'the tree is as it was'
: >"$tmp/seen"
"$top/tools/test-each" --way qemu --way module --from series~1 >"$tmp/out" 2>&1
ok $? 'one patch, two ways'
is "$(sed 's/.* //' "$tmp/seen" | tr '\n' ' ')" 'qemu module ' 'both are run'


# What it builds, as kbuild's dependency files say
runs()
{
	: >"$tmp/seen"
	"$top/tools/test-each" >"$tmp/out" 2>&1 || diag "$(cat "$tmp/out")"
	wc -l <"$tmp/seen"
}
patches=$(git -C "$lt" rev-list base..series | wc -l)
printf '  /src/lib/sbitmap.c \\\n' >"$tmp/o/.sbitmap.o.cmd"
is "$(runs)" $((patches - 1)) 'a kernel without block/ is not run for a patch to it'
like "$(tail -n 2 "$tmp/out")" 'uml +green +nothing that it is made of' 'which is said'
printf '  /src/block/blk-mq-tag.c \\\n' >"$tmp/o/.blk-mq-tag.o.cmd"
is "$(runs)" "$patches" 'with it, it is'
echo 'obj-y += x.o' >"$lt/lib/Makefile"
commit_patch 4 'lib: Build more' 's/^/&/' lib/Makefile
is "$(runs)" $((patches + 1)) 'a makefile decides what is built'
git -C "$lt" reset -q --hard series~1
rm -r "$tmp/o"

commit_patch 4 'sbitmap: Break it' 's|^static int sbitmap_find_bit(|/* BROKEN */\n&|' lib/sbitmap.c
commit_patch 5 'sbitmap: Mend it' '/BROKEN/d' lib/sbitmap.c
fails_with 1 '6 patches, 2 red' 'a patch that the next one mends is red' "$top/tools/test-each"
"$top/tools/test-each" >"$tmp/out" 2>&1
is "$(grep -A 2 'Break it' "$tmp/out" | awk '/red/ { print $1 }' | tr '\n' ' ')" 'harness uml ' 'in the harness and in the suite'
is "$(grep -A 2 'Mend it' "$tmp/out" | grep -c green)" 2 'the one behind it is run, and green'
fails_with 2 'no such commit' 'a commit that is none' "$top/tools/test-each" --from nowhere
fails_with 2 'no patch behind it' 'no patch' "$top/tools/test-each" --from series
fails_with 2 'uml, qemu or module' 'a way that is none' "$top/tools/test-each" --way vm
done_testing
