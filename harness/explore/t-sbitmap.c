// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's sbitmap.c, explored: two or three CPUs, one or two words, a
 * handful of operations. Would catch: a bit with two owners, a get that fails
 * though a bit was free throughout, a bit beyond the depth, a waiter that
 * sleeps while bits are free, ws_active off from the queued waiters, a wrong
 * weight, a leak; under weak orderings too.
 *
 * t-sbitmap [CASE [options of the explorer]]; --list prints the cases.
 */
#include <malloc.h>

#include "t.h"

#include "sbt.h"

#define BITS	16
#define CALLS	64

static struct sbt_tree trees[4];
static unsigned int ntrees;
static const struct sbt_ops *op;
static struct sbt *s;

enum what { GET, WAIT, PUT, CLEAR, CLEAR2, BATCH, HELD, RECALC, RESIZE, TEST };

/* One operation of a body; a PUT clears what this body got last */
struct act {
	uint8_t what;
	uint8_t nr;
};

struct body {
	struct act act[6];
	int n;
};

#define DO(...)	{ .act = { __VA_ARGS__ },				\
		  .n = sizeof((struct act[]){ __VA_ARGS__ }) / sizeof(struct act) }

struct kase {
	const char *name;
	int depth, shift;
	int taken;		/* bits that are taken at the start: 0 .. */
	int cleared;		/* of these, freed again, still in .cleared */
	int nt, ni;
	struct body body[4];
	int irq_on[2];
	int hint[3];
	bool may_fail;		/* a get may find nothing */
	enum ex_memory max_memory;	/* SC, or up to PSO */
	const char *known;	/* fails in the base as it is, and why */
};

static const struct kase *k;
static bool loud;		/* one case was asked for: print its steps */

/* What is known from outside: when was a bit taken, by whom */
static struct call {
	unsigned long from, to;	/* of a failed get; or a bit is taken */
	int bit;		/* -1: a failed get */
	int by;
} calls[CALLS];
static int ncalls;
static unsigned long tick;
static int owner[BITS];		/* 0 free, else 1 + body */
static struct sbt_waiter *waiters[4];
static struct sbt_waiter *pristine[4];
static size_t waiter_size;
static int got_nr[4];

static void own(int bit, int by, unsigned long from)
{
	ex_assert(bit >= 0 && bit < k->depth, "bit %d of a depth of %d", bit,
		  k->depth);
	ex_assert(!owner[bit], "bit %d is handed to %d while %d has it", bit,
		  by, owner[bit] - 1);
	owner[bit] = by + 1;
	calls[ncalls++] = (struct call){ from, ~0ul, bit, by };
	ex_note("got bit %d", bit);
}

/* It is free for others from the start of the call that frees it */
static void disown(int bit)
{
	ex_assert(owner[bit], "test: bit %d is not taken", bit);
	owner[bit] = 0;
}

static void released(int bit)
{
	int i;

	for (i = ncalls - 1; i >= 0; i--)
		if (calls[i].bit == bit && calls[i].to == ~0ul)
			break;
	/* Somebody may have got it meanwhile: the older one ends */
	for (i = 0; i < ncalls; i++) {
		if (calls[i].bit == bit && calls[i].to == ~0ul) {
			calls[i].to = ++tick;
			return;
		}
	}
}

