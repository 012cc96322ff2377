// SPDX-License-Identifier: GPL-2.0-only
/*
 * mutants list FILE	one line for each mutant: number, operator, line, function,
 *			what is changed, what it becomes
 * mutants make FILE N	FILE with mutant N in it, to stdout
 *
 * A mutant is FILE with one small fault in the body of a function. The list of
 * operators is fixed:
 *
 *  cmp		a comparison takes or leaves its border, == and != are swapped
 *  off		what is assigned or returned is one more
 *  drop	a statement is left out
 *  const	a number is one more, and 1 is 0; true and false, -EINVAL and
 *		-ENOMEM are swapped; UINT_MAX is 0
 *  neg		the condition of if, while, for or ?: is negated
 *
 * Lines stay where they are, so that a line number is all that a macro such as
 * WARN_ON() sees of it. Not a parser: what does not compile is no mutant, and
 * the caller finds that out.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token {
	const char *s;
	int len, line;
	int parens;		/* how many ( are open */
	int function;		/* whose body it is in: the token of its name, or 0 */
};

static char *text;
static struct token *tok;
static int nr_tok;

static int nr_mutants, wanted;	/* wanted: the one to make, 0 to list */
static const char *mutant_name[] = { "cmp", "off", "drop", "const", "neg" };
enum op { CMP, OFF, DROP, CONST, NEG };

static void die(const char *what, const char *why)
{
	fprintf(stderr, "mutants: %s: %s\n", what, why);
	exit(1);
}

static bool is(int i, const char *s)
{
	return i >= 0 && i < nr_tok && tok[i].len == (int)strlen(s) &&
	       !memcmp(tok[i].s, s, tok[i].len);
}

static bool is_any(int i, const char *const *list)
{
	for (; *list; list++) {
		if (is(i, *list))
			return true;
	}
	return false;
}

/* Print @len bytes at @s on one line. */
static void print_flat(const char *s, int len)
{
	bool space = false;

	for (; len > 0; s++, len--) {
		if (isspace((unsigned char)*s)) {
			space = true;
			continue;
		}
		if (space)
			putchar(' ');
		space = false;
		putchar(*s);
	}
}

/*
 * One more mutant: tokens @from to @to (not included) are replaced by @before,
 * the tokens themselves if @keep, and @after.
 */
static void mutant(enum op op, int from, int to, const char *before, bool keep,
		   const char *after)
{
	const char *start = tok[from].s, *end = tok[to - 1].s + tok[to - 1].len;
	const char *p;

	nr_mutants++;
	if (!wanted) {
		const struct token *name = &tok[tok[from].function];

		printf("%d\t%s\t%d\t%.*s\t", nr_mutants, mutant_name[op],
		       tok[from].line, name->len, name->s);
		print_flat(start, end - start);
		printf("\t%s", before);
		if (keep)
			print_flat(start, end - start);
		printf("%s\n", after);
		return;
	}
	if (nr_mutants != wanted)
		return;
	fwrite(text, 1, start - text, stdout);
	fputs(before, stdout);
	if (keep) {
		fwrite(start, 1, end - start, stdout);
	} else {
		/* keep the number of lines */
		for (p = start; p < end; p++) {
			if (*p == '\n')
				putchar('\n');
		}
	}
	fputs(after, stdout);
	fputs(end, stdout);
}

