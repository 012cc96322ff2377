#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a "default mode" kernel that has the patch which asks for the mode,
# or lacks one before it; figures of a pair that are of the same kernel.

prog=kernel.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch

# A repository of ours with a queue of four patches, and its tree
r=$tmp/r
mkdir -p "$r/tools" "$r/vm" "$r/patches" "$r/test-configs" "$r/build/linux-7.3"
cp "$top/tools/lib.sh" "$r/tools/"
cp "$top/vm/kernel" "$r/vm/"
: > "$r/test-configs/vm-plain.config"
g()
{
	git -C "$r/build/linux-7.3" -c user.name=t -c user.email=t@example.org \
		-c commit.gpgsign=false "$@"
}
g init -q -b series
g commit -q --allow-empty -m base
g tag base
n=0
for dir in block lib lib block; do
	n=$((n + 1))
	g commit -q --allow-empty -m "$n"
	printf 'diff --git a/%s/x.c b/%s/x.c\n' $dir $dir > "$r/patches/000$n-$dir.patch"
done
queue() # without the patch that asks: the first N
{
	cat <<'SERIES'
# group refactor (identical): moves code, in block/ too. Status: ready.
0001-block.patch

# group mode (new-code): the mode. Status: draft.
0002-lib.patch
0003-lib.patch
0004-block.patch
SERIES
}
commit()
{
	env -u BASE -u TREE BUILD="$r/build" "$r/vm/kernel" --commit "$@"
}
queue > "$r/series"
is "$(commit plain base)" "$(g rev-parse base)" 'base'
is "$(commit plain numa)" "$(g rev-parse series)" 'numa is the whole series'
is "$(commit plain default)" "$(g rev-parse series~1)" 'default ends before the patch that asks'

queue | sed '$d' > "$r/series"
rm "$r/patches/0004-block.patch"
g reset -q --hard series~1
is "$(commit plain default)" "$(g rev-parse series)" 'without such a patch, default is the whole series'

queue | sed 's/0003-lib/0003-block/' | sed '$d' > "$r/series"
mv "$r/patches/0003-lib.patch" "$r/patches/0003-block.patch"
sed -i 's/lib/block/g' "$r/patches/0003-block.patch"
is "$(commit plain default)" "$(g rev-parse series~1)" 'a patch for block/ in a group that is identical does not ask'
g commit -q --allow-empty -m 'not exported'
fails_with 1 'differ in number; run: make tree' 'a tree that is not the queue' commit plain default

fails_with 2 "no kernel 'large'; there are: plain" 'an unknown kernel' commit large numa
fails_with 2 "mode 'fast'" 'an unknown mode' commit plain fast
fails_with 2 'no such patch' 'a patch that is not there' commit plain nothing.patch
done_testing
