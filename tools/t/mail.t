#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: mails that do not apply, that give another tree than the series,
# are not signed by the sender, say a wrong base, go to nobody, lose a trailer or
# somebody's work; a second version that does not say what changed.
set -u
prog=mail.t
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
have b4 jq perl || skip_all 'b4 is not installed; run: make setup'
scratch
mail=$top/tools/mail
unset TREE BASE VERSION RFC PREVIOUS SENDER MAIL
# No net where that can be had: nothing needs one, and nothing gets out.
net=unshare
unshare -n true 2>/dev/null || net=
offline()
{
	if [ -n "$net" ]; then
		unshare -n "$@"
	else
		"$@"
	fi
}
export TMPDIR="$tmp"

# headers FILE: with each on one line; body FILE: what is below them
headers()
{
	awk '/^$/ {exit} /^[ \t]/ {sub(/^[ \t]+/, " "); h = h $0; next} {if (h) print h; h = $0} END {print h}' "$1" |
		sed 's/  */ /g'
}
body()
{
	sed '1,/^$/d' "$1"
}
# As sent, without what is new each time.
constant()
{
	headers "$1" | grep -Ev '^(Date|Message-Id|References|In-Reply-To|X-B4-Tracking):'
	echo
	body "$1"
}

# --- the series, on its base ------------------------------------------------------

MAIL=$tmp/mail
export MAIL
who='Jürgen B. Doe <jbd@example.org>'
said=$(offline env SENDER="$who" "$mail" 2>&1)
rc=$?
is "$rc" 0 'the series becomes mails'
[ "$rc" -eq 0 ] || { diag "$said"; done_testing; exit 1; }
like "$said" 'read Documentation/process/submitting-patches.rst and add the attribution tags' '... with the reminder'
n=$(git -C "$linux" rev-list --count base..series)
is "$(find "$MAIL/v1" -name '*.eml' | wc -l)" "$((n + 1))" "$n patches and a cover letter"
cover=$(echo "$MAIL"/v1/0000-*.eml)

# An unpatched tree, of the files that the series touches; the rest cannot change.
git -C "$linux" diff --name-only --no-renames base series > "$tmp/touched"
listing() # REPO REV
{
	# shellcheck disable=SC2046
	git -C "$1" ls-tree -r "$2" -- $(cat "$tmp/touched")
}
want=$(listing "$linux" series)
fresh()
{
	rm -rf "$tmp/fresh"
	git init -q "$tmp/fresh"
	git -C "$linux" rev-parse --path-format=absolute --git-path objects > "$tmp/fresh/.git/objects/info/alternates"
	git -C "$tmp/fresh" config user.name Maintainer
	git -C "$tmp/fresh" config user.email maintainer@example.org
	listing "$linux" base | git -C "$tmp/fresh" update-index --index-info
	git -C "$tmp/fresh" checkout-index -a
	git -C "$tmp/fresh" commit -q -m base
	git -C "$tmp/fresh" tag start
}
got()
{
	listing "$tmp/fresh" HEAD
}
b4_am() # WHAT OUT: as a maintainer does
{
	mkdir "$2"
	(cd "$tmp/fresh" && HOME=$tmp offline b4 --offline-mode --no-interactive am -m "$1" -o "$2") > "$2.log" 2>&1 < /dev/null
	ok $? "b4 am takes $3"
	cat "$2"/*.mbx > "$tmp/am.mbx"
}

fresh
git -C "$tmp/fresh" am -q "$MAIL/v1.am.mbox" > "$tmp/am.log" 2>&1
ok $? 'git am takes v1.am.mbox'
is "$(got)" "$want" '... and gives the tree of the series'
git -C "$tmp/fresh" log --format='%an <%ae>' start.. | sort -u > "$tmp/authors"
is "$(cat "$tmp/authors")" "$who" '... every commit by the sender'
is "$(git -C "$tmp/fresh" log --format=%B start.. | grep -c "^Signed-off-by: $who\$")" "$n" '... and signed off by them, once'
git -C "$tmp/fresh" log --format=%s start.. > "$tmp/subjects"
git -C "$linux" log --format=%s base..series > "$tmp/subjects.want"
is "$(cat "$tmp/subjects")" "$(cat "$tmp/subjects.want")" '... with its subject'

b4_am "$MAIL/v1.mbox" "$tmp/b4" 'v1.mbox'
fresh
git -C "$tmp/fresh" am -q "$tmp/am.mbx" > "$tmp/am.log" 2>&1
is "$(got)" "$want" '... and what it makes of it gives the same tree'
mkdir -p "$tmp/maildir/new" "$tmp/maildir/cur" "$tmp/maildir/tmp"
cp "$MAIL"/v1/*.eml "$tmp/maildir/new"
b4_am "$tmp/maildir" "$tmp/b4m" 'a maildir with them'
fresh
git -C "$tmp/fresh" am -q "$tmp/am.mbx" > "$tmp/am.log" 2>&1
is "$(got)" "$want" '... and that gives it too'

id=$(headers "$cover" | sed -n 's/^Message-Id: //p')
is "$(for f in "$MAIL"/v1/[0-9]*.eml; do [ "${f##*/0000-}" != "$f" ] || headers "$f" | sed -n 's/^In-Reply-To: //p'; done | sort -u)" "$id" \
	'all patches answer the cover letter'
