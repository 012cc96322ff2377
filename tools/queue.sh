# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sourced after lib.sh by the scripts that handle the patch queue: where it
# lies, how git is called, how patches are exported and applied.
#
#   SERIES_DIR   the folder with series, patches/ and the views (default: top)
#   SERIES_BASE  the base that patches/ is exported from (default: 7.3)

# shellcheck disable=SC2154 # set by lib.sh, like linux, base, top and tmp below
queue=${SERIES_DIR:-$top}
patches=$queue/patches
series=$queue/series
lib_view=$queue/lib-sbitmap-diffs
include_view=$queue/include-diffs
home_base=${SERIES_BASE:-7.3}

# What git writes must not depend on who calls it: no settings of the machine
# or the user, no repository handed down from a hook.
# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars) GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL \
	GIT_AUTHOR_DATE GIT_COMMITTER_DATE GIT_EXTERNAL_DIFF GIT_DIFF_OPTS
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null LC_ALL=C
export GIT_COMMITTER_NAME='sbitmap NUMA developers'
export GIT_COMMITTER_EMAIL='sbitmap-numa@example.org'
export GIT_MERGE_AUTOEDIT=no GIT_EDITOR=true

# A path as the reader would type it from the top.
short()
{
	printf '%s' "${1#"$top"/}"
}

# series_names FILE: the patches it lists, in order
series_names()
{
	[ ! -f "$1" ] || sed -e 's/\r$//' -e 's/^#.*//' -e 's/[[:space:]]#.*//' "$1" | awk 'NF {print $1}'
}

# queue_state: a line "sha256 name" for each patch in the order of series, then
# "sha256 !name" for each file in patches/ that series does not list.
queue_state()
{
	series_names "$series" > "$tmp/names"
	# In one go: sha256sum of all, brought in the order of series.
	(cd "$patches" 2>/dev/null && for _f in *.patch; do
		[ ! -f "$_f" ] || printf '%s\0' "$_f"
	done | xargs -0 -r sha256sum --) | awk -v names="$tmp/names" '
		{ s[substr($0, 67)] = $1; o[++n] = substr($0, 67) }
		END {
			while ((getline f < names) > 0) {
				if (f in s) print s[f], f; else print "missing", f
				listed[f] = 1
			}
			for (i = 1; i <= n; i++) if (!(o[i] in listed)) print s[o[i]], "!" o[i]
		}'
}

# The state that was last imported or exported, "" if none.
recorded_state()
{
	git -C "$linux" rev-parse -q --verify refs/sbitmap/exported > /dev/null || return 0
	git -C "$linux" cat-file blob refs/sbitmap/queue 2>/dev/null || true
}

exported_tip()
{
	git -C "$linux" rev-parse -q --verify refs/sbitmap/exported 2>/dev/null ||
		git -C "$linux" rev-parse base^0
}

# record TIP STATE: the tree and patches/ hold the same from now on
record()
{
	_blob=$(printf '%s\n' "$2" | git -C "$linux" hash-object -w --stdin) &&
		printf 'update refs/sbitmap/exported %s\nupdate refs/sbitmap/queue %s\n' "$1" "$_blob" |
		git -C "$linux" update-ref --stdin ||
		die "$(short "$linux")/.git cannot be written"
}

