# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sourced after tap.sh by tests of the queue: a miniature kernel in git, made of
# files of the real base, and a queue beside it, all in $tmp. The scripts meet
# them through the environment; the real tree is never touched.

# shellcheck disable=SC2154 # top, tmp: lib.sh
kernel=$tmp/kernel
# Files that the patches of the tests touch, and what a kernel tree is known by.
kernel_files='.gitattributes .gitignore Makefile lib/sbitmap.c include/linux/sbitmap.h block/blk-mq-tag.c'

# mini_kernel: a repository at $kernel with one commit
mini_kernel()
{
	# Not what the caller's environment says: the real base.
	(unset TREE BASE; "$top/tools/base-fetch" --objects) > "$tmp/objects" 2> "$tmp/objects.log" ||
		{ sed 's/^/# /' "$tmp/objects.log"; skip_all "no kernel source"; }
	_dir=$(sed -n 1p "$tmp/objects") _rev=$(sed -n 2p "$tmp/objects")
	git init -q "$kernel"
	git -C "$kernel" config user.name Somebody
	git -C "$kernel" config user.email somebody@example.org
	git -C "$kernel" config gc.auto 0
	# Borrowed for a moment only: the miniature owns its files.
	echo "$_dir/objects" > "$kernel/.git/objects/info/alternates"
	# shellcheck disable=SC2086
	git -C "$kernel" ls-tree -r "$_rev" -- $kernel_files |
		git -C "$kernel" update-index --index-info
	git -C "$kernel" checkout-index -a
	rm "$kernel/.git/objects/info/alternates" "$kernel/.git/index"
	git -C "$kernel" add -A -f
	GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' git -C "$kernel" commit -q -m base --date 2026-01-01T00:00:00Z
}

# queue_env: from here on the scripts work on the miniature
queue_env()
{
	export BUILD="$tmp/build" SERIES_DIR="$tmp/queue" TREE="$kernel" SERIES_BASE=tree
	export CHECK_BASES="tree=$kernel" BASES_EXPECT="$tmp/bases.expect"
	# What a script that is killed leaves goes with the test.
	export TMPDIR="$tmp"
	mkdir -p "$BUILD" "$SERIES_DIR"
	: > "$BASES_EXPECT"
	lt=$BUILD/linux-tree
}

# sums FOLDER: one checksum for all that is below it, names, contents and modes
sums()
{
	(cd "$1" && find . -printf '%p %m %l\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum
}

# commit_patch N SUBJECT SED-SCRIPT FILE...: one commit in the kernel tree
commit_patch()
{
	_n=$1 _s=$2 _e=$3
	shift 3
	(
		cd "$lt" && sed -i -e "$_e" "$@" && git add -A &&
		GIT_AUTHOR_NAME='sbitmap NUMA developers' \
		GIT_AUTHOR_EMAIL=sbitmap-numa@example.org \
		GIT_AUTHOR_DATE="2026-02-0${_n}T10:00:00+0100" \
		git commit -q -m "$_s" -m "The reason for this change is given here in enough words to
be a body: callers should not know how a word of the bitmap is
found, since a later change finds it in another way on machines
with many nodes."
	)
}

# three_patches: two under lib/ and include/, one under block/
three_patches()
{
	commit_patch 1 'sbitmap: Find a word through a helper' \
		's|^static int sbitmap_find_bit(|/* Found by index. */\n&|' lib/sbitmap.c
	commit_patch 2 'sbitmap: Explain the depth of a word' \
		's|^struct sbitmap_word {|/* one word */\n&|;s|^void sbitmap_resize(|/* resize */\n&|' \
		lib/sbitmap.c include/linux/sbitmap.h
	commit_patch 3 'blk-mq: Explain the tag wait' \
		's|^void blk_mq_put_tag(|/* put */\n&|' block/blk-mq-tag.c
}
