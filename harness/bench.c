// SPDX-License-Identifier: GPL-2.0-only
/*
 * A get/put pair on real cores: the contenders in turn, many short rounds, so
 * that what else the machine does hits all of them alike. What is printed is
 * the median of each and of its ratio to the first in the same round.
 *
 * bench [--rounds N] [--pairs N]      tab separated
 * bench --memory                      bytes of a bitmap in both modes
 * bench --count TREE[:numa|:via] N LOAD  N pairs, for callgrind
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sbt.h"

/* One more contender is one more line; build/harness/TREE/plain. */
static const struct bench {
	const char *name, *tree;
	int numa;
} benches[] = {
	{ "base", "base", 0 },
	/* The same once more: what this way of measuring does not tell apart. */
	{ "base again", "base", 0 },
	{ "default", "patched", 0 },
	{ "dptr", "dptr", 0 },
	{ "hints", "hints", 0 },
	{ "numa", "patched", 1 },
};
#define BENCHES (sizeof(benches) / sizeof(benches[0]))

enum { ONE, TWO, SHAPES };
static const char *const shapes[] = { "one thread", "two threads" };

struct side {
	const struct sbt_ops *ops;
	struct sbt *s;
	unsigned long pairs;
	unsigned int sim_cpu;
	int cpu;
	double took;
	pthread_barrier_t *bar;
	struct hs_ctx ctx;
	struct task_struct task;
};

static double now(void)
{
	struct timespec t;

	/* Not the time in which something else had the core. */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void *side(void *arg)
{
	struct side *me = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(me->cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set)) {
		fprintf(stderr, "bench: cannot stay on CPU %d\n", me->cpu);
		exit(2);
	}
	me->ctx.cpu = me->sim_cpu;
	me->ctx.id = me->sim_cpu + 1;
	me->ctx.rng = me->sim_cpu;
	me->ctx.task = &me->task;
	hs_ctx_cur = &me->ctx;
	pthread_barrier_wait(me->bar);
	me->took = now();
	me->ops->pairs(me->s, me->pairs, me->sim_cpu);
	me->took = now() - me->took;
	return NULL;
}