like "$(headers "$cover")" '^To: .*axboe@' 'to the maintainer of the block layer'
like "$(headers "$cover")" '^Cc: .*linux-block@vger' 'a copy to its list'
like "$(headers "$cover")" '^Subject: \[PATCH 0+/[0-9]+\] sbitmap: ' "the cover letter's subject"
awk 'NR > 2 && /^---/ {exit} NR > 2' "$top/cover-letter.txt" | grep . > "$tmp/letter"
body "$cover" | grep . | head -n "$(wc -l < "$tmp/letter")" > "$tmp/letter.sent"
cmp -s "$tmp/letter" "$tmp/letter.sent"
ok $? '... and its text'
like "$(body "$cover")" '^based on v7\.[0-9.]+$' 'the base is named ...'
is "$(grep -c '^base-commit:' "$MAIL/v1.mbox")" 0 '... not as a commit that nobody has'

# The branch, with b4 as a sender runs it (but for sending).
mkdir "$tmp/again"
(
	cd "$MAIL/linux" && export HOME="$tmp/again" GIT_CONFIG_COUNT=1 \
		GIT_CONFIG_KEY_0=sendemail.smtpserver GIT_CONFIG_VALUE_0=localhost
	offline b4 --offline-mode send --no-sign -o "$tmp/again/eml"
	offline b4 --offline-mode send --no-sign --dry-run > "$tmp/again/dry" 2>&1
) > "$tmp/again/log" 2>&1 < /dev/null
for f in "$MAIL"/v1/*.eml; do
	constant "$f" > "$tmp/a"
	constant "$tmp/again/eml/${f##*/}" > "$tmp/b" 2>&1
	cmp -s "$tmp/a" "$tmp/b" || echo "${f##*/}"
done > "$tmp/differ"
is "$(cat "$tmp/differ")" '' 'b4 send -o makes the same mails'
is "$(sed -n 's/^    | Subject: *//p' "$tmp/again/dry" | grep -c PATCH)" "$((n + 1))" '... and b4 send --dry-run as many'

