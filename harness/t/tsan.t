#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a data race that is not in tsan-known.txt with a reason; with
# real threads also a bit with two owners, a bit beyond the depth, a waiter
# that sleeps for ever, bits lost.
prog=tsan.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"
h=$top/harness
scratch

sed -n 's/^\([^#|]*[^ |]\) | .*/\1/p' "$h/tsan-known.txt" | LC_ALL=C sort >"$tmp/known"
is "$(grep -v '^#' "$h/tsan-known.txt" | grep -cv '^[^|]* | \(marked\|half\|plain\) | [^|]*$')" \
	0 'every known race says how it is marked and why it stands'

for tree in ${HARNESS_TREES:-base patched numa}; do
	HARNESS_TREES=$tree
	TSAN_OPTIONS="log_path=$tmp/$tree exitcode=0 history_size=7 suppress_equal_addresses=0"
	export HARNESS_TREES TSAN_OPTIONS
	"$h/run-test" tsan/test-threads >"$tmp/out" 2>&1
	rc=$?
	ok $rc "$tree: threads get, clear, wait, resize, look"
	[ $rc -eq 0 ] || diag "$(cat "$tmp/out")"
	ls "$tmp/$tree".* >/dev/null 2>&1 || : >"$tmp/$tree.none"
	"$h/tsan-list" "$tmp/$tree".* >"$tmp/seen"
	LC_ALL=C comm -13 "$tmp/known" "$tmp/seen" >"$tmp/new"
	[ ! -s "$tmp/new" ]
	ok $? "$tree: no unknown race"
	[ ! -s "$tmp/new" ] || diag "$(cat "$tmp/new")"
	n=$(LC_ALL=C comm -12 "$tmp/known" "$tmp/seen" | wc -l)
	[ "$n" -ge 10 ]
	ok $? "$tree: $n known races seen: the tool looks"
done
done_testing
