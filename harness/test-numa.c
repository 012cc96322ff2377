// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only NUMA mode has: who takes which node's bits, on every machine. Runs
 * on the trees in which every queue asks for the mode.
 */
#include "testlib.h"

#define DEPTH_MAX 4096

static const struct sbt_ops *o;
static struct sbt *s;
static const char *tree;

static const char *const machines[] = {
	"two", "three", "four", "eight", "four32", "eight32", "memoryless",
	"cpuless", "sparse", "nonode", "late", "2x1", "5x3",
};

#define EACH_TREE(k)							\
	for (unsigned int k = 0; k < nr_trees; k++)			\
		if ((o = trees[k].ops)->has & SBT_HAS_NUMA &&		\
		    (tree = trees[k].name))
/* HARNESS_MACHINE: on that one only. */
#define EACH_MACHINE(m)							\
	for (unsigned int m = 0; m < sizeof(machines) / sizeof(*machines); m++) \
		if (!getenv("HARNESS_MACHINE") ||			\
		    !strcmp(getenv("HARNESS_MACHINE"), machines[m]))

/* A queue in NUMA mode, or the machine or depth is not for it. */
static int open_queue(const char *machine, unsigned int depth)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = depth, .shift = -1, .node = -1 };

	watchdog(30);
	assert_int_equal(hs_topo_set(machine), 0);
	hs_this()->cpu = 0;
	hs_bug_clear();
	s = o->create(0);
	assert_int_equal(o->init(s, &cfg), 0);
	return o->numa(s);
}

static void close_queue(void)
{
	o->free(s);
	o->destroy(s);
	if (hs_bugs())
		fail_msg("%s: %s", tree, hs_bug_text());
	watchdog(0);
}

static int get_on(unsigned int cpu)
{
	hs_this()->cpu = cpu;
	return o->get(s);
}

static int foreign(unsigned int cpu, int nr)
{
	return o->slot(s, nr) != o->cpu_slot(s, cpu);
}

/* Which bitmaps are in the mode: not one that could gain nothing. */
static void when(void **state)
{
	(void)state;
	EACH_TREE(k) {
		struct sbt_cfg rr = { .queue = 1, .depth = 1024, .shift = -1,
				      .round_robin = 1, .node = -1 };
		unsigned int depth;

		EACH_MACHINE(m) {
			unsigned int nodes;

			hs_topo_set(machines[m]);
			nodes = __builtin_popcountl(hs_nodes_with_cpus());
			for (depth = 0; depth < 300; depth++) {
				int want = nodes > 1 && depth / nodes >= 16;

				if (open_queue(machines[m], depth) != want)
					fail_msg("%s: %s, depth %u: mode is %d",
						 tree, machines[m], depth, !want);
				if (want)
					assert_int_equal(o->slots(s), nodes);
				close_queue();
			}
			s = o->create(0);
			assert_int_equal(o->init(s, &rr), 0);
			assert_false(o->numa(s));
			close_queue();
		}
		assert_false(open_queue("one", 1024));
		close_queue();
		assert_false(open_queue("up", 1024));
		close_queue();
	}
}

/*
 * Words are dealt out evenly, to nodes that have CPUs, at every depth that a
 * bitmap is shrunk to. One CPU alone gets every bit, whatever the machine.
 */
static void complete(void **state)
{
	static const unsigned int depths[] = { 256, 1000, 1024, 2048, 4096 };
	static unsigned char seen[DEPTH_MAX];
	unsigned int d, depth, i, n, cpu, share[HS_MAX_NODES];
	int nr;

	(void)state;
	EACH_TREE(k) EACH_MACHINE(m) {
		for (d = 0; d < sizeof(depths) / sizeof(*depths); d++) {
			if (!open_queue(machines[m], depths[d]))
				fail_msg("%s: %s: depth %u is not in the mode",
					 tree, machines[m], depths[d]);
			for (depth = depths[d]; depth; depth -= depth > 64 ?
			     depth / 3 : depth > 5 ? 5 : 1) {
				unsigned int low = ~0U, high = 0;

				o->resize(s, depth);
				memset(share, 0, sizeof(share));
				for (i = 0; i << o->shift(s) < depth; i++)
					share[o->slot(s, i << o->shift(s))]++;
				for (i = 0; i < o->slots(s); i++) {
					low = share[i] < low ? share[i] : low;
					high = share[i] > high ? share[i] : high;
				}
				assert_true(high - low <= 1);

				cpu = depth * 7 % hs_topo.nr_cpus;
				memset(seen, 0, sizeof(seen));
				for (n = 0; (nr = get_on(cpu)) >= 0; n++) {
					assert_true((unsigned int)nr < depth);
					assert_false(seen[nr]);
					seen[nr] = 1;
				}
				if (n != depth)
					fail_msg("%s: %s: CPU %u alone got %u bits of %u",
						 tree, machines[m], cpu, n, depth);
				for (i = 0; i < depth; i++)
					o->clear(s, i, cpu);
			}
			close_queue();
		}
	}
}

