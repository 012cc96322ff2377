#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: mistakes in our scripts that a shell finds only when it gets
# there: words that split, variables that are not set, bashisms under sh.
set -u
prog='shellcheck.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
have shellcheck || skip_all 'shellcheck is not installed; run: make setup'
git -C "$top" rev-parse -q --verify HEAD > /dev/null 2>&1 || skip_all 'not a git checkout'
scratch
cd "$top" || exit 1
# SC2015: "a && b || die" is our way to fail, and die excludes what it warns of.
# SC2016: quoted dollars are for awk, sed and apt. SC2017, SC2100: arithmetic
# that is none (prog=some-name), or is meant so.
off=SC2015,SC2016,SC2017,SC2100
# In a file that is sourced, variables come from the other and go there.
off_sourced=$off,SC2034,SC2154
printf '#!/bin/sh\n[[ $1 == a ]] && rm $2\n' > "$tmp/wrong"
shellcheck -e "$off" "$tmp/wrong" > /dev/null 2>&1
[ $? -eq 1 ]
ok $? 'a script with mistakes is found out'

git ls-files > "$tmp/files"
: > "$tmp/scripts"
while read -r f; do
	[ -f "$f" ] || continue
	case $f in
	*.sh) echo "$f" ;;
	*) head -c 100 -- "$f" | sed -n '1{/^#! *[^ ]*\/\(env \)\{0,1\}\(ba\|da\)\{0,1\}sh/p;}' | tr -d '\0' | grep -q . && echo "$f" ;;
	esac >> "$tmp/scripts"
done < "$tmp/files"
# Some at a time, on every core.
: > "$tmp/err"
check() # CODES: the scripts whose names come in
{
	xargs -r -P "$(nproc)" -n 6 shellcheck -f gcc -x -P SCRIPTDIR -P "$top" -e "$1" \
		>> "$tmp/said" 2>> "$tmp/err"
}
: > "$tmp/said"
grep '\.sh$' "$tmp/scripts" | check "$off_sourced"
grep -v '\.sh$' "$tmp/scripts" | check "$off"
is "$(cat "$tmp/err")" '' 'shellcheck ran'
while read -r f; do
	out=$(awk -v f="$f:" 'index($0, f) == 1' "$tmp/said")
	[ -z "$out" ]
	ok $? "$f"
	[ -z "$out" ] || diag "$out"
done < "$tmp/scripts"
done_testing