red='' looked=0
for f in "$MAIL"/v1/[0-9]*.eml; do
	case ${f##*/} in
	0000-*) continue ;;
	esac
	looked=$((looked + 1))
	ignore=$(awk -v p="$(basename -- "$f" .eml | sed 's/^[0-9]*-//')" '!/^#/ && NF > 2 {
		q = tolower($1); sub(/^[0-9]*-/, "", q); sub(/\.patch$/, "", q)
		# git cuts long names, b4 does not
		if (index(p, q) == 1) printf "%s%s", (n++ ? "," : ""), $2}' "$top/tools/checkpatch.expect")
	perl "$linux/scripts/checkpatch.pl" --root="$linux" --strict --color=never --show-types \
		${ignore:+--ignore "$ignore"} "$f" > "$tmp/cp" 2>&1 ||
		red="$red$(grep -E '^(ERROR|WARNING|CHECK)' "$tmp/cp" | sed "s|^|${f##*/}: |")
"
	grep -q '^total: 0 errors, 0 warnings, 0 checks, [0-9]* lines checked' "$tmp/cp" ||
		red="$red${f##*/}: $(grep '^total' "$tmp/cp")"
done
is "$red" '' "checkpatch.pl --strict with the sign-off: nothing, $n patches"
is "$looked" "$n" '... all of them were looked at'

# --- a miniature, on somebody's TREE ----------------------------------------------------

# shellcheck source=tools/t/kernel.sh
. "$top/tools/t/kernel.sh"
kernel_files="$kernel_files COPYING CREDITS Kbuild Kconfig MAINTAINERS README Documentation/Makefile
	arch/Kconfig drivers/Makefile fs/Makefile init/Makefile ipc/Makefile kernel/Makefile
	scripts/get_maintainer.pl scripts/checkpatch.pl"
mini_kernel
queue_env
export MAIL="$tmp/mini"
# shellcheck disable=SC2154 # kernel.sh
q=$SERIES_DIR lt=$BUILD/linux-tree
"$top/tools/tree" > /dev/null
three_patches
# A subject that has to be folded: Debian 12's b4 cannot read that back.
long='blk-mq: Explain the wait for a tag, in more words than one line can hold'
git -C "$lt" commit -q --amend -m "$long" -m "$(git -C "$lt" log -1 --format=%b)" -m 'Suggested-by: A Reviewer <ar@example.org>'
"$top/tools/refresh" > /dev/null
printf '%s\n' 'sbitmap: Three things' '' 'This is why.' '' '---' 'Changes since the RFC:' '- all of it' > "$q/cover-letter.txt"
was=$(sums "$kernel")
export SENDER='A. Sender <a.sender@example.org>'

fails_with 1 '^mail: who sends it\? .*make mail SENDER="Name <addr>"$' 'no SENDER: one line' env SENDER= "$mail"
is "$(env SENDER= "$mail" 2>&1 | wc -l)" 1 '... indeed'
for s in nobody 'A B' 'a@example.org' '<a@example.org>' 'A B <a@example>' 'A <a@example.org> <b@example.org>'; do
	fails_with 1 'is not of the form "Name <addr>"$' "SENDER=\"$s\"" env SENDER="$s" "$mail"
done
fails_with 1 'VERSION=0 is not a number' 'VERSION=0' env VERSION=0 "$mail"
fails_with 1 'VERSION=two is not a number' 'VERSION=two' env VERSION=two "$mail"
fails_with 1 'cover-letter.txt has no line "Changes in v2:"' 'a second version that does not say what changed' env VERSION=2 "$mail"
cp "$q/cover-letter.txt" "$tmp/letter"
printf '%s\n' 'subject' 'text' > "$q/cover-letter.txt"
fails_with 1 'cover-letter.txt has no empty line behind its subject' 'a cover letter without subject' "$mail"
printf '%s\n' 'subject' '' '# text' > "$q/cover-letter.txt"
fails_with 1 'cover-letter.txt line 3 begins with #' 'a line that b4 would drop' "$mail"
rm "$q/cover-letter.txt"
fails_with 1 'there is no .*cover-letter.txt' 'no cover letter' "$mail"
cp "$tmp/letter" "$q/cover-letter.txt"
is "$(ls "$MAIL" 2>/dev/null)" '' '... and nothing has been made'

fails_with 0 'v1.mbox: v1, 3 patches on [0-9a-f]{12} of ' 'on a TREE' offline env RFC=1 "$mail"
is "$(sums "$kernel")" "$was" '... which is as it was, .git and all'
is "$(grep '^base-commit: ' "$MAIL/v1.mbox")" "base-commit: $(git -C "$kernel" rev-parse HEAD)" '... its HEAD is the base-commit'
is "$(grep -c '^Subject: \[PATCH RFC [0-3]/3\]' "$MAIL/v1.mbox")" 4 '... RFC in every subject'
like "$(body "$MAIL"/v1/0000-*)" '^- all of it$' '... what is below the line in the cover letter is sent'
git -C "$MAIL/linux" log -1 --format=%B b4/sbitmap-numa | git interpret-trailers --parse > "$tmp/trailers"
is "$(cat "$tmp/trailers")" "Suggested-by: A Reviewer <ar@example.org>
Signed-off-by: $SENDER" '... a trailer is kept, and the sign-off comes behind it'
is "$(cd "$MAIL/linux" && HOME=$tmp b4 prep --show-revision 2>&1 | head -1)" v1 '... b4 knows the branch'
cp "$MAIL/v1.mbox" "$tmp/sent.mbox"
b4_am "$MAIL/v1.mbox" "$tmp/b4long" 'long subjects'
like "$(tr '\n' ' ' < "$tmp/am.mbx" | sed 's/  */ /g')" " Subject: [^:]*$long From: " '... as they are'

# Somebody works on the branch, then a patch changes.
git -C "$MAIL/linux" commit -q --allow-empty -m 'my work'
mine=$(git -C "$MAIL/linux" rev-parse HEAD)
git -C "$lt" reset -q --hard series~1
commit_patch 3 "$long" 's|^void blk_mq_put_tag(|/* put it back */\n&|' block/blk-mq-tag.c
"$top/tools/refresh" > /dev/null
printf '%s\n' 'sbitmap: Three things' '' 'This is why.' '' '---' 'Changes in v2:' '- another comment' '' 'Changes since the RFC:' '- all of it' > "$q/cover-letter.txt"
fails_with 0 'v2.mbox: v2, 3 patches' 'a second version' offline env VERSION=2 "$mail"
is "$(git -C "$MAIL/linux" rev-parse b4/before-1)" "$mine" "... somebody's work on the branch is kept"
c=$(body "$MAIL"/v2/0000-*)
like "$c" '^1: .* = 1: .*Find a word' '... with a range-diff: the same'
like "$c" '^3: .* ! 3: .*Explain the wait' '... and what has changed'
like "$c" '^     \++/\* put it back \*/$|^ *-?\+ *\+/\* put it back \*/$' '... to the line'
id=$(headers "$MAIL"/v1/0000-*.eml | sed -n 's/^Message-Id: <\(.*\)>/\1/p')
is "$(printf '%s\n' "$c" | sed -n '/^Changes in v2/,/^$/p')" "Changes in v2:
- another comment
- Link to v1: https://lore.kernel.org/r/$id" '... and the link, in its place'
is "$(sed -n 's/^change-id: //p' "$MAIL/v2.mbox")" "$(sed -n 's/^change-id: //p' "$MAIL/v1.mbox")" '... under the same change-id'
is "$(grep -c '^Subject: \[PATCH v2 [0-3]/3\]' "$MAIL/v2.mbox")" 4 '... v2 in every subject'
cmp -s "$MAIL/v1.mbox" "$tmp/sent.mbox"
ok $? '... and the first version is as it was'

# The same from the list's archive, without build/.
rm -rf "$MAIL"
fails_with 1 'there is no .*v1.mbox to compare v2 with; give what was sent: PREVIOUS=mbox' 'the first version is gone' env VERSION=2 "$mail"
fails_with 0 'v2.mbox: v2, 3 patches' '... and is given' offline env VERSION=2 PREVIOUS="$tmp/sent.mbox" "$mail"
is "$(body "$MAIL"/v2/0000-* | grep -cE "^3: .* ! 3: |lore.kernel.org/r/$id\$")" 2 '... which gives range-diff and link'
sed 's/^ void blk_mq_put_tag/ void put_a_tag/' "$tmp/sent.mbox" > "$tmp/odd.mbox"
rm -rf "$MAIL"
fails_with 1 'odd.mbox does not apply to [0-9a-f]* .patch 3: .*so there is no range-diff' 'a first version that does not fit' env VERSION=2 PREVIOUS="$tmp/odd.mbox" "$mail"
is "$(cd "$MAIL" && echo v*)" 'v*' '... and nothing half-made is left'

# A base on which a patch does not apply: which, where, and what a merge makes of it.
sed -i 's/^void blk_mq_put_tag(/void blk_mq_put_a_tag(/' "$kernel/block/blk-mq-tag.c"
git -C "$kernel" commit -q -a -m renamed
rm -rf "$BUILD/linux-tree"
fails_with 1 'patches/0003-.* does not apply to tree after 2 that do: block/blk-mq-tag.c hunk #1; a three-way merge conflicts in block/blk-mq-tag.c .1 places.; .*git -C .* am -3' \
	'a TREE on which a patch does not apply' "$mail"
git -C "$kernel" mv block/blk-mq-tag.c block/blk-mq-tags.c
git -C "$kernel" commit -q -m moved
rm -rf "$BUILD/linux-tree"
fails_with 1 'block/blk-mq-tag.c: No such file or directory; a three-way merge conflicts in block/blk-mq-tags.c .1 places.;' \
	'... or whose file has moved' "$mail"
done_testing
