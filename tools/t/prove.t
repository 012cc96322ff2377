#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch a prover that calls any refactoring neutral: a helper with an
# "unsigned int" index in place of the macro must be red, with the object and
# the functions named, and the patch of the series that has the macro green.
prog=prove.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"

scratch
first=$(git -C "$linux" log --reverse --format=%H -S'#define SB_WORD' base..series -- \
	include/linux/sbitmap.h | head -1)

# The same patch with a function: a commit that no branch knows.
GIT_INDEX_FILE=$tmp/index
export GIT_INDEX_FILE
git -C "$linux" read-tree "$first"
git -C "$linux" show "$first:include/linux/sbitmap.h" |
	awk '/^#define SB_WORD/ {
		print "static inline struct sbitmap_word *SB_WORD(const struct sbitmap *sb,"
		print "\t\t\t\t\t\t   unsigned int index)"
		print "{"
		print "\treturn &sb->map[index];"
		print "}"
		next
	} {print}' > "$tmp/sbitmap.h"
blob=$(git -C "$linux" hash-object -w "$tmp/sbitmap.h")
git -C "$linux" update-index --cacheinfo "100644,$blob,include/linux/sbitmap.h"
tree=$(git -C "$linux" write-tree)
unset GIT_INDEX_FILE
GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'
export GIT_AUTHOR_DATE GIT_COMMITTER_DATE
rev=$(git -C "$linux" commit-tree "$tree" -p base -m 'sbitmap: a function where a macro must be')

[ -n "$first" ] || skip_all "no patch that has SB_WORD in the tree"
out=$("$top/tools/prove" rev "$rev" 2>&1)
is $? 1 "a helper with an unsigned int index is red"
like "$out" 'lib/sbitmap\.o' "the object is named"
like "$out" 'sbitmap_bitmap_show' "sbitmap_bitmap_show is named"
like "$out" 'sbitmap_queue_clear_batch' "sbitmap_queue_clear_batch is named"

out=$("$top/tools/prove" rev "$first" 2>&1)
is $? 0 "the macro is green" || diag "$out"
done_testing
