#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a text gate that sees nothing: a tool that did not run, a mistake
# in a patch that is passed, or one of the base that is held against a patch.
set -u
prog='gate-text.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
# shellcheck source=tools/t/kernel.sh
. "$top/tools/t/kernel.sh"
have spatch codespell python3 perl || skip_all 'tools are missing; run: make setup'
# What checkpatch.pl takes for a kernel tree, the tools, and two rules.
kernel_files="$kernel_files COPYING CREDITS Kbuild MAINTAINERS README Documentation/Kconfig
	arch/Kconfig drivers/Makefile fs/Makefile init/Makefile ipc/Makefile kernel/Makefile
	scripts/checkpatch.pl scripts/spelling.txt scripts/const_structs.checkpatch
	scripts/kernel-doc tools/docs/kernel-doc tools/lib/python
	scripts/coccinelle/misc/semicolon.cocci scripts/coccinelle/misc/boolconv.cocci"
mini_kernel
queue_env
export SBITMAP_CACHE="$tmp/cache" CHECKPATCH_EXPECT="$tmp/checkpatch.expect"
: > "$CHECKPATCH_EXPECT"
gate=$top/tools/gate-text
r=$BUILD/report

# The base has mistakes of its own.
cat >> "$kernel/lib/sbitmap.c" <<'C'

/**
 * old_one() - is here already
 * @none: is not there
 */
int old_one(int some)
{
	switch (some) {
	case 1:
		return 2;
	};
	return 0;
}
C
git -C "$kernel" commit -q -a -m 'mistakes'
"$top/tools/tree" > /dev/null
three_patches
fails_with 1 'do not hold the same; run: make tree' 'commits that were not exported: refused' "$gate"
"$top/tools/refresh" > /dev/null
fails_with 2 "no gate named 'foo'; there are: checkpatch" 'a gate that is not there' "$gate" foo
out=$("$gate" 2>&1)
is "$?" 0 'good patches pass'
diag "$out"
like "$(cat "$r/checkpatch.tsv")" '^ok.checkpatch.3 patches.*0 errors, 0 warnings, 0 checks, [1-9][0-9]* lines checked' 'checkpatch shows that it ran'
like "$(cat "$r/codespell.tsv")" '^ok.codespell.*[1-9][0-9]* lines read, a planted mistake found' 'codespell shows that it ran'
like "$(cat "$r/kernel-doc.tsv")" '^ok.kernel-doc.3 touched files.*[1-9][0-9]* comments read, .*a planted mistake found' 'kernel-doc shows that it ran'
like "$(cat "$r/coccicheck.tsv")" '^ok.coccicheck.3 touched files.*spatch [0-9.]+[^ ]*, 2 rules .*2 run now.* .1 that it has.; a planted mistake reported' 'coccicheck shows that it ran, and knows what the base has'
like "$(cat "$r/patch-size.tsv")" '^ok.patch-size.3 patches.0 lines of code added of 750, .*; 5 with comments' 'patch-size counts: comments are none'
"$gate" coccicheck > /dev/null
like "$(cat "$r/coccicheck.tsv")" '.0 run now, the rest from the cache' 'coccicheck runs nothing twice'

# One patch with a mistake for each.
(cd "$lt" && cat >> lib/sbitmap.c <<'C'

/**
 * new_one() - is new
 * @nought: is not there
 */
int new_one(int some)
{
	switch (some) {
	case 1:
        return 2;
	};
	return 0;
}
C
git commit -q -a -m 'sbitmap: Add one' -m 'We recieve it.')
"$top/tools/refresh" > /dev/null
out=$(PATCH_LINES=7 "$gate" 2>&1)
is $? 1 'a patch with mistakes: red'
like "$out" 'checkpatch: patches/0004-[^:]*: ERROR:CODE_INDENT: .*lib/sbitmap.c:' '... checkpatch names it, with type and place'
line=$(grep -n recieve "$SERIES_DIR/patches/0004"* | cut -d: -f1)
like "$out" "codespell: patches/0004-[^:]*: line $line: recieve ==> receive" '... codespell names it, with its line'
like "$out" "kernel-doc: lib/sbitmap.c: .*nought" '... kernel-doc names it'
is "$(printf '%s\n' "$out" | grep -c 'kernel-doc: .*\(old_one\|none\)')" 0 '... and not what the base has'
like "$out" 'coccicheck: lib/sbitmap.c: line [0-9]+: Unneeded semicolon .scripts/coccinelle/misc/semicolon.cocci' '... coccicheck names it, with its line'
is "$(printf '%s\n' "$out" | grep -c 'coccicheck: lib')" 1 '... and not what the base has'
like "$out" 'patch-size: patches/0004-.*adds 8 lines of code.*7 is the limit' '... patch-size names it'
like "$out" '^gate-text: red: checkpatch codespell kernel-doc coccicheck patch-size;' '... and all gates are named at the end'
like "$(cat "$r/coccicheck.tsv")" '^red.coccicheck.lib/sbitmap.c.line' 'the report has the verdict'
is "$(SERIES_LINES=7 "$gate" patch-size 2>&1 | grep -c 'series: adds 8 lines.* 7 is the limit')" 1 'a series that is too long: red'

# Known false alarms.
"$gate" checkpatch 2>&1 | sed -n 's/.*: \(ERROR\|WARNING\|CHECK\):\([A-Z_]*\):.*/0001-sbitmap-Add-one.patch \2 known/p' | sort -u > "$CHECKPATCH_EXPECT"
fails_with 0 'known false alarms' 'what is listed passes' "$gate" checkpatch
like "$(cat "$r/checkpatch.tsv")" '^note.checkpatch.*CODE_INDENT.*: known' '... and stands in the report with its reason'
echo 'sbitmap-Add-one.patch NO_SUCH known' >> "$CHECKPATCH_EXPECT"
fails_with 1 'is stale: checkpatch does not say NO_SUCH of sbitmap-Add-one' 'a line that is not needed: red' "$gate" checkpatch
: > "$CHECKPATCH_EXPECT"
echo recieve > "$tmp/ignore"
fails_with 0 'codespell:' 'a word that is listed passes' env CODESPELL_IGNORE="$tmp/ignore" "$gate" codespell
echo 'It will ocurr.' > "$SERIES_DIR/cover-letter.txt"
fails_with 1 'codespell: cover-letter.txt: line 1: ocurr ==> occur' 'the cover letter is read too' env CODESPELL_IGNORE="$tmp/ignore" "$gate" codespell

# Tools that do nothing and end well.
mkdir "$tmp/bin"
printf '#!/bin/sh\n[ "$1" != --version ] || echo "spatch version 1.1.1"\nexit 0\n' > "$tmp/bin/spatch"
cp "$tmp/bin/spatch" "$tmp/bin/codespell"
chmod +x "$tmp/bin"/*
fails_with 1 'does not report a planted mistake' 'a spatch that does nothing: red' env PATH="$tmp/bin:$PATH" "$gate" coccicheck
fails_with 1 'does not find a planted mistake' 'a codespell that does nothing: red' env PATH="$tmp/bin:$PATH" "$gate" codespell
echo 'exit 0;' > "$lt/scripts/checkpatch.pl"
fails_with 1 'checkpatch.pl did not end' 'a checkpatch.pl that does nothing: red' "$gate" checkpatch
rm "$lt/scripts/kernel-doc" && printf '#!/bin/sh\nexit 0\n' > "$lt/scripts/kernel-doc" && chmod +x "$lt/scripts/kernel-doc"
fails_with 1 'kernel-doc does not find a planted mistake' 'a kernel-doc that does nothing: red' "$gate" kernel-doc
done_testing
