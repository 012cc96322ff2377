# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sourced by every script in this repository: where things are, how to fail,
# how to show progress. A script sets $prog before it sources this file.

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
while [ ! -f "$top/tools/lib.sh" ] && [ "$top" != / ]; do top=$(dirname -- "$top"); done

build=${BUILD:-$top/build}
# What is expensive and named by its content is shared between clones.
cache=${SBITMAP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sbitmap-numa}
base=${BASE:-7.3}
if [ -n "${TREE:-}" ]; then
	base=tree
fi
# The kernel git tree that is worked on: branch "series", tag "base".
linux=$build/linux-$base

# die MESSAGE...: one line, what failed, where, what to do next
die()
{
	printf '%s: %s\n' "${prog:-$(basename -- "$0")}" "$*" >&2
	exit 1
}

# usage MESSAGE...: the caller's words are off
usage()
{
	printf '%s: %s\n' "${prog:-$(basename -- "$0")}" "$*" >&2
	exit 2
}

# say MESSAGE...: a line of progress
say()
{
	printf '%s: %s\n' "${prog:-$(basename -- "$0")}" "$*"
}

# have COMMAND...: all of them are on the PATH
have()
{
	for _c in "$@"; do
		command -v "$_c" >/dev/null 2>&1 || return 1
	done
}

# need COMMAND...: or say how to get them
need()
{
	for _c in "$@"; do
		command -v "$_c" >/dev/null 2>&1 ||
			die "$_c is not installed; run: make setup"
	done
}

now()
{
	date +%s
}

# scratch: prints a private folder that goes away on every exit. The caller
# must be the main shell: scratch; ... "$tmp"
scratch()
{
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/sbitmap-numa.XXXXXX") ||
		die "no temporary folder below ${TMPDIR:-/tmp}; set TMPDIR"
	trap 'rm -rf -- "$tmp"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}
