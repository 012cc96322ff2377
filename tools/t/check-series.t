#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: make check-series that passes a broken queue. Each fault is put
# into a queue that passes, and has to be named in one line.
set -u
prog='check-series.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
# shellcheck source=tools/t/kernel.sh
. "$top/tools/t/kernel.sh"
mini_kernel
queue_env
check=$top/tools/check-series
# shellcheck disable=SC2154 # kernel.sh
q=$SERIES_DIR
# A second base, in which all fits, and a third, in which the last patch does not.
cp -R "$kernel" "$tmp/moved"
sed -i '1i/* moved */' "$tmp/moved/lib/sbitmap.c"
git -C "$tmp/moved" commit -q -a -m moved
cp -R "$kernel" "$tmp/clash"
sed -i 's/^void blk_mq_put_tag(/void blk_mq_put_a_tag(/' "$tmp/clash/block/blk-mq-tag.c"
git -C "$tmp/clash" commit -q -a -m clash

"$top/tools/tree" > /dev/null
three_patches
"$top/tools/refresh" > /dev/null
cp "$top/tools/codespell.ignore" "$q/cover-letter.txt"
cp -R "$q" "$tmp/good"
p1=0001-sbitmap-Find-a-word-through-a-helper.patch
p2=0002-sbitmap-Explain-the-depth-of-a-word.patch
p3=0003-blk-mq-Explain-the-tag-wait.patch

fails_with 0 'moved: git am, git am -3, quilt push -a, git quiltimport: tree [0-9a-f]{12}' \
	'a good queue passes on two bases, in four ways' env CHECK_BASES="tree=$kernel moved=$tmp/moved" "$check"
id=$(git -C "$lt" rev-parse 'series^{tree}')
like "$(cat "$BUILD/report/check-series.tsv")" "^ok.check-series.tree.*the same tree $id, as in " \
	'... and gives the tree that the kernel tree holds'
like "$(cat "$BUILD/report/check-series.tsv")" '3 of 3 patches exported again with the same bytes' \
	'... and the same bytes when exported'

# plant COMMAND: put a fault in; named PATTERN NAME: what must be said of it.
# judge: run the check once for all of them, expect a line for each and no other,
# and put the queue right again. It is applied only where $apply names a base.
: > "$tmp/wanted"
apply=
plant()
{
	(cd "$q" && eval "$1")
}
named()
{
	printf '%s\t%s\n' "$1" "$2" >> "$tmp/wanted"
}
judge()
{
	_o=$(CHECK_BASES=$apply "$check" 2>&1)
	_r=$?
	printf '%s\n' "$_o" | grep -Ev 'views checked|not applied to any|fault.s. in the queue|git quiltimport: tree|as expected' > "$tmp/faults"
	while IFS='	' read -r _p _n; do
		grep -Eq -- "$_p" "$tmp/faults"
		ok $? "$_n"
	done < "$tmp/wanted"
	_w=1:$(grep -c . "$tmp/wanted") _r=$_r:$(grep -c . "$tmp/faults")
	is "$_r" "$_w" '... red, and nothing else is said'
	[ "$_r" = "$_w" ] || diag "$_o"
	rm -rf "$q"
	cp -R "$tmp/good" "$q"
	: > "$BASES_EXPECT"
	: > "$tmp/wanted"
}
fault() # PATTERN NAME COMMAND: one alone
{
	plant "$3"
	named "$1" "$2"
	judge
}