/* While there is room in a CPU's slot it gets no other bits, at any use. */
static void local(void **state)
{
	static int held[HS_MAX_CPUS][DEPTH_MAX];
	unsigned int cpu, share, i, n, use, nr_held[HS_MAX_CPUS];
	struct rnd r = { 1 };

	(void)state;
	EACH_TREE(k) EACH_MACHINE(m) for (use = 50; use <= 100; use += 25) {
		unsigned int bits, slots;

		open_queue(machines[m], 1024);
		slots = o->slots(s);
		share = 1024;
		for (i = 0; i < slots; i++) {
			for (bits = n = 0; n < 1024; n++)
				bits += o->slot(s, n) == i;
			for (cpu = n = 0; cpu < hs_topo.nr_cpus; cpu++)
				n += o->cpu_slot(s, cpu) == i;
			if (bits / n < share)
				share = bits / n;
		}
		share = share * use / 100;
		memset(nr_held, 0, sizeof(nr_held));
		for (n = 0; n < (longer ? 10000000U : 200000U) / SLOW; n++) {
			int nr;

			cpu = rnd_below(&r, hs_topo.nr_cpus);
			hs_this()->cpu = cpu;
			if (nr_held[cpu] == share) {
				i = rnd_below(&r, share);
				o->clear(s, held[cpu][i], cpu);
				held[cpu][i] = held[cpu][--nr_held[cpu]];
			}
			nr = get_on(cpu);
			assert_true(nr >= 0);
			if (foreign(cpu, nr))
				fail_msg("%s: %s, %u%%: CPU %u of slot %u got bit %d of slot %u after %u gets",
					 tree, machines[m], use, cpu,
					 o->cpu_slot(s, cpu), nr, o->slot(s, nr), n);
			held[cpu][nr_held[cpu]++] = nr;
		}
		close_queue();
	}
}

/*
 * The slots of other nodes come in the order of their distance: one word of
 * each, then the rest of each. So on the way it falls back once, at most.
 */
static void nearest_first(void **state)
{
	(void)state;
	EACH_TREE(k) EACH_MACHINE(m) {
		unsigned int cpu, i, n, last, least, back, dist;
		int nr, node;

		hs_topo_set(machines[m]);
		for (cpu = 0; cpu < hs_topo.nr_cpus; cpu++) {
			node = hs_topo.cpu_node[cpu];
			if (node < 0)
				continue;
			open_queue(machines[m], 512);
			least = ~0U;
			for (i = 0; i < 512; i++) {
				dist = hs_topo.dist[node][o->node(s, i)];
				if (foreign(cpu, i) && dist < least)
					least = dist;
			}
			last = back = 0;
			for (n = 0; (nr = get_on(cpu)) >= 0; n++) {
				dist = hs_topo.dist[node][o->node(s, nr)];
				if (n < 512 / o->slots(s) / 2 && foreign(cpu, nr))
					fail_msg("%s: %s: CPU %u leaves its node after %u bits",
						 tree, machines[m], cpu, n);
				if (last == 10 && dist != 10 && dist != least)
					fail_msg("%s: %s: CPU %u goes to distance %u first, not %u",
						 tree, machines[m], cpu, dist, least);
				back += dist < last;
				last = dist;
			}
			if (back > 1)
				fail_msg("%s: %s: CPU %u goes back to nearer nodes %u times",
					 tree, machines[m], cpu, back);
			close_queue();
		}
	}
}

