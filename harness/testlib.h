/* SPDX-License-Identifier: GPL-2.0-only */
/* What the cmocka programs share. */
#ifndef TESTLIB_H
#define TESTLIB_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

#include "ops.h"

#ifdef __SANITIZE_ADDRESS__
#define SLOW 6
#else
#define SLOW 1
#endif

static struct sbt_tree trees[8];
static unsigned int nr_trees;
static int longer;

static void hung(int sig)
{
	(void)sig;
	fprintf(stderr, "a call did not return: endless loop, after %lu calls\n",
		hs_this()->calls);
	_exit(1);
}

/* Loads the trees; argv[1] names one test, or is a pattern with stars. */
static inline void test_begin(int argc, char **argv)
{
	const char *tier = getenv("HARNESS_TIER");

	longer = tier && !strcmp(tier, "long");
	signal(SIGPROF, hung);
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	hs_topo_set("one");
	nr_trees = sbt_load_all(trees, 8);
}

static inline int test_end(int failed)
{
	if (failed)
		fprintf(stderr, "red after %lu calls\n", hs_this()->calls);
	return failed;
}

/*
 * A call that does not return ends the program, red. The time is the CPU's: on a
 * busy machine nothing is wrong with a call that takes long.
 */
static inline void watchdog(unsigned int seconds)
{
	const struct itimerval t = { .it_value = { .tv_sec = seconds } };

	setitimer(ITIMER_PROF, &t, NULL);
}

#endif
