#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a printed schedule that another process cannot replay, or bad
# input that is taken, crashes, or ends with another status than 2.
prog=explore-replay.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=../../tools/tap.sh
. "$top/tools/tap.sh"

run=$top/harness/explore/run
out=$("$run" t-toys)
s=$(printf '%s\n' "$out" | sed -n 's/^# replay: --replay //p' | head -n 1)
like "$s" '^sc/[0-9*,]+$' 'a failure prints a schedule'
a=$("$run" t-toys --replay "$s")
ok $? 'it replays in a new process'
like "$a" 'sleeps for ever .*thread 0' 'and fails in the same way'
like "$a" 'READ_ONCE .*t-toys.c:[0-9]+ waiter_bad' 'with places in the source'
is "$("$run" t-toys --replay "$s")" "$a" 'twice the same'
like "$("$run" t-toys --replay sc/1)" 'this schedule passes' \
	'a string that ends early goes on in order'

for bad in '' x sc sc/ab sc/0,,1 sc/0*0 sc/0* sc/99999 tso/0=a 'sc/0 1' \
	sc/random.zz sc/5 sc/0=1 sc/0*1000; do
	err=$("$run" t-toys --replay "$bad" 2>&1 >/dev/null)
	rc=$?
	is "$rc $(printf '%s\n' "$err" | wc -l)" '2 1' \
		"'$bad' is refused with one line"
done
fails_with 2 'no number' 'a seed that is none' "$run" t-toys --seed 12x
fails_with 2 'not known' 'a memory that is none' "$run" t-toys --memory weak
fails_with 2 'not an option' 'an option that is none' "$run" t-toys --what
fails_with 1 'make -C harness' 'a program that is not built' "$run" t-none
done_testing
