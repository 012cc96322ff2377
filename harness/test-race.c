// SPDX-License-Identifier: GPL-2.0-only
/*
 * Races of the kernel's sbitmap under the explorer that explore/t-sbitmap.c
 * has not: faults of the base, each in its smallest case (they must fail, as
 * they do today), and cases for kept faults.
 *
 * test-race [CASE [options of the explorer]]
 */
#include <malloc.h>

#include "t.h"

#include "sbt.h"

static struct sbt_tree trees[4];
static unsigned int ntrees;
static const struct sbt_ops *op;
static struct sbt *s;
static struct sbt_waiter *waiter, *other, *pristine;
static size_t waiter_size;

static struct shared {
	unsigned long data;
	int owner[64];
} sh;

static int running(void *arg)
{
	struct task_struct *t = arg;

	return __atomic_load_n(&t->__state, __ATOMIC_RELAXED) == 0;
}

static void block(struct task_struct *t)
{
	ex_block(running, t, "for a tag");
}

static void begin(unsigned int depth, int shift)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = depth, .shift = shift,
			       .numa = op->has & SBT_HAS_NUMA ? 2 : 0, .node = -1 };

	hs_explore_begin();
	hs_sched.block = block;
	memcpy(waiter, pristine, waiter_size);
	ex_shared(waiter, waiter_size, "waiter");
	memcpy(other, pristine, waiter_size);
	ex_shared(other, waiter_size, "other waiter");
	memset(&sh, 0, sizeof(sh));
	ex_shared(&sh, sizeof(sh), "the test's own");
	s = op->create(0);
	if (op->init(s, &cfg))
		ex_fail("init fails");
	op->set_hint(s, 0, 0);
	op->set_hint(s, 1, 0);
}

static void own(int nr, unsigned int depth)
{
	ex_assert(nr < (int)depth, "bit %d is handed out, no depth was above %u",
		  nr, depth);
	ex_assert(!__atomic_exchange_n(&sh.owner[nr], 1, __ATOMIC_RELAXED),
		  "bit %d has two owners", nr);
}

static void sane(void *arg)
{
	(void)arg;
	ex_assert(!hs_bugs(), "%s", hs_bug_text());
}

/* ---- 1: the waiter is taken off and added again, as kyber does ---- */

static void readd_setup(void *arg)
{
	(void)arg;
	begin(2, 1);
	op->add(s, waiter, 0);
}

static void readd(void *arg)
{
	(void)arg;
	if (!op->queued(waiter))
		op->add(s, waiter, 0);
}

static void del(void *arg)
{
	(void)arg;
	op->del(waiter);
}

static void other_passes(void *arg)
{
	(void)arg;
	op->add(s, other, 0);
	op->del(other);
}

static void readd_final(void *arg)
{
	unsigned int ws, n = 0;

	for (ws = 0; ws < op->wait_queues; ws++)
		n += op->waiters(s, ws);
	ex_assert(op->ws_active(s) == (int)n, "ws_active %d, %u wait",
		  op->ws_active(s), n);
	sane(arg);
}

/* ---- what the owner wrote is there for the next owner ---- */

static void handover_setup(void *arg)
{
	(void)arg;
	begin(1, 0);
	if (op->get(s) != 0)
		ex_fail("no bit");
	sh.data = 1;
}

static void hand(void *arg)
{
	(void)arg;
	__atomic_store_n(&sh.data, 0, __ATOMIC_RELAXED);
	op->clear(s, 0, 0);
}

static void hand_batch(void *arg)
{
	int tag = 0;

	(void)arg;
	__atomic_store_n(&sh.data, 0, __ATOMIC_RELAXED);
	op->clear_batch(s, 0, &tag, 1);
}

static void over(void *arg)
{
	(void)arg;
	if (op->get(s) == 0)
		ex_assert(!__atomic_load_n(&sh.data, __ATOMIC_RELAXED),
			  "the new owner sees the old one's data");
}

/* ---- a bit is freed while another one is moved from cleared to word ---- */

static void move_setup(void *arg)
{
	(void)arg;
	begin(2, 1);
	if (op->get(s) != 0 || op->get(s) != 1)
		ex_fail("no bits");
	op->clear(s, 0, 0);
}

static void move(void *arg)
{
	(void)arg;
	ex_assert(op->get(s) >= 0, "a get fails, a bit was free throughout");
}

static void free_other(void *arg)
{
	(void)arg;
	op->clear(s, 1, 1);
}

static void move_final(void *arg)
{
	ex_assert(op->weight(s) == 1, "weight %u, one bit is taken",
		  op->weight(s));
	ex_assert(op->get(s) >= 0, "one of two bits is taken, no get succeeds");
	ex_assert(op->get(s) < 0, "three bits of two");
	sane(arg);
}

/* ---- design.md 4: weight makes two passes ---- */

static void weight_setup(void *arg)
{
	(void)arg;
	begin(1, 0);
}

static void get_and_put(void *arg)
{
	int nr;

	(void)arg;
	nr = op->get(s);
	if (nr >= 0)
		op->clear(s, nr, 0);
}

static void weigh(void *arg)
{
	unsigned int w = op->weight(s);

	(void)arg;
	ex_assert(w <= 1, "weight %u of 1 bit", w);
}

/* ---- 33: depth and map_nr are stored and read in two ---- */