/* A CPU that takes bits of others still finds the last one of its own slot. */
static void own_bit_while_away(void **state)
{
	unsigned int cpu, i, n;

	(void)state;
	EACH_TREE(k) EACH_MACHINE(m) {
		open_queue(machines[m], 512);
		for (cpu = 0; cpu < hs_topo.nr_cpus; cpu++) {
			for (n = 0; n < 512; n++)
				assert_true(get_on(cpu) >= 0);
			/* Full, and not yet found so. */
			for (i = 0; i < 512 && foreign(cpu, i); i++)
				;
			o->clear(s, i, (cpu + 1) % hs_topo.nr_cpus);
			if (get_on(cpu) != (int)i)
				fail_msg("%s: %s: CPU %u does not find bit %u of its own slot",
					 tree, machines[m], cpu, i);
			for (n = 0; n < 512; n++)
				o->clear(s, n, cpu);
		}
		close_queue();
	}
}

/* After the load falls CPUs come home: less than 1 % foreign from get 64 on. */
static void come_home(void **state)
{
	static const unsigned int depths[] = { 256, 1024, 4096 };
	static int held[32][DEPTH_MAX / 32];
	unsigned int d, i, n, cpu, keep, share, nr_held[32], gets[32];
	unsigned long after, away;
	struct rnd r = { 5 };
	int nr;

	(void)state;
	EACH_TREE(k) for (d = 0; d < 3; d++) {
		assert_true(open_queue("four32", depths[d]));
		share = depths[d] / 32;
		keep = share / 8;
		memset(gets, 0, sizeof(gets));
		for (n = 0; n < depths[d]; n++) {
			nr = get_on(n % 32);
			assert_true(nr >= 0);
			held[n % 32][n / 32] = nr;
		}
		assert_int_equal(get_on(0), -1);
		for (cpu = 0; cpu < 32; cpu++) {
			nr_held[cpu] = share;
			while (nr_held[cpu] > keep) {
				i = rnd_below(&r, nr_held[cpu]);
				o->clear(s, held[cpu][i], cpu);
				held[cpu][i] = held[cpu][--nr_held[cpu]];
			}
		}
		after = away = 0;
		for (n = 0; n < 32 * 1000; n++) {
			cpu = rnd_below(&r, 32);
			i = rnd_below(&r, keep);
			o->clear(s, held[cpu][i], cpu);
			nr = held[cpu][i] = get_on(cpu);
			if (++gets[cpu] <= 64)
				continue;
			after++;
			away += foreign(cpu, nr);
		}
		if (away * 100 >= after)
			fail_msg("%s: depth %u: %lu of %lu gets are foreign after the first 64",
				 tree, depths[d], away, after);
		close_queue();
	}
}

/* A hint stays in the CPU's slot: after a failed get, after a foreign put. */
static void hints_stay(void **state)
{
	unsigned int cpu, i;
	int nr;

	(void)state;
	EACH_TREE(k) EACH_MACHINE(m) {
		open_queue(machines[m], 1024);
		while (get_on(0) >= 0)
			;
		for (cpu = 0; cpu < hs_topo.nr_cpus; cpu++) {
			assert_int_equal(get_on(cpu), -1);
			for (i = 0; i < 1024 && !foreign(cpu, i); i++)
				;
			/* A bit of another slot; then the next get is not there. */
			o->clear(s, i, cpu);
			assert_int_equal(o->slot(s, o->hint(s, cpu)),
					 o->cpu_slot(s, cpu));
			for (i = 0; i < 1024 && foreign(cpu, i); i++)
				;
			o->clear(s, i, (cpu + 1) % hs_topo.nr_cpus);
			nr = get_on(cpu);
			if (foreign(cpu, nr))
				fail_msg("%s: %s: CPU %u takes a foreign bit, its slot has one",
					 tree, machines[m], cpu);
			while (get_on(cpu) >= 0)
				;
		}
		close_queue();
	}
}

