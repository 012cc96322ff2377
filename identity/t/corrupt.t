#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch an objcmp that reads or writes out of bounds, or hangs, on a
# damaged object.
prog=corrupt.t
. "$(dirname -- "$0")/../../tools/lib.sh"
. "$top/tools/tap.sh"
scratch
. "$top/identity/t/common.sh"

harness=$build/identity/corrupt/corrupt
make -s -C "$top/identity" corrupt >"$tmp/log" 2>&1 || {
	diag "$(tail -5 "$tmp/log")"
	skip_all 'the sanitizers are not installed'
}
ASAN_OPTIONS=exitcode=97:detect_leaks=0:allocator_may_return_null=1
UBSAN_OPTIONS=halt_on_error=1:exitcode=96
export ASAN_OPTIONS UBSAN_OPTIONS
for t in x86-gcc arm64-gcc; do
	case "$targets" in *$t*) ;; *) continue ;; esac
	for f in masks layout; do
		build "$t" "$tmp/$f.o" <"$top/identity/t/$f.c" || continue
		for l in 0 1; do
			out=$("$harness" "$tmp/$f.o" "$tmp/damaged.o" \
				"${SEEDS:-10}" $l)
			ok $? "$t: damaged $f.o, level $l: no crash"
			diag "$out"
		done
	done
done
done_testing
