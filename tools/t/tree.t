#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: make tree that loses somebody's work in the kernel tree, imports
# a queue half, gives other commits for the same patches, or does not notice
# that patches/ changed; make clean that does.
set -u
prog=tree.t
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
# shellcheck source=tools/t/kernel.sh
. "$top/tools/t/kernel.sh"
mini_kernel
queue_env
tree=$top/tools/tree refresh=$top/tools/refresh
# shellcheck disable=SC2154 # kernel.sh
q=$SERIES_DIR

fails_with 0 '0 patches' 'an empty queue gives the base' "$tree"
three_patches
fails_with 1 'holds 3 commit.*make refresh' 'commits that were not exported: refused' "$tree"
is "$(git -C "$lt" rev-list --count base..series)" 3 '... and still there'
"$refresh" > /dev/null
fails_with 0 '3 patches.*unchanged' 'after the export there is nothing to do' "$tree"

# make clean keeps what is in no patch: on another branch, or stashed.
git -C "$lt" branch mine "$(git -C "$lt" commit-tree -p series -m mine 'series^{tree}')"
fails_with 1 'commits that are in no patch' 'clean: another branch holds a commit: refused' "$top/tools/clean"
git -C "$lt" branch -q -D mine
echo '/* */' >> "$lt/lib/sbitmap.c"
git -C "$lt" stash -q
fails_with 1 'stashed changes' 'clean: something is stashed: refused' "$top/tools/clean"
git -C "$lt" stash drop -q
[ -d "$lt/.git" ]
ok $? '... and the tree is there'

# As on a new machine.
mv "$lt" "$tmp/first"
"$tree" > /dev/null
one=$(git -C "$lt" rev-parse series)
is "$(git -C "$lt" rev-parse 'series^{tree}')" "$(git -C "$tmp/first" rev-parse 'series^{tree}')" \
	'a new tree holds what was exported'
is "$(git -C "$lt" log --format=%an:%ad:%cd -1)" \
	"$(git -C "$lt" log --format='sbitmap NUMA developers:%ad:%ad' -1)" \
	"commits carry their patch's author and date"
rm -rf "$lt"
GIT_AUTHOR_NAME=x GIT_COMMITTER_NAME=y GIT_COMMITTER_EMAIL=y@example.org TZ=Asia/Tokyo "$tree" > /dev/null
is "$(git -C "$lt" rev-parse series)" "$one" 'the same patches give the same commits, whoever imports them'

echo '/* */' >> "$lt/lib/sbitmap.c"
fails_with 1 'uncommitted changes .lib/sbitmap.c.' 'a changed file: refused' "$tree"
git -C "$lt" checkout -q lib/sbitmap.c
echo > "$lt/lib/sbitmap-new.c"
fails_with 1 'uncommitted changes .lib/sbitmap-new.c.' 'a new file: refused' "$tree"
rm "$lt/lib/sbitmap-new.c"
git -C "$lt" checkout -q -b other
fails_with 1 'is on other; run: git .*checkout series' 'another branch: refused' "$tree"
git -C "$lt" checkout -q series

cp -R "$q" "$tmp/q"
rm "$q/patches/0003"* && sed -i /0003/d "$q/series"
fails_with 0 '2 patches' 'a patch was taken out: imported again' "$tree"
is "$(git -C "$lt" rev-list --count base..series)" 2 '... the tree has one commit less'
is "$(git -C "$lt" status --porcelain)" '' '... and is clean'

# A patch that does not fit, behind one that does.
rm -rf "$q" && cp -R "$tmp/q" "$q"
sed -i 's/^ struct sbitmap_word {/ struct sbitmap_Word {/' "$q/patches/0002"*
was=$(sums "$lt")
fails_with 1 'patches/0002-.* does not apply .*after 1 that do: include/linux/sbitmap.h hunk #1; .* is as it was' \
	'a patch that does not apply: named, with file and hunk' "$tree"
is "$(git -C "$lt" rev-list --count base..series)$(git -C "$lt" status --porcelain)" 2 '... and nothing of the queue is in the tree'
find "$lt/.git" \( -name 'rebase-*' -o -name '*.lock' -o -name worktrees \) ! -name sbitmap.lock > "$tmp/left"
is "$(cat "$tmp/left")" '' '... nor anything under way'
[ "$was" != "$(sums "$lt/lib")" ]
is "$(cd "$lt" && git fsck --connectivity-only 2>&1 | grep -v dangling)" '' '... nor anything broken'
sed -i 's/^ struct sbitmap_word {/@@ nonsense/;s/^@@ .*/@@ -1,1 +1,1 @@/' "$q/patches/0002"*
fails_with 1 'patches/0002-.*corrupt' 'a mangled patch: named' "$tree"

rm -rf "$q" && cp -R "$tmp/q" "$q"
sed -i 's/^0002-/0009-/' "$q/series"
fails_with 1 'series names 0009-.*not in patches/' 'a patch that is not there: named' "$tree"

# Both sides have moved on.
rm -rf "$q" && cp -R "$tmp/q" "$q"
commit_patch 5 'sbitmap: Say more' 's|^/\* Found by index|/* more */\n&|' lib/sbitmap.c
fails_with 1 'both branch series .* and patches/ .*0003-.* have changed' 'commits and new patches: refused' "$tree"
git -C "$lt" reset -q --hard refs/sbitmap/exported
fails_with 0 '3 patches' 'once they are set aside: imported' "$tree"

# Somebody's kernel in which the lines have moved, and one that clashes.
rm -rf "$lt"
sed -i '1i/* moved */' "$kernel/lib/sbitmap.c"
git -C "$kernel" commit -q -a -m moved
fails_with 0 '3 patches' 'TREE with other line numbers: applied' "$tree"
rm -rf "$lt"
sed -i 's/^void blk_mq_put_tag(/void blk_mq_put_a_tag(/' "$kernel/block/blk-mq-tag.c"
git -C "$kernel" commit -q -a -m clash
fails_with 1 'patches/0003-.* after 2 that do: block/blk-mq-tag.c hunk #1' 'TREE that clashes: named' "$tree"
is "$(git -C "$lt" rev-parse series)" "$(git -C "$lt" rev-parse base)" '... the tree stands at its base'
echo "tree 0003-blk-mq-Explain-the-tag-wait.patch all it has another name there" > "$BASES_EXPECT"
SERIES_BASE=7.3
fails_with 0 'patches/0003-.* does not apply to tree and is left out: it has another name there' '... unless that is known: then it is left out' "$tree"
is "$(git -C "$lt" rev-list --count base..series)$(git -C "$lt" status --porcelain)" 2 '... and the others are in the tree'

# The home kernel's objects are lent for merging: one that is the same as a
# patch's must come into the tree all the same.
blob=$(git -C "$lt" rev-parse series:include/linux/sbitmap.h)
home=$tmp/cache/base/0123.git
git init -q --bare "$home"
git -C "$lt" cat-file blob "$blob" | git --git-dir="$home" hash-object -w --stdin > "$tmp/blob"
is "$(cat "$tmp/blob")" "$blob" 'the home kernel has a file as a patch leaves it'
rm -rf "$lt"
echo '7.3 x x x 0123' > "$tmp/pin"
fails_with 0 '3 patches' '... and the patch is applied to another' \
	env SBITMAP_CACHE="$tmp/cache" BASE_PIN="$tmp/pin" "$tree"
is "$(git -C "$lt" cat-file -t "$blob" 2>&1)" blob '... with that file'
done_testing
