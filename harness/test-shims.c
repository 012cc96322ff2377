// SPDX-License-Identifier: GPL-2.0-only
/* The shims themselves: machines, the ledger of memory, keys, reports. */
#include <stdio.h>
#include <sys/wait.h>

#include "testlib.h"

/* Every machine is what its line says, and hangs together. */
static void machines(void **state)
{
	unsigned int i, c, n, with, without;

	(void)state;
	for (i = 0; hs_topo_name(i); i++) {
		assert_int_equal(hs_topo_set(hs_topo_name(i)), 0);
		assert_in_range(hs_topo.nr_cpus, 1, HS_MAX_CPUS);
		assert_true(hs_topo.memory);
		assert_int_equal(hs_topo.memory & ~hs_topo.online, 0);
		assert_int_equal(hs_topo.online & ~hs_topo.possible, 0);
		assert_int_equal(hs_topo.possible >> (hs_topo.nr_nodes - 1), 1);
		for (c = 0, with = 0; c < hs_topo.nr_cpus; c++) {
			int node = hs_topo.cpu_node[c];

			assert_in_range(node + 1, 0, hs_topo.nr_nodes);
			if (node >= 0)
				assert_true(hs_topo.possible >> node & 1);
			with += node >= 0;
		}
		without = hs_node_cpus(-1, NULL);
		assert_int_equal(with + without, hs_topo.nr_cpus);
		for (n = 0; n < hs_topo.nr_nodes; n++) {
			assert_int_equal(hs_topo.dist[n][n], 10);
			for (c = 0; c < hs_topo.nr_nodes; c++) {
				assert_int_equal(hs_topo.dist[n][c],
						 hs_topo.dist[c][n]);
				if (c != n)
					assert_true(hs_topo.dist[n][c] > 10);
			}
		}
	}
	hs_topo_set("memoryless");
	assert_int_equal(hs_node_cpus(1, NULL), 4);
	assert_int_not_equal(hs_node_mem(1), 1);
	hs_topo_set("cpuless");
	assert_int_equal(hs_node_cpus(2, NULL), 0);
	assert_int_equal(hs_node_mem(2), 2);
	assert_int_equal(hs_nodes_with_cpus(), 0xb);
	hs_topo_set("sparse");
	assert_int_equal(hs_topo.possible, 1UL << 8 | 1);
	assert_int_equal(hs_topo.nr_nodes, 9);
	hs_topo_set("nonode");
	assert_int_equal(hs_node_cpus(-1, NULL), 1);
	hs_topo_set("late");
	assert_int_equal(hs_topo.online, 3);
	assert_int_equal(hs_node_cpus(-1, NULL), 4);
	hs_topo_node_up(2);
	assert_int_equal(hs_topo.online, 7);
	assert_int_equal(hs_node_cpus(2, NULL), 4);
	hs_topo_set("eight32");
	assert_int_equal(hs_topo.nr_cpus, 256);
	assert_int_equal(hs_topo_set("4x32"), 0);
	assert_int_equal(hs_topo.nr_cpus, 128);
	assert_int_equal(hs_topo_set("nowhere"), -1);
	assert_int_equal(hs_topo_set("9x99"), -1);
	assert_int_equal(hs_topo_set("0x4"), -1);
	assert_int_equal(hs_topo.nr_cpus, 128);
}

