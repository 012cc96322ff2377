// SPDX-License-Identifier: GPL-2.0-only
/* Finding and loading the builds of a tree. */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sbt.h"

#ifndef SBT_FLAVOUR
#error SBT_FLAVOUR names the directory of the shared objects
#endif

/**
 * sbt_load() - load one build
 * @name: of a tree (base, patched, ...), or the path of a shared object
 * @t: filled
 *
 * Trees are looked for below $HARNESS_BUILD, else build/harness.
 *
 * Return: 0, or -1 after one clear line.
 */
int sbt_load(const char *name, struct sbt_tree *t)
{
	const char *dir = getenv("HARNESS_BUILD");
	char path[4096];

	if (strchr(name, '/'))
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "%s/%s/%s/sbitmap.so",
			 dir ? dir : "build/harness", name, SBT_FLAVOUR);
	t->dl = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!t->dl) {
		fprintf(stderr, "tree %s: %s; build it with: make -C harness\n",
			name, dlerror());
		return -1;
	}
	t->ops = dlsym(t->dl, "sbt_ops");
	if (!t->ops) {
		fprintf(stderr, "tree %s: %s has no sbt_ops\n", name, path);
		dlclose(t->dl);
		return -1;
	}
	t->name = strdup(name);
	t->ops->boot();
	return 0;
}

/**
 * sbt_load_all() - the trees a test is to run on
 * @t: filled
 * @max: room
 *
 * $HARNESS_TREES, by default "base patched numa". Ends the program with 2 if one
 * cannot be loaded.
 *
 * Return: how many.
 */
unsigned int sbt_load_all(struct sbt_tree *t, unsigned int max)
{
	const char *env = getenv("HARNESS_TREES");
	char *list = strdup(env && *env ? env : "base patched numa"), *save, *name;
	unsigned int n = 0;

	for (name = strtok_r(list, " ", &save); name && n < max;
	     name = strtok_r(NULL, " ", &save))
		if (sbt_load(name, &t[n++]))
			exit(2);
	free(list);
	return n;
}

/** sbt_unload() - forget a build. */
void sbt_unload(struct sbt_tree *t)
{
	free((char *)t->name);
	dlclose(t->dl);
}

/**
 * sbt_parse_u() - a number from the command line
 * @s: text, decimal or 0x
 * @max: largest that is allowed
 * @out: filled
 *
 * Return: 0, or -1 if it is no such number.
 */
int sbt_parse_u(const char *s, unsigned long max, unsigned long *out)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return -1;
	errno = 0;
	*out = strtoul(s, &end, 0);
	return errno || *end || *out > max ? -1 : 0;
}