# changed_patches OLD NEW: names that differ between two states, on a line
changed_patches()
{
	printf '%s\n' "$1" | sed '/^$/d' > "$tmp/state.a"
	printf '%s\n' "$2" | sed '/^$/d' > "$tmp/state.b"
	_l=$(diff "$tmp/state.a" "$tmp/state.b" | sed -n 's/^[<>] [^ ]* !*//p' |
		awk '!s[$0]++ {n++; if (n <= 3) printf "%s%s", (n > 1 ? ", " : ""), $0}
		     END {if (n > 3) printf " and %d more", n - 3}')
	printf '%s' "${_l:-the order in series}"
}

# tree_must_be_quiet: on branch series, nothing under way, nothing uncommitted
tree_must_be_quiet()
{
	_t=$(short "$linux")
	_g=$(git -C "$linux" rev-parse --absolute-git-dir 2>/dev/null) ||
		die "$_t is not a git tree; remove it and run: make tree"
	if [ -d "$_g/rebase-apply" ] || [ -d "$_g/rebase-merge" ]; then
		die "a rebase or git am is under way in $_t; finish or abort it there first"
	fi
	[ ! -f "$_g/MERGE_HEAD" ] && [ ! -f "$_g/CHERRY_PICK_HEAD" ] ||
		die "a merge or cherry-pick is under way in $_t; finish or abort it there first"
	_b=$(git -C "$linux" symbolic-ref -q --short HEAD || echo "no branch")
	[ "$_b" = series ] ||
		die "$_t is on $_b; run: git -C $_t checkout series"
	# The cache would not see a file that went in the same tick of the clock.
	_d=$(git -C "$linux" -c core.untrackedCache=false status --porcelain | head -1)
	[ -z "$_d" ] ||
		die "$_t has uncommitted changes (${_d#???}); commit them there or drop them, then run this again"
}

# One run at a time on one kernel tree.
lock_tree()
{
	exec 9> "$linux/.git/sbitmap.lock" || die "$(short "$linux")/.git cannot be written"
	flock -w 120 9 || die "another run works on $(short "$linux"); try again when it has ended"
}

# touched_paths PATCH...: the files that they change
touched_paths()
{
	[ $# -eq 0 ] || sed -n 's|^diff --git a/.* b/\(.*\)$|\1|p' "$@" | tr -d '\r' | sort -u
}

# export_patches REPO RANGE DIR: as patches/ holds them. Every setting that
# changes a byte is named.
export_patches()
{
	# shellcheck disable=SC2154
	git -C "$1" \
		-c diff.noprefix=false -c diff.mnemonicPrefix=false -c diff.context=3 \
		-c core.quotePath=true \
		format-patch -q --no-numbered --no-cover-letter --zero-commit \
		--no-signature --diff-algorithm=myers --full-index --no-renames \
		--no-base --no-thread --no-attach --no-notes --no-signoff \
		--no-ext-diff --no-textconv --no-color-moved --stat=72 --summary \
		--src-prefix=a/ --dst-prefix=b/ --unified=3 --inter-hunk-context=0 \
		--indent-heuristic --start-number=1 --filename-max-length=64 \
		--suffix=.patch --subject-prefix=PATCH --encode-email-headers \
		-o "$3" "$2" > /dev/null
}

# am_options: one way to apply, whoever calls
am_git()
{
	git -C "$1" -c am.threeWay=false -c am.keepcr=false -c core.hooksPath=/dev/null \
		am -q --committer-date-is-author-date --no-gpg-sign --no-scissors \
		--no-signoff --whitespace=nowarn "$2" -- "$3"
}

# why_not REPO PATCH: in REPO, which stands where PATCH failed: the file and hunk
why_not()
{
	git -C "$1" reset -q --hard
	git -C "$1" apply --reject --verbose -- "$2" > "$tmp/why" 2>&1 || true
	git -C "$1" clean -q -f -x -- '*.rej' 2>/dev/null || true
	_w=$(awk '
		/^Applying patch .* with [0-9]+ reject/ { f = $3 }
		/^Rejected hunk #/ { h = $3; sub(/\.$/, "", h)
			if (f == at) out = out " " h; else add(f " hunk " h)
			at = f }
		/^error: .*: (No such file or directory|already exists in)/ {
			sub(/^error: /, ""); sub(/ in working directory$/, ""); add($0) }
		/^error: (corrupt|git diff header|patch fragment|No valid)/ { sub(/^error: /, ""); add($0) }
		function add(s) { if (!seen[s]++) out = out (out ? ", " : "") s }
		END { print out }' "$tmp/why")
	if [ -n "$_w" ] && git -C "$1" apply --check --ignore-whitespace -- "$2" 2>/dev/null; then
		_w="$_w (white space only)"
	fi
	git -C "$1" reset -q --hard
	printf '%s' "${_w:-$(sed -n 's/^\(error\|fatal\): //p' "$tmp/why" | head -1 || true)}"
}

# three_way REPO PATCH: where PATCH failed: what a merge makes of it
three_way()
{
	git -C "$1" reset -q --hard
	if am_git "$1" --3way "$2" > "$tmp/three" 2>&1; then
		git -C "$1" reset -q --hard HEAD^
		printf 'a three-way merge takes it'
		return
	fi
	_w=$(git -C "$1" diff --name-only --diff-filter=U | while read -r _f; do
		if [ -f "$1/$_f" ]; then
			printf '%s (%s places)\n' "$_f" "$(grep -c '^<<<<<<< ' "$1/$_f")"
		else
			printf '%s (gone there)\n' "$_f"
		fi
	done | sort -u | awk '{printf "%s%s", (NR > 1 ? ", " : ""), $0}')
	git -C "$1" am -q --quit > /dev/null 2>&1 || true
	git -C "$1" reset -q --hard
	if [ -n "$_w" ]; then
		printf 'a three-way merge conflicts in %s' "$_w"
	elif grep -q 'does not exist in index\|lacks necessary blobs' "$tmp/three"; then
		printf 'a three-way merge is not possible: what it was made from is not there'
	else
		printf 'a three-way merge fails too'
	fi
}

# make_views PATCHES LIB INCLUDE NAME...: write the views of these patches
make_views()
{
	_from=$1 _lib=$2 _inc=$3
	shift 3
	mkdir -p "$_lib" "$_inc" || return 1
	for _n in "$@"; do
		one_view "$_from/$_n" lib "$_lib/${_n%.patch}.diff" &&
			one_view "$_from/$_n" include "$_inc/${_n%.patch}.diff" ||
			return 1
	done
}

one_view() # PATCH FOLDER OUT
{
	grep -q "^diff --git a/$2/" "$1" || return 0
	{
		printf '# Generated by "make refresh" from patches/%s: its part under %s/.\n' "${1##*/}" "$2"
		printf '# Do not edit: change the patch.\n'
		filterdiff -p1 --include="$2/*" -- "$1"
	} > "$3"
}