static void act(int i, const struct act *a)
{
	unsigned int offset = 0;
	unsigned long from = ++tick, mask;
	int nr, j, tags[2];

	switch (a->what) {
	case GET:
		nr = op->get(s);
		if (nr < 0) {
			ex_note("get fails");
			calls[ncalls++] = (struct call){ from, ++tick, -1, i };
		} else {
			own(nr, i, from);
		}
		got_nr[i] = nr;
		break;
	case WAIT:
		nr = op->get_wait(s, waiters[i]);
		own(nr, i, from);
		got_nr[i] = nr;
		break;
	case PUT:
		if (got_nr[i] < 0)
			break;
		nr = got_nr[i];
		disown(nr);
		op->clear(s, nr, ex_cpu());
		released(nr);
		break;
	case CLEAR:
		disown(a->nr);
		op->clear(s, a->nr, ex_cpu());
		released(a->nr);
		break;
	case CLEAR2:
		for (j = 0; j < 2; j++) {
			tags[j] = a->nr + j;
			disown(tags[j]);
		}
		op->clear_batch(s, 0, tags, 2);
		released(tags[0]);
		released(tags[1]);
		break;
	case BATCH:
		mask = op->get_batch(s, a->nr, &offset);
		for (j = 0; j < BITS; j++)
			if (mask >> j & 1)
				own(offset + j, i, from);
		break;
	case RECALC:
		op->recalc(s, a->nr);
		break;
	case RESIZE:
		op->resize(s, a->nr);
		break;
	case TEST:
		(void)op->any_set(s);
		(void)op->weight(s);
		break;
	}
}

static void run_body(void *arg)
{
	long i = (long)arg;
	int j;

	for (j = 0; j < k->body[i].n; j++)
		act(i, &k->body[i].act[j]);
}

static int running(void *arg)
{
	struct task_struct *t = arg;

	return ONCE(t->__state) == 0;
}

static void block(struct task_struct *t)
{
	ex_block(running, t, "for a tag");
}

static void setup(void *arg)
{
	struct sbt_cfg cfg = {
		.queue = 1, .depth = k->depth, .shift = k->shift, .node = -1,
		.numa = op->has & SBT_HAS_NUMA ? 2 : 0,
	};
	int i;

	(void)arg;
	hs_explore_begin();
	hs_sched.block = block;
	s = op->create(0);
	if (op->init(s, &cfg))
		ex_fail("init fails");
	for (i = 0; i < 4; i++) {
		memcpy(waiters[i], pristine[i], waiter_size);
		ex_shared(waiters[i], waiter_size, "waiter");
	}
	memset(owner, 0, sizeof(owner));
	ncalls = 0;
	tick = 0;
	op->set_hint(s, 0, 0);
	for (i = 0; i < k->taken; i++) {
		if (op->get(s) != i)
			ex_fail("setup: bits are not handed out in order");
		own(i, 99, 0);
	}
	for (i = 0; i < k->cleared; i++) {
		disown(i);
		op->clear(s, i, 0);
		released(i);
	}
	for (i = 0; i < 3; i++)
		op->set_hint(s, i, k->hint[i]);
	for (i = 0; i < 4; i++)
		got_nr[i] = -1;
}

static void final(void *arg)
{
	int i, j, n = 0, bits = 0;
	unsigned int ws, queued = 0;

	(void)arg;
	for (i = 0; i < ncalls; i++) {
		struct call *f = &calls[i];

		if (f->bit >= 0)
			continue;
		for (j = 0; j < k->depth; j++) {
			for (n = 0; n < ncalls; n++)
				if (calls[n].bit == j && calls[n].from < f->to &&
				    calls[n].to > f->from)
					break;
			ex_assert(n < ncalls,
				  "a get by %d fails though bit %d is free throughout",
				  f->by, j);
		}
		ex_assert(k->may_fail, "a get by %d fails", f->by);
	}
	for (j = 0; j < k->depth; j++)
		bits += owner[j] != 0;
	ex_assert(op->weight(s) == (unsigned int)bits, "weight %u, %d bits are taken",
		  op->weight(s), bits);
	for (ws = 0; ws < op->wait_queues; ws++)
		queued += op->waiters(s, ws);
	ex_assert(op->ws_active(s) == (int)queued && !queued,
		  "ws_active %d, %u waiters queued at the end",
		  op->ws_active(s), queued);
	/* Every free bit can be got, no more */
	for (i = bits; i < k->depth; i++) {
		n = op->get(s);
		ex_assert(n >= 0, "%d of %d bits are taken, but none can be got",
			  i, k->depth);
		own(n, 98, ++tick);
	}
	ex_assert(op->get(s) < 0, "more bits than the depth");
	ex_assert(!hs_bugs(), "%s", hs_bug_text());
	ex_assert(!hs_warns(), "a warning");
	op->free(s);
	op->destroy(s);
	ex_assert(!ex_alloc_live(), "%d objects are not freed", ex_alloc_live());
}

