#!/bin/sh
# shellcheck disable=SC2238,SC2010 # objcmp is a path here; names of our own
# SPDX-License-Identifier: GPL-2.0-only
# Would catch an objcmp that passes with fewer objects than expected, takes bad
# input for a verdict, lets a difference through that no exception lists, or an
# exception stand that nothing needs.
prog=cli.t
. "$(dirname -- "$0")/../../tools/lib.sh"
. "$top/tools/tap.sh"
scratch
. "$top/identity/t/common.sh"
cd "$tmp" || exit 1
t=${targets# }
t=${t%% *}

mkdir -p b/lib n/lib
echo 'int ext(int); int one(int x) { return ext(x) + 3; }' >a.c
echo 'int ext(int); int one(int x) { return ext(x) + 4; }' >d.c
build "$t" b/lib/same.o <a.c
cp b/lib/same.o n/lib/same.o
cp b/lib/same.o b/lib/diff.o
build "$t" n/lib/diff.o <d.c
cp b/lib/same.o b/lib/gone.o
printf 'lib/same.o\n' >same.list
printf 'lib/same.o\nlib/diff.o\n' >diff.list
printf 'lib/same.o\nlib/gone.o\n' >gone.list
printf 'lib/same.o\nlib/never.o\n' >never.list
: >empty.list

same 'one object that is the same' --expect same.list b n
seen 'one that differs is named, with its function' \
	'differs lib/diff.o: .text: one' --expect diff.list b n
seen 'one that is missing in NEW' 'MISSING +lib/gone.o' --expect gone.list b n
seen 'fewer than expected' 'only 1 of 2 expected' --expect gone.list b n
seen 'one that is missing in both' 'MISSING +lib/never.o' --expect never.list b n
fails_with 2 'names no objects' 'an empty list proves nothing' \
	"$objcmp" --expect empty.list b n

# bad input: status 2 and one line
one_line()
{
	_n=$1 _p=$2
	shift 2
	fails_with 2 "$_p" "$_n" "$@"
	is "$("$@" 2>&1 >/dev/null | wc -l)" 1 "$_n: one line"
}
head -c 200 b/lib/same.o >cut.o
head -c 700 b/lib/same.o >cut2.o
echo text >text.o
: >nothing.o
one_line 'a truncated object' '^objcmp: cut.o: ' "$objcmp" b/lib/same.o cut.o
one_line 'another one' '^objcmp: cut2.o: ' "$objcmp" cut2.o b/lib/same.o
one_line 'no ELF' '^objcmp: text.o: not an ELF' "$objcmp" b/lib/same.o text.o
one_line 'an empty file' '^objcmp: nothing.o: ' "$objcmp" nothing.o b/lib/same.o
one_line 'no file' '^objcmp: no.o: cannot be opened' "$objcmp" no.o b/lib/same.o
one_line 'a program' 'not a relocatable' "$objcmp" "$objcmp" b/lib/same.o
one_line 'no argument' 'wants a base' "$objcmp"
one_line 'an unknown option' '--frob is not an option' "$objcmp" --frob a b
one_line 'an option without its value' '--json wants' "$objcmp" a b --json
one_line 'another level' '--level wants 0 or 1' "$objcmp" --level 2 a b
one_line '--key at level 0' 'are for --level 1' "$objcmp" --key k a b
if build i386-gcc i386.o <a.c >/dev/null; then
	one_line 'another machine' 'different machines' "$objcmp" b/lib/same.o i386.o
	one_line 'level 1 of i386' 'level 1 knows x86-64 and arm64 only' \
		"$objcmp" --level 1 i386.o i386.o
fi
like "$("$objcmp" --help)" 'Exit status' '--help'
like "$("$objcmp" --version)" '^objcmp [0-9]' '--version'

# exceptions
echo 'x86-* lib/diff.o one a reason' >ex
same 'a listed difference' --config x86-numa --except ex --expect diff.list b n
like "$("$objcmp" --config x86-numa --except ex --expect diff.list b n)" \
	'1 exceptions listed, 1 differences excepted, 0 stale' 'totals are printed'
seen 'listed for another configuration' 'DOES NOT HOLD' \
	--config arm64 --except ex --expect diff.list b n
echo 'x86-* lib/diff.o two a reason' >ex2
seen 'listed for another function' 'differs lib/diff.o' \
	--config x86-numa --except ex2 --expect diff.list b n
echo 'x86-* lib/same.o one a reason' >>ex
seen 'a stale exception' 'stale exception, line 2: x86-. lib/same.o one' \
	--config x86-numa --except ex --expect diff.list b n
printf '# comment\n\nx86-* lib/diff.o one\n' >ex3
one_line 'an exception without a reason' 'ex3:3: wants CONFIG OBJECT' \
	"$objcmp" --except ex3 --expect diff.list b n
same '--except-used leaves staleness to the end' --config x86-numa --except ex \
	--except-used used --expect diff.list b n
fails_with 1 'stale exception, line 2' '--except-stale over all runs' \
	"$objcmp" --except-stale ex used
echo '2 used' >used2
fails_with 0 '2 needed, 0 stale' '--except-stale: another run needed it' \
	"$objcmp" --except-stale ex used used2
echo 'ppc* lib/diff.o one a reason' >>ex
fails_with 0 'not met, line 3' '--except-stale names what no run met' \
	"$objcmp" --except-stale ex used used2

# JSON
"$objcmp" --quiet --config "$(printf 'a"b\\c')" --json j --expect gone.list b n \
	>/dev/null 2>&1
is $? 1 '--json keeps the status'
if have python3; then
	is "$(python3 -c '
import json
d = json.load(open("j"))
print(d["config"], d["expected"], d["compared"], d["missing"], d["holds"],
      [o["verdict"] for o in d["objects"]])')" \
		"a\"b\\c 2 1 1 False ['identical', 'MISSING']" 'JSON says the same'
	"$objcmp" --json - --expect diff.list b n 2>/dev/null |
		python3 -c '
import json, sys
d = json.load(sys.stdin)["objects"][1]["differences"][0]
print(d["function"], d["section"])' >out
	is "$(cat out)" 'one .text' 'JSON on standard output, alone'
fi
is "$(ls "${TMPDIR:-/tmp}" | grep -c objcmp)" 0 'no temporary files'
done_testing