/* ns for one pair of one thread */
static double measure(const struct sbt_ops *ops, struct sbt *s, int shape,
		      unsigned long n, const int *cpus)
{
	unsigned int i, nr = shape == TWO ? 2 : 1;
	pthread_barrier_t bar;
	struct side sides[2];
	pthread_t t[2];
	double took = 0;

	pthread_barrier_init(&bar, NULL, nr);
	memset(sides, 0, sizeof(sides));
	for (i = 0; i < nr; i++) {
		sides[i].ops = ops;
		sides[i].s = s;
		sides[i].pairs = n;
		/* of two nodes, where the topology has two */
		sides[i].sim_cpu = i * hs_topo.nr_cpus / 2;
		sides[i].cpu = cpus[i];
		sides[i].bar = &bar;
		if (pthread_create(&t[i], NULL, side, &sides[i]))
			abort();
	}
	for (i = 0; i < nr; i++) {
		pthread_join(t[i], NULL);
		took += sides[i].took;
	}
	pthread_barrier_destroy(&bar);
	return took / nr / n;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double part(double *v, unsigned int n, double p)
{
	return v[(unsigned int)(p * (n - 1) + 0.5)];
}

static struct sbt *make(const struct sbt_ops *ops, int numa, unsigned int depth)
{
	struct sbt_cfg cfg = {
		.queue = 1, .numa = numa, .depth = depth, .shift = -1,
		.alloc_hint = 1, .node = 0,
	};
	struct sbt *s = ops->create(1);

	return ops->init(s, &cfg) ? NULL : s;
}

/*
 * The CPUs of one node use all tags: a random one gives back a random tag and
 * gets another.
 */
static int alone(const struct sbt_ops *ops, struct sbt *s, unsigned int depth,
		 unsigned long n)
{
	unsigned int cpu, cpus = hs_topo.nr_cpus / hs_topo.nr_nodes, i;
	unsigned int share = depth / cpus;
	int *held = malloc(depth * sizeof(*held));
	unsigned long rng = 88172645463325252UL;

	for (i = 0; i < depth; i++) {
		hs_this()->cpu = i / share;
		held[i] = ops->get(s);
		if (held[i] < 0) {
			fprintf(stderr, "bench: only %u of %u tags can be taken\n",
				i, depth);
			return 1;
		}
	}
	while (n--) {
		rng ^= rng << 13;
		rng ^= rng >> 7;
		rng ^= rng << 17;
		i = (rng >> 11) % depth;
		cpu = i / share;
		hs_this()->cpu = cpu;
		ops->clear(s, held[i], cpu);
		held[i] = ops->get(s);
		if (held[i] < 0)
			return 1;
	}
	return 0;
}

/* No tag is left: each get looks at every word and fails. */
static int full(const struct sbt_ops *ops, struct sbt *s, unsigned long n)
{
	hs_this()->cpu = 0;
	while (ops->get(s) >= 0)
		;
	while (n--) {
		if (ops->get(s) >= 0)
			return 1;
	}
	return 0;
}

static int count(const char *name, const char *n, const char *load)
{
	unsigned long nr, depth = 256;
	char tree[128];
	struct sbt_tree t;
	struct sbt *s;
	char *colon;
	int numa = 0;

	snprintf(tree, sizeof(tree), "%s", name);
	colon = strchr(tree, ':');
	if (colon) {
		*colon = 0;
		numa = strcmp(colon + 1, "via") ? 1 : 3;
	}
	if (!strncmp(load, "alone-", 6) || !strncmp(load, "full-", 5)) {
		hs_topo_set("four32");
		if (sbt_parse_u(strchr(load, '-') + 1, 10240, &depth) || depth < 32)
			return 2;
	} else if (strcmp(load, "pair")) {
		fprintf(stderr, "bench: load %s: pair, alone-DEPTH or full-DEPTH\n",
			load);
		return 2;
	}
	if (sbt_parse_u(n, 1000000000, &nr) || sbt_load(tree, &t))
		return 2;
	s = make(t.ops, numa, depth);
	if (!s) {
		fprintf(stderr, "bench: %s: refused by its init function\n",
			name);
		return 3;
	}
	if (*load == 'f')
		return full(t.ops, s, nr);
	if (*load == 'a')
		return alone(t.ops, s, depth, nr);
	t.ops->pairs(s, nr, 0);
	return 0;
}

/* What is allocated beside struct sbitmap_queue itself, per-CPU data summed. */
static unsigned long live(void)
{
	unsigned long sum = 0, n;
	struct hs_alloc a;

	for (n = 0; hs_nth_live(n, &a); n++)
		sum += a.kind == HS_PERCPU ? a.size * hs_topo.nr_cpus : a.size;
	return sum;
}

static int memory(void)
{
	static const unsigned int depths[] = {
		2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 10240,
	};
	unsigned long bytes[2], before;
	unsigned int i, m, mode = 0;
	struct sbt_tree t;

	hs_topo_set("four32");
	if (sbt_load("patched", &t))
		return 2;
	printf("depth\tdefault\tasked\tmode\n");
	for (i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		for (m = 0; m < 2; m++) {
			struct sbt_cfg cfg = { .queue = 1, .numa = m,
					       .depth = depths[i], .shift = -1,
					       .alloc_hint = 1 };
			struct sbt *s = t.ops->create(1);

			before = live();
			if (t.ops->init(s, &cfg))
				return 3;
			bytes[m] = live() - before;
			mode = t.ops->numa(s);
			t.ops->free(s);
			if (live() != before)
				return 1;
			t.ops->destroy(s);
		}
		printf("%u\t%lu\t%lu\t%s\n", depths[i], bytes[0], bytes[1],
		       mode ? "numa" : "default");
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long rounds = 101, nr = 20000, r;
	double *ns[BENCHES][SHAPES], *ratio, *copy;
	struct sbt *s[BENCHES];
	struct sbt_tree t[BENCHES];
	int cpus[2], have = 0, i, shape;
	unsigned int b;
	cpu_set_t set;

	hs_topo_set("four");
	if (argc == 5 && !strcmp(argv[1], "--count"))
		return count(argv[2], argv[3], argv[4]);
	if (argc == 2 && !strcmp(argv[1], "--memory"))
		return memory();
	for (i = 1; i + 1 < argc; i += 2) {
		unsigned long *out = !strcmp(argv[i], "--rounds") ? &rounds :
				     !strcmp(argv[i], "--pairs") ? &nr : NULL;

		if (!out || sbt_parse_u(argv[i + 1], 1000000000, out) || !*out)
			break;
	}
	if (i < argc) {
		fprintf(stderr, "usage: bench [--rounds N] [--pairs N] | --memory | --count TREE[:numa|:via] N LOAD\n");
		return 2;
	}
	sched_getaffinity(0, sizeof(set), &set);
	for (i = 0; i < CPU_SETSIZE && have < 2; i++)
		if (CPU_ISSET(i, &set))
			cpus[have++] = i;
	ratio = malloc(rounds * sizeof(*ratio));
	copy = malloc(rounds * sizeof(*copy));
	for (b = 0; b < BENCHES; b++) {
		if (sbt_load(benches[b].tree, &t[b]))
			return 2;
		s[b] = make(t[b].ops, benches[b].numa, 256);
		for (shape = 0; shape < SHAPES; shape++)
			ns[b][shape] = malloc(rounds * sizeof(double));
	}
	/* The first round warms up, its figures go. */
	for (r = 0; r <= rounds; r++) {
		for (b = 0; b < BENCHES; b++) {
			unsigned int k = (b + r) % BENCHES;

			for (shape = 0; shape < have && s[k]; shape++)
				ns[k][shape][r ? r - 1 : 0] =
					measure(t[k].ops, s[k], shape, nr, cpus);
		}
		if (isatty(2))
			fprintf(stderr, "\rround %lu of %lu", r, rounds);
	}
	if (isatty(2))
		fputc('\n', stderr);
	printf("shape\twho\tns_median\tratio_median\tratio_p25\tratio_p75\trounds\n");
	for (shape = 0; shape < have; shape++) {
		for (b = 0; b < BENCHES; b++) {
			double med;

			if (!s[b])
				continue;
			for (r = 0; r < rounds; r++)
				ratio[r] = ns[b][shape][r] / ns[0][shape][r];
			qsort(ratio, rounds, sizeof(*ratio), by_value);
			memcpy(copy, ns[b][shape], rounds * sizeof(*copy));
			qsort(copy, rounds, sizeof(*copy), by_value);
			med = part(copy, rounds, 0.5);
			printf("%s\t%s\t%.2f\t%.4f\t%.4f\t%.4f\t%lu\n",
			       shapes[shape], benches[b].name, med,
			       part(ratio, rounds, 0.5),
			       part(ratio, rounds, 0.25),
			       part(ratio, rounds, 0.75), rounds);
		}
	}
	return 0;
}