# Names.
plant "rm patches/$p2; touch patches/$p1.orig; cp patches/$p1 patches/0009-more.patch; sed -i 's/\$/\r/' series; printf 'a\r\n' > cover-letter.txt"
named "series: names $p2, which is not in patches/" 'a patch is gone'
named "patches/$p1.orig: is not a patch" 'a stray file'
named 'patches/0009-more.patch: is not named in series' 'a patch that series does not name'
named 'series: has CRLF' 'CRLF in series'
named 'cover-letter.txt: has CRLF' 'CRLF in the cover letter'
judge
fault "series: names $p1 more than once" 'a duplicate in series' "echo $p1 >> series"
fault "series: names $p1 after $p2: wrong order" 'wrong order' "printf '%s\n' $p2 $p1 $p3 > series"
fault "$p3 stands at place 2: numbers have a gap" 'a gap in the numbers' "rm patches/$p2 *-diffs/0002*; sed -i /0002/d series"
fault 'two.patch: is not named like 0001-slug' "a name that is not git's" \
	"mv patches/$p2 patches/two.patch; sed -i 's/^0002.*/two.patch/' series; for v in *-diffs; do mv \$v/0002* \$v/two.diff; sed -i 's/$p2/two.patch/' \$v/two.diff; done"
fault 'series: there is no such file' 'no series' 'rm series'

# Patches that cannot be read.
line=$(grep -n '^+/\* one word' "$q/patches/$p2" | cut -d: -f1)
plant "sed -i 's/\$/\r/' patches/$p1; sed -i 's/^+.. one word/one word/' patches/$p2; : > patches/$p3"
named "patches/$p1: has CRLF" 'CRLF in a patch'
named "patches/$p2: is mangled: .*line ($line|$((line + 1)));" 'a line without its sign, at its place'
named "patches/$p3: is empty" 'an empty patch'
judge
plant "sed -i '/^diff/,\$d' patches/$p1; sed -i '/one word/d' patches/$p2; sed -i '/^From: /d' patches/$p3"
named "patches/$p1: holds no diff" 'a patch cut off before its diff'
named "patches/$p2: is mangled: corrupt at line" 'a line of a hunk is gone'
named "patches/$p3: has no proper From" 'no From'
judge

# Mails.
plant "sed -i -e '/^Subject: /d' patches/$p1
sed -i -e 1d -e '/^Date: /d' -e 's/^Subject: .*/Subject: [PATCH] mm: Explain/' \
	-e '/^The reason/,/^with many/d' -e 's/^---\$/This is very short\n\nSigned-off-by: A B <a@example.org>\n---/' patches/$p2
sed -i -e 's/^Date: .*/Date: some day/' -e 's/^Subject: .*/Subject: [PATCH] sbitmap: Explained it/' \
	-e 's/^\(index [0-9a-f]\{12\}\)[0-9a-f]*\(\.\.[0-9a-f]\{12\}\)[0-9a-f]*/\1\2/' -e '/ files* changed/d' patches/$p3
printf -- '-- \n2.39.5\n' >> patches/$p3"
named "patches/$p1: has no Subject" 'no Subject'
named "patches/$p2: does not begin with the .From 000" 'not from git format-patch'
named "patches/$p2: has no Date" 'no Date'
named "patches/$p2: Subject .* does not begin with one of: sbitmap: " 'another area'
named "patches/$p2: body has 4 words, too few" 'a body that says nothing'
named "patches/$p2: carries a Signed-off-by" 'a Signed-off-by'
named "patches/$p3: has a Date that is not one" 'a wrong Date'
named "patches/$p3: Subject .* is not imperative" 'not imperative: Explained'
named "patches/$p3: has short blob ids" 'short blob ids'
named "patches/$p3: has no diffstat" 'no diffstat'
named "patches/$p3: ends in a mail signature" 'a mail signature'
judge
plant "sed -i 's/^Subject: .*/Subject: [PATCH] sbitmap: Explains it/' patches/$p1
sed -i 's/^Subject: .*/Subject: [PATCH] sbitmap: Explaining it/' patches/$p2
sed -i 's/^Subject: .*/Subject: [PATCH] sbitmap: Process it./' patches/$p3"
named "patches/$p1: Subject .* is not imperative" 'not imperative: Explains'
named "patches/$p2: Subject .* is not imperative" 'not imperative: Explaining'
named "patches/$p3: Subject ends in a full stop" 'a full stop, while "Process" is imperative'
judge

