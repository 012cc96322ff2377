#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a matrix of guests that shows verdicts about another series, or an
# older one where there is a newer; that hides a failure; that takes what was not
# run for good.

prog=all.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch

row() # TREE MODE KERNEL TOPOLOGY TEST SECONDS VERDICT
{
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"
}
{
	row tree mode kernel topology test seconds verdict
	row new numa plain 4x2 boot 11 'FAIL: 3 checks: no device'
	row new numa plain 4x2 boot 12 'PASS: 4 checks'
	row new numa plain far kunit 13 'PASS: 2 checks'
	row new numa debug 4x2 scsi 14 'PASS: 7 checks'
	row new numa debug 4x2 scsi 15 'FAIL: 6 checks: line 5: KASAN: bad'
	row old numa rt 4x2 scsi 16 'PASS: 7 checks'
	row new default ubsan 4x2 scsi 17 'PASS: 7 checks'
} > "$tmp/tsv"
out=$("$top/vm/all" -r -f "$tmp/tsv" -x new)
like "$out" '^\| 4x2 \| pass 12 s \| not run \| not run \|$' 'the last verdict counts'
like "$out" '^\| far \| not run \| pass 13 s \| not run \|$' 'what was not run says so'
like "$out" '^\| kdump \| not run \| not run \|  \|$' 'what is not to be run has no word'
like "$out" '^\| scsi \| not run \| \*\*FAIL\*\* 15 s \| not run \| not run \| not run \|$' 'a failure is seen, other series and modes are not'
like "$out" '^- debug, 4x2, scsi: FAIL: 6 checks: line 5: KASAN: bad$' 'with its reason'
like "$out" ' 3 of [0-9]+ cells were run, 1 of these runs failed' 'how many'
like "$("$top/vm/all" -n -k plain -T kdump)" '^plain kdump boot' 'jobs of one topology'
is "$("$top/vm/all" -n -k debug -t scsi | tr '\n' ' ')" 'debug 4x2 scsi ' 'jobs of one test and kernel'
done_testing
