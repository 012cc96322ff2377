#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a mutant generator that leaves out kinds or lines, mutates what is
# not code, or moves lines.

prog=mutants.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
gcc -O1 -Wall -Wextra -Werror -o "$tmp/mutants" "$top/tools/mutants.c"
ok $? 'it compiles'

cat >"$tmp/a.c" <<'EOF'
#define ONE (1 < 2)
struct s {
	int a[3];	/* a = 1; */
};
static int global = 5;
static int f(int a,
	     int b)
{
	/* if (a < 1) return; */
	const char *s = "x = 1;";
	unsigned int i, sum = 0;

	if (a >= b &&
	    a != 7)
		return -EINVAL;
	for (i = 0; i < 10; i++)
		sum += a ? 2 : b;
	while (sum)
		g(&sum);
out:
	h();
	return true;
}
EOF
list=$("$tmp/mutants" list "$tmp/a.c" | cut -f 2,3,5- | tr '\t' '|')
has()
{
	like "$list" "^$1\$" "$2"
}
like "$("$tmp/mutants" list "$tmp/a.c" | cut -f 4 | sort -u)" '^f$' 'the name of the function'
has 'cmp\|13\|>=\|>' 'a comparison'
has 'cmp\|14\|!=\|==' 'an equality'
has 'cmp\|16\|<\|<=' 'the border of a loop'
has 'off\|17\|a \? 2 : b\|\(a \? 2 : b\) \+ 1' 'an assignment, off by one'
has 'off\|22\|true\|\(true\) \+ 1' 'a return, off by one'
has 'drop\|15\|return -EINVAL\|' 'a dropped return'
has 'drop\|17\|sum \+= a \? 2 : b\|' 'a dropped body of a loop'
has 'drop\|19\|g\(&sum\)\|' 'a dropped call'
has 'drop\|21\|h\(\)\|' 'a dropped statement after a label'
has 'const\|14\|7\|8' 'a constant'
has 'const\|15\|EINVAL\|ENOMEM' 'an error'
has 'const\|22\|true\|false' 'a truth value'
has 'neg\|13\|\(a >= b && a != 7\)\|\(!\(a >= b && a != 7\)\)' 'a condition of two lines'
has 'neg\|16\|i < 10\|!\(i < 10\)' 'the condition of a loop'
has 'neg\|18\|\(sum\)\|\(!\(sum\)\)' 'the condition of a while'
has 'neg\|17\|a\|!\(a\)' 'the condition of ?:'
is "$(printf '%s\n' "$list" | awk -F '|' '$2 < 8 || $2 == 9')" '' 'nothing outside of functions, or in comments'
is "$(printf '%s\n' "$list" | grep -c 'x = 1')" 0 'nothing in a string'
is "$(printf '%s\n' "$list" | grep -c '^drop|1[01]')" 0 'declarations stay'

n=$("$tmp/mutants" list "$tmp/a.c" | wc -l)
bad=0 same=0 i=0
while [ $i -lt "$n" ]; do
	i=$((i + 1))
	"$tmp/mutants" make "$tmp/a.c" $i >"$tmp/b.c" || bad=$((bad + 1))
	[ "$(wc -l <"$tmp/b.c")" -eq "$(wc -l <"$tmp/a.c")" ] || bad=$((bad + 1))
	! cmp -s "$tmp/a.c" "$tmp/b.c" || same=$((same + 1))
done
is $bad 0 "each of $n mutants is made, with as many lines"
is $same 0 'and differs from the original'
fails_with 1 'fewer mutants' 'a number too high' "$tmp/mutants" make "$tmp/a.c" 1000
fails_with 2 'usage' 'no arguments' "$tmp/mutants"
fails_with 1 'No such file' 'no file' "$tmp/mutants" list "$tmp/none.c"
done_testing
