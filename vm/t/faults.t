#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: guest tests that do not see the fault that they are there for. Each of
# vm/faults is put into the kernel, and its test has to be red, for its reason.

prog=faults.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch

for fault in "$top"/vm/faults/*.patch; do
	name=$(basename -- "$fault" .patch)
	test=$(sed -n 's/^Caught-by: //p' "$fault")
	why=$(sed -n 's/^Says: //p' "$fault")
	if ! "$top/vm/kernel" plain "$fault" > "$tmp/out" 2>&1; then
		diag "$(cat "$tmp/out")"
		ok 1 "$name: its kernel is built"
		continue
	fi
	"$top/vm/run" -m "$fault" "$test" > "$tmp/out" 2>&1
	rc=$?
	[ $rc -eq 1 ]
	ok $? "$name: $(tail -n 1 "$tmp/out")"
	like "$(cat "$tmp/out")" "$why" "$name: because of that"
done
done_testing