/* A node appears after init, with CPUs: less local, nothing else. */
static void late_node(void **state)
{
	unsigned int n, cpu;

	(void)state;
	EACH_TREE(k) {
		assert_true(open_queue("late", 512));
		hs_topo_node_up(2);
		for (n = 0; n < 512; n++) {
			cpu = n % hs_topo.nr_cpus;
			assert_true(get_on(cpu) >= 0);
		}
		for (n = 0; n < 512; n++)
			o->clear(s, n, n % hs_topo.nr_cpus);
		for (n = 0; n < 512; n++)
			assert_true(get_on(hs_topo.nr_cpus - 1) >= 0);
		close_queue();
	}
}

/* What the default mode does wrong (design.md, section 4) is not here. */
static void not_inherited(void **state)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = 0, .shift = -1, .node = -1 };
	unsigned int off, i;
	unsigned long mask;

	(void)state;
	EACH_TREE(k) {
		/* 32: a struct full of rubbish, depth 0, free. */
		hs_topo_set("four");
		hs_bug_clear();
		s = o->create(0);
		assert_int_equal(o->init(s, &cfg), 0);
		close_queue();

		/* A batch takes a word's top bit, and what a word has. */
		assert_true(open_queue("four", 64));
		for (i = 0; i < 64; i++)
			assert_true(get_on(0) >= 0);
		assert_int_equal(o->get_batch(s, 1, &off), 0);
		o->clear(s, 15, 0);
		mask = o->get_batch(s, 1, &off);
		assert_int_equal(__builtin_popcountl(mask), 1);
		assert_int_equal(off + __builtin_ctzl(mask), 15);
		o->clear(s, 33, 0);
		o->clear(s, 38, 0);
		mask = o->get_batch(s, 32, &off);
		assert_int_equal(mask << (off % 64), 1UL << 33 | 1UL << 38);
		/* All of it, if so many are asked for, and never more than that. */
		for (i = 33; i < 39; i++)
			o->clear(s, i, 0);
		mask = o->get_batch(s, 4, &off);
		assert_int_equal(__builtin_popcountl(mask), 4);
		assert_int_equal(mask << (off % 64) & ~(0x3fUL << 33), 0);
		assert_int_equal(__builtin_popcountl(o->get_batch(s, 32, &off)), 2);
		assert_int_equal(o->get_batch(s, 1, &off), 0);
		close_queue();
	}
}

/* What today's code does with such a bitmap: it stops, it corrupts nothing. */
static void poisoned(void **state)
{
	(void)state;
	EACH_TREE(k) {
		assert_true(open_queue("four", 10240));
		/* Non-canonical, also for the last word. */
		assert_true((long)o->map(s) >> 47 != 0 && (long)o->map(s) >> 47 != -1);
		assert_true(((long)o->map(s) + 10240 * 128L) >> 47 != -1);
		close_queue();
	}
}

/* The new lines of show are the last. */
static void show(void **state)
{
	struct hs_text t = { 0 };
	char *p;

	(void)state;
	EACH_TREE(k) {
		assert_true(open_queue("sparse", 64));
		assert_true(get_on(0) >= 0);
		assert_true(get_on(7) >= 0);
		assert_true(get_on(7) >= 0);
		o->show(s, &t);
		assert_int_equal(strncmp(t.buf, "depth=64\nbusy=3\n", 16), 0);
		p = strstr(t.buf, "\nmin_shallow_depth=");
		assert_non_null(p);
		p = strchr(p + 1, '\n');
		assert_string_equal(p, "\nnuma_slots=2\n"
				    "slot 0: node=0 words=4 busy=1\n"
				    "slot 1: node=8 words=4 busy=2\n");
		hs_text_free(&t);
		close_queue();
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(when),
		cmocka_unit_test(complete),
		cmocka_unit_test(local),
		cmocka_unit_test(nearest_first),
		cmocka_unit_test(own_bit_while_away),
		cmocka_unit_test(come_home),
		cmocka_unit_test(hints_stay),
		cmocka_unit_test(late_node),
		cmocka_unit_test(not_inherited),
		cmocka_unit_test(poisoned),
		cmocka_unit_test(show),
	};

	unsigned int known = 0;

	/* A name that is not in the list would leave every test without a case. */
	EACH_MACHINE(m)
		known++;
	if (!known) {
		fprintf(stderr, "test-numa: no machine %s\n",
			getenv("HARNESS_MACHINE"));
		return 2;
	}
	test_begin(argc, argv);
	return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