static void tokenize(void)
{
	static const char *const ops[] = {
		"<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&",
		"||", "++", "--", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "->",
		NULL
	};
	const char *p = text;
	int line = 1, size = 0, depth = 0, parens = 0, i;
	bool line_start = true;
	int function = 0;

	while (*p) {
		const char *s = p;

		if (*p == '\n') {
			line++;
			line_start = true;
			p++;
			continue;
		}
		if (isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		if (*p == '#' && line_start) {
			for (; *p && *p != '\n'; p++) {
				if (*p == '\\' && p[1] == '\n') {
					line++;
					p++;
				}
			}
			continue;
		}
		line_start = false;
		if (p[0] == '/' && p[1] == '/') {
			while (*p && *p != '\n')
				p++;
			continue;
		}
		if (p[0] == '/' && p[1] == '*') {
			for (p += 2; *p && (p[0] != '*' || p[1] != '/'); p++)
				line += *p == '\n';
			p += 2;
			continue;
		}
		if (*p == '"' || *p == '\'') {
			for (p++; *p && *p != *s; p++)
				p += *p == '\\';
			p++;
		} else if (isalnum((unsigned char)*p) || *p == '_') {
			while (isalnum((unsigned char)*p) || *p == '_')
				p++;
		} else {
			p++;
			for (i = 0; ops[i]; i++) {
				if (!strncmp(s, ops[i], strlen(ops[i]))) {
					p = s + strlen(ops[i]);
					break;
				}
			}
		}

		if (nr_tok == size) {
			size = size ? 2 * size : 1024;
			tok = realloc(tok, size * sizeof(*tok));
			if (!tok)
				die("memory", strerror(ENOMEM));
		}
		/* "name(...) {" at the outer level is a function */
		if (*s == '{' && depth++ == 0) {
			for (i = nr_tok - 2; is(nr_tok - 1, ")") && i > 0; i--) {
				if (is(i, "(") && tok[i].parens == 0)
					break;
			}
			function = is(nr_tok - 1, ")") && i > 0 ? i - 1 : 0;
		}
		parens -= *s == ')';
		tok[nr_tok++] = (struct token){ s, p - s, line, parens, function };
		parens += *s == '(';
		if (*s == '}' && --depth == 0)
			function = 0;
	}
}

/* The token after the bracket that closes the one at @i. */
static int skip_brackets(int i)
{
	int depth = 0;

	for (; i < nr_tok; i++) {
		if (is(i, "(") || is(i, "[") || is(i, "{"))
			depth++;
		else if ((is(i, ")") || is(i, "]") || is(i, "}")) && !--depth)
			return i + 1;
	}
	return nr_tok;
}

/* The end of the expression that starts at @i: one of ; , ) : at its level. */
static int skip_expression(int i, const char *const *ends)
{
	while (i < nr_tok && !is_any(i, ends)) {
		if (is(i, "(") || is(i, "[") || is(i, "{"))
			i = skip_brackets(i);
		else
			i++;
	}
	return i;
}

static const char *const end_statement[] = { ";", NULL };
static const char *const end_value[] = { ";", ",", ")", "}", NULL };

static bool statement_start(int i)
{
	static const char *const before[] = { ";", "{", "}", "else", "do", NULL };
	int j, depth = 0;

	/* the parts of a for (;;) are no statements */
	if (tok[i].parens)
		return false;
	if (is_any(i - 1, before))
		return true;
	/* after a label, but not after the : of a ?: */
	if (is(i - 1, ":"))
		return is(i - 3, ";") || is(i - 3, "{") || is(i - 3, "}");
	if (!is(i - 1, ")"))
		return false;
	/* after the head of an if, while, for */
	for (j = i - 1; j >= 0; j--) {
		if (is(j, ")"))
			depth++;
		else if (is(j, "(") && !--depth)
			break;
	}
	return is(j - 1, "if") || is(j - 1, "while") || is(j - 1, "for") ||
	       (j > 0 && tok[j - 1].len > 9 &&
		!strncmp(tok[j - 1].s, "for_each_", 9));
}

static void mutate_statement(int i)
{
	static const char *const not_dropped[] = {
		"if", "while", "for", "do", "else", "switch", "case", "default",
		"{", "}", ";", "int", "unsigned", "long", "u64", "u32", "u8",
		"bool", "char", "struct", "const", "static", "enum", "void",
		"atomic_long_t", "BUILD_BUG_ON", NULL
	};
	int end;

	if (!statement_start(i) || is_any(i, not_dropped) || is(i + 1, ":"))
		return;
	/* for_each_...() is a head, not a statement */
	if (is(i + 1, "(") && tok[i].len > 9 && !strncmp(tok[i].s, "for_each_", 9))
		return;
	end = skip_expression(i, end_statement);
	mutant(DROP, i, end, "", false, "");
}

static void mutate_condition(int i)
{
	int end;

	if ((is(i, "if") || is(i, "while")) && is(i + 1, "(")) {
		end = skip_brackets(i + 1);
		mutant(NEG, i + 1, end, "(!", true, ")");
	} else if (is(i, "for") && is(i + 1, "(")) {
		int start = skip_expression(i + 2, end_statement) + 1;

		end = skip_expression(start, end_statement);
		if (start < end)
			mutant(NEG, start, end, "!(", true, ")");
	} else if (is(i, "?")) {
		static const char *const starts[] = {
			"=", "+=", "-=", "&=", "|=", "(", ",", ";", "return", NULL
		};
		int start = i, depth = 0;

		/* back to where the condition begins */
		while (start > 0) {
			if (is(start - 1, ")") || is(start - 1, "]"))
				depth++;
			else if (depth && (is(start - 1, "(") || is(start - 1, "[")))
				depth--;
			else if (!depth && is_any(start - 1, starts))
				break;
			start--;
		}
		mutant(NEG, start, i, "!(", true, ")");
	}
}

static void mutate_value(int i)
{
	static const char *const assign[] = { "=", "+=", "-=", "&=", "|=", ">>=", NULL };
	int end;

	if (!is_any(i, assign) && !is(i, "return"))
		return;
	end = skip_expression(i + 1, end_value);
	if (i + 1 < end && !is(i + 1, "{") && *tok[i + 1].s != '"')
		mutant(OFF, i + 1, end, "(", true, ") + 1");
}

static void mutate_compare(int i)
{
	static const char *const swap[][2] = {
		{ "<", "<=" }, { "<=", "<" }, { ">", ">=" }, { ">=", ">" },
		{ "==", "!=" }, { "!=", "==" },
	};
	unsigned int j;

	for (j = 0; j < sizeof(swap) / sizeof(*swap); j++) {
		if (is(i, swap[j][0]))
			mutant(CMP, i, i + 1, swap[j][1], false, "");
	}
}

static void mutate_constant(int i)
{
	static const char *const swap[][2] = {
		{ "true", "false" }, { "false", "true" }, { "EINVAL", "ENOMEM" },
		{ "ENOMEM", "EINVAL" }, { "UINT_MAX", "0" },
	};
	char new[64], *end;
	unsigned long long v;
	unsigned int j;

	for (j = 0; j < sizeof(swap) / sizeof(*swap); j++) {
		if (is(i, swap[j][0]))
			mutant(CONST, i, i + 1, swap[j][1], false, "");
	}
	if (!isdigit((unsigned char)*tok[i].s) || tok[i].len > 20)
		return;
	v = strtoull(tok[i].s, &end, 0);
	snprintf(new, sizeof(new), "%llu%.*s", v + 1,
		 (int)(tok[i].s + tok[i].len - end), end);
	mutant(CONST, i, i + 1, new, false, "");
	if (v == 1)
		mutant(CONST, i, i + 1, "0", false, end == tok[i].s + tok[i].len ? "" : "UL");
}

static void read_file(const char *name)
{
	FILE *f = fopen(name, "r");
	size_t size = 0, len = 0, n;

	if (!f)
		die(name, strerror(errno));
	do {
		size = size ? 2 * size : 1 << 16;
		text = realloc(text, size + 1);
		if (!text)
			die("memory", strerror(ENOMEM));
		n = fread(text + len, 1, size - len, f);
		len += n;
	} while (len == size);
	if (ferror(f))
		die(name, strerror(errno));
	fclose(f);
	text[len] = '\0';
}

int main(int argc, char **argv)
{
	int i;

	if (argc == 4 && !strcmp(argv[1], "make")) {
		wanted = atoi(argv[3]);
		if (wanted <= 0) {
			fprintf(stderr, "mutants: %s: no number\n", argv[3]);
			return 2;
		}
	} else if (argc != 3 || strcmp(argv[1], "list")) {
		fprintf(stderr, "mutants: usage: mutants list FILE | make FILE N\n");
		return 2;
	}
	read_file(argv[2]);
	tokenize();
	for (i = 0; i < nr_tok; i++) {
		if (!tok[i].function)
			continue;
		mutate_statement(i);
		mutate_condition(i);
		mutate_value(i);
		mutate_compare(i);
		mutate_constant(i);
	}
	if (wanted > nr_mutants)
		die(argv[3], "there are fewer mutants");
	if (fflush(stdout) || ferror(stdout))
		die("stdout", strerror(errno));
	return 0;
}