# Views.
plant 'sed -i s/helper/hleper/ lib-sbitmap-diffs/0001*; rm include-diffs/*; touch include-diffs/0003-x.diff'
named 'lib-sbitmap-diffs/.*: stale view: differs .*make refresh' 'a view edited by hand'
named 'include-diffs/0002.*: view is missing.*make refresh' 'a view is gone'
named 'include-diffs/0003-x.diff: stale view: no patch .*make refresh' 'a view of nothing'
judge

# What shows when the patches are applied.
apply="tree=$kernel"
plant "sed -i 's/^Subject: .*/Subject: [PATCH] sbitmap: Say it/' patches/$p2; sed -i 's/^The reason.*/& /' patches/$p3"
named "patches/$p2: its Subject makes the name 0002-sbitmap-Say-it" 'a Subject that does not make the name'
named "patches/$p3: is not what make refresh writes .first at line" 'a message with blanks at its end'
judge
fault "patches/$p3 does not apply: block/blk-mq-tag.c hunk #1 .white space only. .git am, git am -3, quilt push -a" 'tabs turned into blanks' \
	"sed -i 's/\t/        /g' patches/$p3"
fault "the patches give tree .* but .* holds .*; run: make tree" 'a kernel tree that holds something else' \
	"git -C '$lt' update-ref refs/sbitmap/exported series~1"
git -C "$lt" update-ref refs/sbitmap/exported series

apply="clash=$tmp/clash"
fault "clash: patches/$p3 does not apply: block/blk-mq-tag.c hunk #1" 'a base on which a patch does not apply' true
echo "clash $p3 all blk_mq_put_tag() has another name there" > "$BASES_EXPECT"
fails_with 0 'patches/0003-.* does not apply, as expected: blk_mq_put_tag.. has another name there' '... is known, with its reason' \
	env CHECK_BASES="clash=$tmp/clash" "$check"
echo "clash $p3 am,am-3,quilt some reason" > "$BASES_EXPECT"
fault 'does not apply.*\(git quiltimport\)' '... but not in this way' true
# The first does not apply: what is behind it is tried all the same.
cp -R "$kernel" "$tmp/early"
sed -i 's/^static int sbitmap_find_bit(/static int sbitmap_find_a_bit(/' "$tmp/early/lib/sbitmap.c"
git -C "$tmp/early" commit -q -a -m early
echo "early $p1 all has another name there" > "$BASES_EXPECT"
fails_with 0 'early: git am, git am -3, quilt push -a, git quiltimport: tree [0-9a-f]{12} with 2 of 3' 'the patches behind one that is known to fail are tried' \
	env CHECK_BASES="early=$tmp/early" "$check"
apply="early=$tmp/early"
printf '%s\n' "early $p1 all a reason" "early $p3 quilt a reason" > "$BASES_EXPECT"
fault "line 2 is stale: $p3 does not fail on early with quilt" '... in each way, before a line is believed' true
apply="moved=$tmp/moved"
echo "moved $p3 all some reason" > "$BASES_EXPECT"
fault "line 1 is stale: $p3 does not fail on moved with am am-3 quilt quiltimport" 'a line that is not needed any more' true

# Two ways that do not agree: quilt is made to leave a line out.
mkdir "$tmp/bin"
cat > "$tmp/bin/quilt" <<'Q'
#!/bin/sh
/usr/bin/quilt "$@"
rc=$?
case "$*" in *push*) sed -i '/Found by index/d' lib/sbitmap.c ;; esac
exit $rc
Q
chmod +x "$tmp/bin/quilt"
apply="tree=$kernel"
PATH="$tmp/bin:$PATH" fault 'tree: after 3 patches quilt push -a gives another tree than git am' 'two ways that give different trees' true
fails_with 0 'views checked' 'the queue, put right, passes' env CHECK_BASES= "$check"
done_testing
