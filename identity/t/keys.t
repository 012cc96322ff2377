#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch an objcmp that takes a site of another key for ours, that does
# not see another key's site go, turn or change, that passes code which runs
# with the key off, or a key that is on by default.
prog=keys.t
. "$(dirname -- "$0")/../../tools/lib.sh"
. "$top/tools/tap.sh"
scratch
. "$top/identity/t/common.sh"
src=$top/identity/t/keys.c

for t in $targets x86-gcc-hack; do
	hack=
	case $t in
	*-hack)	hack=-DHACK ;;
	esac
	cc=${t%-hack}
	case "$targets" in *$cc*) ;; *) continue ;; esac
	# shellcheck disable=SC2086
	{
		base "$cc" $hack <"$src"
		for v in GAINED GAINED_LIKELY WRONG_KEY WRONG_WAY DEFAULT_ON \
			CODE_BEFORE OTHER_DROPPED OTHER_TURNED OTHER_ON \
			OTHER_CHANGED OTHER_TARGET BEHIND NEW_FUNCTION; do
			pair "$cc" $v $hack -D$v <"$src"
		done
	}
	compare_all
	verdict_seen GAINED get "$t: level 0: a gained site is seen"
	compare_all --level 1
	verdict_seen GAINED 'get.* our_key is new' \
		"$t: a gained site is seen without --key"
	compare_all --level 1 --key our_key
	verdict_same GAINED "$t: a gained site passes with --key"
	like "$(sed -n '/ GAINED.o/,/^[a-zA-Z-]* *GAINED_/p' "$tmp/out")" \
		'same code +get: 1 branch site, 1 reached' "$t: and is counted"
	like "$(sed -n '/ GAINED.o/,/^[a-zA-Z-]* *GAINED_/p' "$tmp/out")" \
		'(identical|same code) +moves' "$t: what only moved is the same"
	verdict_same NEW_FUNCTION "$t: a new function passes"
	like "$(cat "$tmp/out")" 'new function +brand_new: 1 branch site' \
		"$t: and is listed with its site"
	verdict_seen WRONG_KEY 'get.* third_key is new' "$t: a wrong key is seen"
	verdict_seen WRONG_WAY get "$t: code that runs with the key off is seen"
	verdict_seen DEFAULT_ON 'get.* on by default' "$t: a key that is on is seen"
	verdict_seen CODE_BEFORE get "$t: an instruction before the site is seen"
	for v in OTHER_DROPPED OTHER_TURNED OTHER_ON OTHER_CHANGED OTHER_TARGET; do
		verdict_seen $v other "$t: $v is seen"
	done
	verdict_seen BEHIND 'behind.*operands' "$t: what another key's site leads to is seen"
	# a site that is off as a jump: the other order of blocks is other code,
	# but the site as such is understood
	like "$(sed -n '/ GAINED_LIKELY.o/,/ WRONG_KEY.o/p' "$tmp/out")" \
		'get: 1 branch site, 1 reached' "$t: a likely site is passed through"
done

t=${targets# }
t=${t%% *}
base "$t" <"$src"
pair "$t" GAINED -DGAINED <"$src"
compare_all --level 1 --key our_key --require-identical 'mov*'
verdict_same GAINED '--require-identical holds for what moved'
compare_all --level 1 --key our_key --require-identical 'g?t'
verdict_seen GAINED 'get: the body is not identical' \
	'--require-identical is red for a function with a site'
wait
fails_with 1 'get.*our_key' '--key of another name does not help' \
	"$objcmp" --level 1 --key our_keys "$tmp/base.o" "$tmp/n/GAINED.o"
out=$("$objcmp" --level 1 --key our_key --side-by-side get \
	"$tmp/base.o" "$tmp/n/GAINED.o")
like "$out" '> +[0-9a-f]+ .*(numa|nop)' '--side-by-side shows what is new'
done_testing
