#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a path of the machine this was made on, or the name of the mirror
# it is served by, in a file or in a commit message.
set -u
prog='hygiene.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
git -C "$top" rev-parse -q --verify HEAD > /dev/null 2>&1 || skip_all 'not a git checkout'
scratch
cd "$top" || exit 1

# Words that must not be there, one a line.
{
	printf '%s/\n%s\n' "$HOME" "$top"
	# What lies beside the checkout is as private as the checkout.
	dirname -- "$top" | grep '[^/]' | sed 's|$|/|'
	printf '%s\n' "${cache:?}"
	! have apt-get || apt-get indextargets --format '$(SITE)' 2>/dev/null |
		sed 's|^[a-z+]*://||; s|[/:].*||; s|.*@||'
} | grep '..' | sort -u > "$tmp/words"
# A path begins there: that of another folder may end alike.
grep '^/' "$tmp/words" | sed 's|[].[^$*\\]|\\&|g; s|^|(^\|[^A-Za-z0-9_.~/-])|' > "$tmp/paths"
grep -v '^/' "$tmp/words" | sed 's|[].[^$*\\]|\\&|g' > "$tmp/hosts"
cat "$tmp/paths" "$tmp/hosts" > "$tmp/patterns"

printf 'see %s/README, please\n' "$top" > "$tmp/planted"
grep -Eq -f "$tmp/patterns" "$tmp/planted"
ok $? 'a path of this machine is found out'
if [ -s "$tmp/hosts" ]; then
	printf 'deb http://%s/debian sid main\n' "$(sed -n 's/\\//g;1p' "$tmp/hosts")" > "$tmp/planted"
	grep -Eq -f "$tmp/patterns" "$tmp/planted"
	ok $? 'the name of a mirror is found out'
fi
printf 'build%s x\n' "$(head -1 "$tmp/words")" > "$tmp/planted"
! grep -Eq -f "$tmp/paths" "$tmp/planted"
ok $? 'a path that ends alike is not'

# Every file that git knows or would take, text or not.
git ls-files -z --cached --others --exclude-standard > "$tmp/files"
# shellcheck disable=SC2016
found=$(xargs -0 -a "$tmp/files" sh -c 'for f do [ ! -f "$f" ] || printf "%s\0" "$f"; done' sh |
	xargs -0 grep -aEn -f "$tmp/patterns" -- /dev/null | cut -c1-200)
is "$found" '' "no file names one ($(tr '\0' '\n' < "$tmp/files" | grep -c .) files)"
git log --format='%h %an %ae %cn %ce %s %b' | grep -aEn -f "$tmp/patterns" > "$tmp/log"
is "$(cut -c1-200 "$tmp/log")" '' "no commit does ($(git rev-list --count HEAD) commits)"
done_testing