static void torn_setup(void *arg)
{
	(void)arg;
	/* Memory for four words of one bit; one word, its bit free. */
	begin(4, 0);
	op->resize(s, 1);
}

/* Words that were shrunk away still have their bits: 2 is taken. */
static void beyond_setup(void *arg)
{
	(void)arg;
	begin(3, 0);
	if (op->get(s) != 0 || op->get(s) != 1 || op->get(s) != 2)
		ex_fail("no bits");
	sh.owner[0] = sh.owner[1] = sh.owner[2] = 1;
	op->set_hint(s, 1, 2);
}

static void grow(void *arg)
{
	(void)arg;
	op->resize(s, 2);
}

static void shrink(void *arg)
{
	(void)arg;
	op->resize(s, 1);
}

static void gets(void *arg)
{
	int i, nr;

	(void)arg;
	for (i = 0; i < 3; i++) {
		nr = op->get(s);
		if (nr >= 0)
			own(nr, 2);
	}
}

static void get_one(void *arg)
{
	int nr = op->get(s);

	(void)arg;
	if (nr >= 0)
		own(nr, 3);
}

struct kase {
	const char *name;
	void (*setup)(void *arg);
	void (*a)(void *arg);
	void (*b)(void *arg);
	void (*final)(void *arg);
	enum ex_memory max_memory;
	const char *known;	/* it fails today: why */
	void (*c)(void *arg);	/* a third CPU, or NULL */
};

static const struct kase cases[] = {
	{ "add again while it is taken off", readd_setup, readd, del,
	  readd_final, EX_TSO, NULL },
	{ "add again while it is taken off, another waiter passes",
	  readd_setup, readd, del, readd_final, EX_TSO, NULL, other_passes },
	{ "data goes with the bit, clear", handover_setup, hand, over, sane,
	  EX_PSO, NULL },
	{ "data goes with the bit, batch clear", handover_setup, hand_batch,
	  over, sane, EX_PSO, NULL },
	{ "clear while cleared bits are moved", move_setup, move, free_other,
	  move_final, EX_PSO, NULL },
	{ "weight of one bit, got and put meanwhile", weight_setup, weigh,
	  get_and_put, sane, EX_SC, "two passes: the weight is -1" },
	{ "grow from one word to two, gets meanwhile", torn_setup, grow,
	  gets, sane, EX_SC, "depth is new, map_nr old: a word of one bit "
	  "has two" },
	{ "shrink from three words to one, a get meanwhile", beyond_setup,
	  shrink, get_one, sane, EX_SC, "depth is new, map_nr old: the last "
	  "word seems to have 2^32 - 1 bits" },
};

#define NCASES (sizeof(cases) / sizeof(*cases))

static void one(const char *tree, const struct kase *k, const struct ex_opts *base,
		bool loud)
{
	static const char *const modes[] = { "SC", "TSO", "PSO" };
	struct ex_opts o = *base;
	const char *known = k->known;
	struct ex_result r;
	char name[128];
	struct ex_thread th[3] = { { .fn = k->a }, { .fn = k->b }, { .fn = k->c } };
	struct ex_test t = { .name = name, .nthreads = k->c ? 3 : 2, .threads = th,
			     .setup = k->setup, .final = k->final };

	/* NUMA mode is to have none of the base's faults. */
	if (op->has & SBT_HAS_NUMA)
		known = NULL;
	for (o.memory = EX_SC; o.memory <= k->max_memory; o.memory++) {
		snprintf(name, sizeof(name), "%s, %s, %s", tree, k->name,
			 modes[o.memory]);
		o.quiet = known && !loud;
		ex_run(&t, &o, &r);
		ex_report(&t, &r, stdout);
		if (r.status != EX_PASS)
			fprintf(stderr, "red after %llu schedules\n",
				(unsigned long long)r.schedules);
		if (known) {
			ok(r.status == EX_FAIL, "%s: as it is: %s", name,
			   k->known);
			printf("# %s\n# replay: %s\n", r.message, r.replay);
			continue;
		}
		ok(r.status == EX_PASS && r.coverage == EX_COV_COMPLETE &&
		   !r.too_long, "%s: %s", name, ex_coverage_str(&r));
	}
}

int main(int argc, char **argv)
{
	struct ex_opts o = { .max_seconds = 5, .schedules = 2000 };
	const char *want = NULL;
	unsigned int i, j;
	int a = 1;

	if (a < argc && argv[a][0] != '-')
		want = argv[a++];
	a += ex_args(argc - a + 1, argv + a - 1, &o) - 1;
	if (a < argc) {
		fprintf(stderr, "test-race: '%s' is not an option\n", argv[a]);
		return 2;
	}
	if (hs_topo_set("1x4"))
		return 2;
	hs_explore_begin();
	ntrees = sbt_load_all(trees, 4);
	for (j = 0; j < ntrees; j++) {
		op = trees[j].ops;
		waiter = op->waiter(NULL);
		waiter_size = malloc_usable_size(waiter);
		pristine = malloc(waiter_size);
		memcpy(pristine, waiter, waiter_size);
		other = op->waiter(NULL);
		for (i = 0; i < NCASES; i++)
			if (!want || !strcmp(want, cases[i].name))
				one(trees[j].name, &cases[i], &o, want);
	}
	if (!t_n) {
		fprintf(stderr, "test-race: no case '%s'\n", want);
		return 2;
	}
	return done_testing();
}
