// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer over the operation language: every input is a sequence, run on all
 * trees against their models. A failure is shrunk, printed as C and crashes.
 */
#include <stdlib.h>

#include "ops.h"

static struct sbt_tree trees[4];
static unsigned int nr_trees;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *machine = getenv("HARNESS_TOPOLOGY");

	(void)argc;
	(void)argv;
	if (hs_topo_set(machine ? machine : "two")) {
		fprintf(stderr, "HARNESS_TOPOLOGY: no machine %s\n", machine);
		exit(2);
	}
	nr_trees = sbt_load_all(trees, 4);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct seq s;
	char why[256];

	seq_from_bytes(p, n, &s);
	if (!seq_run(&s, trees, nr_trees, why, sizeof(why)))
		return 0;
	fprintf(stderr, "red after %lu calls\n", hs_this()->calls);
	seq_shrink(&s, trees, nr_trees);
	seq_run(&s, trees, nr_trees, why, sizeof(why));
	seq_print_c(&s, why, stderr);
	fprintf(stderr, "replay: --topology %s --replay '", hs_topo.name);
	seq_print(&s, stderr);
	abort();
}