static const struct kase cases[] = {
	{ "get, get", 4, 2, 0, 0, 2, 0,
	  { DO({ GET, 0 }), DO({ GET, 0 }) }, .max_memory = EX_PSO },
	{ "get, get, get", 4, 2, 0, 0, 3, 0,
	  { DO({ GET, 0 }), DO({ GET, 0 }), DO({ GET, 0 }) } },
	{ "get and put, twice", 2, 1, 0, 0, 2, 0,
	  { DO({ GET, 0 }, { PUT, 0 }), DO({ GET, 0 }, { PUT, 0 }) },
	  .max_memory = EX_PSO },
	{ "get, get, one word full of cleared bits", 2, 1, 2, 2, 2, 0,
	  { DO({ GET, 0 }), DO({ GET, 0 }) }, .max_memory = EX_PSO },
	{ "get, get, get, one word full of cleared bits", 4, 2, 4, 4, 3, 0,
	  { DO({ GET, 0 }), DO({ GET, 0 }), DO({ GET, 0 }) } },
	{ "get, clear, word full", 2, 1, 2, 0, 2, 0,
	  { DO({ GET, 0 }), DO({ CLEAR, 1 }) }, .may_fail = true,
	  .max_memory = EX_PSO },
	{ "get, get, clear, word full", 2, 1, 2, 0, 3, 0,
	  { DO({ GET, 0 }), DO({ GET, 0 }), DO({ CLEAR, 1 }) },
	  .may_fail = true },
	{ "get, get, two words, one full of cleared bits", 4, 1, 4, 2, 2, 0,
	  { DO({ GET, 0 }), DO({ GET, 0 }) }, .hint = { 2, 2 },
	  .max_memory = EX_PSO },
	{ "get, clear in the other word", 4, 1, 4, 0, 2, 0,
	  { DO({ GET, 0 }), DO({ CLEAR, 3 }) }, .may_fail = true,
	  .max_memory = EX_PSO },
	{ "batch, batch", 4, 2, 0, 0, 2, 0,
	  { DO({ BATCH, 2 }), DO({ BATCH, 2 }) }, .max_memory = EX_PSO },
	{ "batch, get, cleared bits", 4, 2, 4, 4, 2, 0,
	  { DO({ BATCH, 2 }), DO({ GET, 0 }) }, .max_memory = EX_PSO },
	{ "batch clear, get", 4, 2, 4, 0, 2, 0,
	  { DO({ CLEAR2, 0 }), DO({ GET, 0 }) }, .may_fail = true,
	  .max_memory = EX_PSO },
	{ "one waiter, one clear", 1, 0, 1, 0, 2, 0,
	  { DO({ WAIT, 0 }), DO({ CLEAR, 0 }) }, .max_memory = EX_PSO },
	{ "one waiter, one clear, two words", 2, 0, 2, 0, 2, 0,
	  { DO({ WAIT, 0 }), DO({ CLEAR, 1 }) }, .max_memory = EX_PSO },
	{ "two waiters hand the bit on", 1, 0, 1, 0, 3, 0,
	  { DO({ WAIT, 0 }, { PUT, 0 }), DO({ WAIT, 0 }, { PUT, 0 }),
	    DO({ CLEAR, 0 }) } },
	{ "two waiters, two clears", 2, 1, 2, 0, 3, 0,
	  { DO({ WAIT, 0 }, { PUT, 0 }), DO({ WAIT, 0 }, { PUT, 0 }),
	    DO({ CLEAR, 0 }, { CLEAR, 1 }) } },
	{ "two waiters, two clears at once", 2, 1, 2, 0, 4, 0,
	  { DO({ WAIT, 0 }, { PUT, 0 }), DO({ WAIT, 0 }, { PUT, 0 }),
	    DO({ CLEAR, 0 }), DO({ CLEAR, 1 }) } },
	{ "two waiters, one batch clear", 2, 1, 2, 0, 3, 0,
	  { DO({ WAIT, 0 }, { PUT, 0 }), DO({ WAIT, 0 }, { PUT, 0 }),
	    DO({ CLEAR2, 0 }) } },
	{ "two waiters keep what they get", 2, 1, 2, 0, 3, 0,
	  { DO({ WAIT, 0 }), DO({ WAIT, 0 }), DO({ CLEAR, 0 }, { CLEAR, 1 }) },
	  .known = "a wakeup goes to a waiter that has just found a bit by "
		   "itself; the other one sleeps until that bit is put" },
	{ "one waiter, one batch clear", 2, 1, 2, 0, 2, 0,
	  { DO({ WAIT, 0 }), DO({ CLEAR2, 0 }) }, .max_memory = EX_PSO },
	{ "get and put against a waiter", 1, 0, 0, 0, 2, 0,
	  { DO({ WAIT, 0 }, { PUT, 0 }), DO({ WAIT, 0 }, { PUT, 0 }) },
	  .max_memory = EX_TSO },
	{ "a clear nested in a clear, one waiter", 2, 1, 2, 0, 2, 1,
	  { DO({ WAIT, 0 }), DO({ CLEAR, 0 }), DO({ CLEAR, 1 }) },
	  .irq_on = { 1 } },
	{ "a clear nested in a clear, two waiters", 2, 1, 2, 0, 3, 1,
	  { DO({ WAIT, 0 }, { PUT, 0 }), DO({ WAIT, 0 }, { PUT, 0 }),
	    DO({ CLEAR, 0 }), DO({ CLEAR, 1 }) }, .irq_on = { 2 } },
	{ "the clear comes as an interrupt of the waiter", 1, 0, 1, 0, 1, 1,
	  { DO({ WAIT, 0 }), DO({ CLEAR, 0 }) }, .irq_on = { 0 },
	  .max_memory = EX_PSO },
	{ "a clear nested in a get", 2, 1, 2, 0, 1, 1,
	  { DO({ GET, 0 }), DO({ CLEAR, 0 }) }, .irq_on = { 0 },
	  .may_fail = true, .max_memory = EX_PSO },
	{ "a get nested in a get, cleared bits", 2, 1, 2, 2, 1, 1,
	  { DO({ GET, 0 }), DO({ GET, 0 }) }, .irq_on = { 0 },
	  .max_memory = EX_PSO },
	{ "a waiter while the wake batch changes", 1, 0, 1, 0, 3, 0,
	  { DO({ WAIT, 0 }), DO({ CLEAR, 0 }), DO({ RECALC, 2 }) } },
};