/* What the ledger must report, and must not. */
static void ledger(void **state)
{
	unsigned long live = hs_live();
	struct hs_alloc a;
	char *p, *q;

	(void)state;
	hs_topo_set("sparse");
	hs_bug_clear();
	p = hs_alloc(100, 0x100, 8, HS_KVMALLOC);
	assert_int_equal(p[0] | p[99], 0);
	assert_int_equal(hs_find_alloc((unsigned long)p + 50, &a), 1);
	assert_int_equal(a.size, 100);
	assert_int_equal(a.node, 8);
	assert_int_equal(a.flags, 0x100);
	hs_free(p, HS_KVMALLOC);
	assert_int_equal(hs_bugs(), 0);
	assert_int_equal(hs_live(), live);
	hs_free(NULL, HS_KMALLOC);
	assert_int_equal(hs_bugs(), 0);

	hs_free(p, HS_KVMALLOC);			/* twice */
	assert_int_equal(hs_bugs(), 1);
	p = hs_alloc(8, 0, -1, HS_KVMALLOC);
	hs_free(p, HS_KMALLOC);				/* kfree() of kvmalloc() */
	assert_int_equal(hs_bugs(), 2);
	p = hs_alloc(8, 0, -1, HS_KMALLOC);
	hs_free(p, HS_KVMALLOC);			/* is fine */
	assert_int_equal(hs_bugs(), 2);
	assert_null(hs_alloc(8, 0, 5, HS_KMALLOC));	/* no node 5 here */
	assert_null(hs_alloc(8, 0, 9, HS_KMALLOC));
	assert_int_equal(hs_bugs(), 4);

	hs_fail_nth(2);
	p = hs_alloc(8, 0, -1, HS_KMALLOC);
	q = hs_alloc(8, 0, -1, HS_KMALLOC);
	assert_non_null(p);
	assert_null(q);
	assert_true(hs_failed());
	hs_free(p, HS_KMALLOC);
	hs_fail_nth(0);

	hs_topo_set("memoryless");
	p = hs_alloc(8, 0, 1, HS_KMALLOC);
	assert_int_equal(hs_find_alloc((unsigned long)p, &a), 1);
	assert_int_equal(a.got, hs_node_mem(1));
	hs_free(p, HS_KMALLOC);
	assert_null(hs_alloc(8, 0x800, 1, HS_KMALLOC));	/* __GFP_THISNODE */
	assert_int_equal(hs_live(), live);
	hs_bug_clear();
}

/* A per-CPU pointer used as a plain one does not pass unseen. */
static void percpu_is_no_address(void **state)
{
	volatile int *p;
	int st;

	(void)state;
	hs_topo_set("two");
	p = hs_alloc(4, 0, -1, HS_PERCPU);
	if (!fork()) {
		signal(SIGSEGV, SIG_DFL);
		signal(SIGBUS, SIG_DFL);
		close(2);
		*p = 1;
		_exit(0);
	}
	wait(&st);
	assert_true(WIFSIGNALED(st) || WEXITSTATUS(st));
	hs_free((void *)p, HS_PERCPU);
}

/* Each CPU has its own hint. */
static void hints_are_per_cpu(void **state)
{
	unsigned int c;

	(void)state;
	hs_topo_set("eight32");
	for (unsigned int k = 0; k < nr_trees; k++) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt_cfg cfg = { .queue = 1, .depth = 300, .shift = -1,
				       .node = -1 };
		struct sbt *s = o->create(0);

		assert_int_equal(o->init(s, &cfg), 0);
		for (c = 0; c < 256; c++)
			o->set_hint(s, c, c);
		for (c = 0; c < 256; c++)
			assert_int_equal(o->hint(s, c), c);
		for (c = 0; c < 256; c += 51) {
			hs_this()->cpu = c;
			assert_int_equal(o->get(s) >> o->shift(s),
					 c >> o->shift(s));
		}
		hs_this()->cpu = 0;
		o->free(s);
		o->destroy(s);
	}
}

/* Static keys: found by name, off, on, off; initcalls ran once at load. */
static void keys(void **state)
{
	unsigned int i, found = 0;

	(void)state;
	for (unsigned int k = 0; k < nr_trees; k++) {
		const struct sbt_ops *o = trees[k].ops;

		for (i = 0; o->key_name(i); i++) {
			found++;
			assert_int_equal(o->key(o->key_name(i), 1), 0);
			assert_int_equal(o->key(o->key_name(i), 0), 0);
		}
		assert_int_equal(o->key("no such key", 1), -1);
		assert_int_equal(o->boots(), 1);
		assert_int_equal(o->key_is_on("adapter_key"), 0);
		o->key("adapter_key", 1);
		assert_int_equal(o->key_is_on("adapter_key"), 1);
		o->key("adapter_key", 0);
	}
	assert_true(found >= nr_trees);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines),
		cmocka_unit_test(ledger),
		cmocka_unit_test(percpu_is_no_address),
		cmocka_unit_test(hints_are_per_cpu),
		cmocka_unit_test(keys),
	};

	test_begin(argc, argv);
	return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
