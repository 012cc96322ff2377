// SPDX-License-Identifier: GPL-2.0-only
/*
 * The exceptions file: "CONFIG OBJECT FUNCTION REASON...", one a line, the
 * first three are glob(7) patterns, # begins a comment. An exception that was
 * not needed is stale, which is an error as well.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "objcmp.h"

struct except {
	char *config, *object, *func, *reason;
	int line;
	bool used, seen;
};

static struct except *list;
static size_t count;

/**
 * except_count - number of exceptions that were read
 */
size_t except_count(void)
{
	return count;
}

static char *word(char **p)
{
	char *s = *p, *e;

	while (isspace((unsigned char)*s))
		s++;
	for (e = s; *e && !isspace((unsigned char)*e); e++)
		;
	*p = *e ? e + 1 : e;
	*e = 0;
	return s;
}

/**
 * except_read - read the exceptions
 * @path: the file; a line that is not complete ends the program with status 2
 */
void except_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	int n = 0;

	if (!f)
		bad("%s: the exceptions cannot be read", path);
	while (getline(&line, &cap, f) >= 0) {
		struct except *e;
		char *p = line, *w;

		n++;
		w = word(&p);
		if (!*w || *w == '#')
			continue;
		list = xgrow(list, count, sizeof(*list));
		e = &list[count];
		memset(e, 0, sizeof(*e));
		e->line = n;
		e->config = xstrdup(w);
		e->object = xstrdup(word(&p));
		e->func = xstrdup(word(&p));
		while (isspace((unsigned char)*p))
			p++;
		p[strcspn(p, "\r\n")] = 0;
		e->reason = xstrdup(p);
		count++;
		if (!*e->object || !*e->func || !*e->reason)
			bad("%s:%d: wants CONFIG OBJECT FUNCTION REASON", path,
			    n);
	}
	free(line);
	fclose(f);
}

static bool object_matches(const char *pattern, const char *object)
{
	const char *p;

	if (!fnmatch(pattern, object, 0))
		return true;
	/* two files were named: a path in front does not count */
	for (p = object; (p = strchr(p, '/')); )
		if (!fnmatch(pattern, ++p, 0))
			return true;
	return false;
}

static bool config_matches(const struct except *e)
{
	return !fnmatch(e->config, opt.config ? opt.config : "", 0);
}

/**
 * except_match - is a difference allowed?
 * @object: name of the object
 * @func: function, data object or section that differs
 *
 * Return: the line of the exception, which now counts as used; 0: there is
 * none.
 */
int except_match(const char *object, const char *func)
{
	int line = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (config_matches(&list[i]) &&
		    object_matches(list[i].object, object) &&
		    !fnmatch(list[i].func, func, 0)) {
			list[i].used = true;
			if (!line)
				line = list[i].line;
		}
	return line;
}

/**
 * except_object_seen - an object was compared: its exceptions can be stale
 * @object: name of the object
 */
void except_object_seen(const char *object)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (config_matches(&list[i]) &&
		    object_matches(list[i].object, object))
			list[i].seen = true;
}

/**
 * except_stale - list exceptions that matched this run and were not needed
 * @out: where to
 *
 * Return: number of them.
 */
size_t except_stale(FILE *out)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		if (!list[i].seen || list[i].used)
			continue;
		n++;
		fprintf(out, "stale exception, line %d: %s %s %s: nothing differs; remove it\n",
			list[i].line, list[i].config, list[i].object,
			list[i].func);
	}
	return n;
}

/**
 * except_write_used - append what this run says about each exception
 * @path: file; lines "LINE used" and "LINE unused", only of exceptions whose
 *	configuration and object this run met
 */
void except_write_used(const char *path)
{
	FILE *f = fopen(path, "a");
	size_t i;

	if (!f)
		bad("%s: cannot be written", path);
	for (i = 0; i < count; i++)
		if (list[i].used || list[i].seen)
			fprintf(f, "%d %s\n", list[i].line,
				list[i].used ? "used" : "unused");
	if (fclose(f))
		bad("%s: cannot be written; is the disk full?", path);
}

/**
 * except_stale_mode - over all runs, which exceptions did nobody need?
 * @path: the exceptions
 * @used: files that --except-used made
 * @nused: number of them
 *
 * Return: exit status. An exception that no run met is named as well, but is
 * not an error: those configurations were not run.
 */
int except_stale_mode(const char *path, char **used, int nused)
{
	size_t i, stale = 0, unmet = 0;
	char state[16];
	int k, line;

	except_read(path);
	for (k = 0; k < nused; k++) {
		FILE *f = fopen(used[k], "r");

		if (!f)
			bad("%s: cannot be read; did the run write it?", used[k]);
		while (fscanf(f, "%d %15s", &line, state) == 2)
			for (i = 0; i < count; i++)
				if (list[i].line == line) {
					list[i].seen = true;
					if (!strcmp(state, "used"))
						list[i].used = true;
				}
		if (!feof(f))
			bad("%s: not a file of --except-used", used[k]);
		fclose(f);
	}
	for (i = 0; i < count; i++)
		if (!list[i].seen) {
			unmet++;
			printf("not met, line %d: %s %s %s: no run had this configuration and object\n",
			       list[i].line, list[i].config, list[i].object,
			       list[i].func);
		}
	stale = except_stale(stdout);
	printf("exceptions: %zu listed, %zu needed, %zu stale, %zu not met\n",
	       count, count - stale - unmet, stale, unmet);
	return stale ? EXIT_DIFF : EXIT_SAME;
}