#define NCASES	(sizeof(cases) / sizeof(*cases))

static struct ex_thread threads[4];
static struct ex_irq irqs[2];

static void build(struct ex_test *t)
{
	int i;

	*t = (struct ex_test){
		.name = k->name, .threads = threads, .nthreads = k->nt,
		.irqs = irqs, .nirqs = k->ni, .setup = setup, .final = final,
	};
	for (i = 0; i < k->nt; i++)
		threads[i] = (struct ex_thread){ run_body, (void *)(long)i };
	for (i = 0; i < k->ni; i++)
		irqs[i] = (struct ex_irq){ run_body,
					   (void *)(long)(k->nt + i),
					   k->irq_on[i] };
}

static void one(const char *tree, const struct ex_opts *base)
{
	static const char *const modes[] = { "SC", "TSO", "PSO" };
	struct ex_opts o = *base;
	struct ex_result r;
	struct ex_test t;
	char name[128];

	for (o.memory = EX_SC; o.memory <= k->max_memory; o.memory++) {
		build(&t);
		snprintf(name, sizeof(name), "%s, %s, %s", tree, k->name,
			 modes[o.memory]);
		t.name = name;
		o.quiet = k->known && !loud;
		/* It ends when it has found what is known, in a fixed order. */
		if (k->known)
			o.complete_seconds = 60;
		ex_run(&t, &o, &r);
		ex_report(&t, &r, stdout);
		if (k->known) {
			ok(r.status == EX_DEADLOCK, "%s: as it is: %s", name,
			   k->known);
			continue;
		}
		ok(r.status == EX_PASS && r.coverage != EX_COV_NONE &&
		   !r.too_long, "%s: %s", name,
		   r.status == EX_PASS ? ex_coverage_str(&r) : r.message);
	}
}

