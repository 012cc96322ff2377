#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a README that names a target which is not there, leaves one out,
# or points to a file that does not exist; a picture that is not what draws it.
set -u
prog=docs.t
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
cd "$top" || exit 1

make -s help 2>/dev/null | sed -n 's/^  make \([^ ]*\)  *\(.*\)$/| `make \1` | \2 |/p' > "$tmp/help"
sed -n '/^## All targets/,/^## [^A]/p' README.md | grep '^| `' > "$tmp/readme"
[ -s "$tmp/help" ] && cmp -s "$tmp/help" "$tmp/readme"
ok $? "README.md lists the targets of make help, in its words ($(grep -c . "$tmp/help"))"
diff "$tmp/help" "$tmp/readme" | grep '^[<>]' | sed 's/^</# make help:/; s/^>/# README.md: /'

# Targets that are explained are listed too.
sed -n 's/^\([a-z-]*\):.*##.*/\1/p' Makefile | sort > "$tmp/explained"
sed -n 's/^| `make \([a-z-]*\)`.*/\1/p' "$tmp/readme" | sort > "$tmp/listed"
is "$(comm -3 "$tmp/explained" "$tmp/listed")" '' '... all of them'
# ... and what is named anywhere is a target.
for d in README.md docs/*.md; do
	grep -o '`make [a-z][a-z-]*[` ]' "$d" | sed 's/`make //; s/.$//' | sort -u | while read -r t; do
		[ -z "$t" ] || grep -q "^$t:" Makefile || echo "$d: make $t"
	done
done > "$tmp/unknown"
is "$(cat "$tmp/unknown")" '' 'no document names a target that is not there'

# Paths in backticks or links, of folders that are in the repository.
for d in README.md docs/*.md; do
	{
		grep -o '`[a-z.-]*/[^` ]*`' "$d" | tr -d '`'
		grep -o '](\([^):]*\))' "$d" | sed 's/](\(.*\))/\1/'
	} | sed 's/#.*//; s/[.,;:]$//' | sort -u | while read -r p; do
		case $p in
		docs/* | tools/* | harness/* | vm/* | identity/* | test-configs/* | patches/* | *.svg) ;;
		*) continue ;;
		esac
		# shellcheck disable=SC2086 # a pattern is one too
		ls -d $p > /dev/null 2>&1 || ls -d docs/$p > /dev/null 2>&1 || echo "$d: $p"
	done
done > "$tmp/gone"
is "$(cat "$tmp/gone")" '' 'every file that a document names is there'

# docs/testing.md has every kept fault in the row that the fault names.
for p in harness/faults/*.patch; do
	n=${p##*/} n=${n%%-*}
	sed -n "s/^| \([^|]*[ ,]\)\{0,1\}$(sed -n 's/^Row: //p' "$p")[ ,].*|\([^|]*\)|\$/\2/p" docs/testing.md |
		grep -qE "(^|[^0-9a-z])$n([^0-9a-z]|\$)" || echo "$p"
done > "$tmp/unnamed"
is "$(cat "$tmp/unnamed")" '' 'docs/testing.md names each kept fault in its row'

tools/layout-svg > "$tmp/layout.svg"
cmp -s "$tmp/layout.svg" docs/layout.svg
ok $? 'docs/layout.svg is what tools/layout-svg draws'
fails_with 2 'layout-svg: .0. is not a number' 'a machine of no nodes is not drawn' tools/layout-svg 0 1 1 1
done_testing
