# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sourced by tests in shell: TAP for prove(1).
# A test sets $prog, sources tools/lib.sh and this file, then calls ok, is,
# like, fails_with, skip_all and, at its end, done_testing.

tap_n=0
tap_bad=0

# ok STATUS NAME: STATUS is 0 for a pass
ok()
{
	tap_n=$((tap_n + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tap_n" "$2"
	else
		tap_bad=$((tap_bad + 1))
		printf 'not ok %d - %s\n' "$tap_n" "$2"
	fi
}

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# is GOT WANTED NAME
is()
{
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		diag "got:    $1"
		diag "wanted: $2"
	fi
}

# like TEXT PATTERN NAME: PATTERN is an extended regular expression
like()
{
	if printf '%s\n' "$1" | grep -Eq -- "$2"; then
		ok 0 "$3"
	else
		ok 1 "$3"
		diag "wanted: $2"
		diag "in:"
		diag "$1"
	fi
}

# fails_with STATUS PATTERN NAME COMMAND...: the command ends with STATUS (or
# with any failure if STATUS is "!") and its output matches PATTERN
fails_with()
{
	_want=$1 _pat=$2 _name=$3
	shift 3
	_out=$("$@" 2>&1)
	_rc=$?
	if [ "$_want" = '!' ]; then
		[ $_rc -ne 0 ]
	else
		[ $_rc -eq "$_want" ]
	fi
	_st=$?
	if [ $_st -eq 0 ] && printf '%s\n' "$_out" | grep -Eq -- "$_pat"; then
		ok 0 "$_name"
	else
		ok 1 "$_name"
		diag "exit $_rc (wanted $_want), wanted: $_pat, output:"
		diag "$_out"
	fi
}

skip_all()
{
	printf '1..0 # SKIP %s\n' "$*"
	exit 0
}

done_testing()
{
	printf '1..%d\n' "$tap_n"
	[ "$tap_bad" -eq 0 ]
}