/* Are the files of a tree those of one that was run before? */
static bool same_files(unsigned int j)
{
	const char *dir = getenv("HARNESS_BUILD");
	char path[4096], sum[2][256];
	unsigned int i, n;

	/* They are, but the mode is another. */
	if (trees[j].ops->has & SBT_HAS_NUMA)
		return false;
	for (i = 0; i < j; i++) {
		for (n = 0; n < 2; n++) {
			FILE *f;

			snprintf(path, sizeof(path), "%s/%s/src/.stamp",
				 dir ? dir : "build/harness",
				 trees[n ? j : i].name);
			f = fopen(path, "r");
			if (!f || !fgets(sum[n], sizeof(sum[n]), f))
				snprintf(sum[n], sizeof(sum[n]), "%u", n);
			if (f)
				fclose(f);
		}
		if (!strcmp(sum[0], sum[1])) {
			printf("# %s has the same files as %s\n",
			       trees[j].name, trees[i].name);
			return true;
		}
	}
	return false;
}

/* NUMA mode: with one slot, and where there are words for it with two. */
static unsigned int two_nodes(unsigned int j)
{
	return !!(trees[j].ops->has & SBT_HAS_NUMA);
}

int main(int argc, char **argv)
{
	struct ex_opts o = { .max_seconds = 5, .complete_seconds = 0.5,
			     .schedules = 2000 };
	const char *want = NULL;
	unsigned int i, j;
	int a = 1;

	if (a < argc && !strcmp(argv[a], "--list")) {
		for (i = 0; i < NCASES; i++)
			printf("%s\n", cases[i].name);
		return 0;
	}
	if (a < argc && !strcmp(argv[a], "--long")) {
		o.max_seconds = 120;
		o.complete_seconds = 120;
		o.max_schedules = 100000000;
		o.schedules = 100000;
		a++;
	} else if (a < argc && argv[a][0] != '-') {
		want = argv[a++];
		loud = true;
	}
	a += ex_args(argc - a + 1, argv + a - 1, &o) - 1;
	if (a < argc) {
		fprintf(stderr, "t-sbitmap: '%s' is not an option\n", argv[a]);
		return 2;
	}
	if (o.replay && !want) {
		fprintf(stderr, "t-sbitmap: --replay needs the name of a case\n");
		return 2;
	}
	if (hs_topo_set("1x4"))
		return 2;
	hs_explore_begin();
	ntrees = sbt_load_all(trees, 4);
	for (j = 0; j < ntrees; j++) {
		if (same_files(j))
			continue;
		op = trees[j].ops;
		for (i = 0; i < 4; i++) {
			waiters[i] = op->waiter(NULL);
			waiter_size = malloc_usable_size(waiters[i]);
			pristine[i] = malloc(waiter_size);
			memcpy(pristine[i], waiters[i], waiter_size);
		}
		for (i = 0; i < NCASES * (1 + two_nodes(j)); i++) {
			k = &cases[i % NCASES];
			if (want && strcmp(want, k->name))
				continue;
			hs_topo_set(i < NCASES ? "1x4" : "2x2");
			if (i >= NCASES && k->depth >> k->shift < 2)
				continue;
			if (o.replay) {
				struct ex_test t;

				build(&t);
				return ex_run(&t, &o, NULL) != EX_PASS;
			}
			one(trees[j].name, &o);
		}
	}
	if (!t_n) {
		fprintf(stderr, "t-sbitmap: no case '%s'; see --list\n", want);
		return 2;
	}
	return done_testing();
}
