// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is the reduction sound, and does it reduce? Small generated programs are run
 * in all interleavings and by DPOR: the same final states, and as many
 * schedules as there are partial orders, each once. Would catch: a missing
 * backtrack point or dependency, a sleep set too large, a wrong clock. Also
 * cases whose number of partial orders is known by hand. "--break" puts three
 * faults into the search itself and expects to see each.
 */
#include <time.h>

#include "t.h"

void ex_break_search(int how);
int ex_preemptions(void);

enum what {
	READ, WRITE, READ4, WRITE4, UNALIGNED, ADD, CAS, VOID_OR, WMB, MB,
	RELEASE, ACQUIRE, FULL_STORE, LOCKED, TRYLOCK, HELD, AWAIT, CHOOSE,
	SLEEP, WAKE, IRQ_OFF, NWHAT
};

#define NOPS	6
#define NT	3
#define NI	2

struct op {
	uint8_t what, var, val;
};

struct program {
	int nt, ni;
	int n[NT + NI];
	int on[NI];
	struct op op[NT + NI][NOPS];
};

static struct program prog;

struct mem {
	uint64_t v[3];
	unsigned int lock;
};

static struct mem *m;

/* What threads saw; not shared */
static struct {
	uint64_t reg;
	int pc;
} ts[NT + NI];

static uint64_t rng;

static unsigned int rnd(unsigned int n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (rng >> 11) % n;
}

static int enough(void *arg)
{
	return ONCE(*(uint64_t *)arg) != 0;
}

static void saw(int i, uint64_t v)
{
	ts[i].reg = ts[i].reg * 31 + v + 1;
}

static void one_op(int i, const struct op *op)
{
	uint64_t *v = &m->v[op->var], old;
	uint32_t *h = (uint32_t *)v + (op->val & 1);

	switch (op->what) {
	case READ:
		saw(i, ONCE(*v));
		break;
	case WRITE:
		ONCE(*v) = op->val + 1;
		break;
	case READ4:
		saw(i, ONCE(*h));
		break;
	case WRITE4:
		ONCE(*h) = op->val + 1;
		break;
	case UNALIGNED:
		saw(i, *(volatile uint32_t *)((char *)m + 6));
		break;
	case ADD:
		saw(i, __atomic_fetch_add(v, op->val + 1, __ATOMIC_SEQ_CST));
		break;
	case CAS:
		old = 0;
		saw(i, __atomic_compare_exchange_n(v, &old, op->val + 1, 0,
						   __ATOMIC_RELAXED,
						   __ATOMIC_RELAXED));
		break;
	case VOID_OR:
		ex_rmw_void(v, 8, EX_RMW_OR, 1 << op->val);
		break;
	case WMB:
		smp_wmb();
		break;
	case MB:
		smp_mb();
		break;
	case RELEASE:
		__atomic_store_n(v, op->val + 1, __ATOMIC_RELEASE);
		break;
	case ACQUIRE:
		saw(i, __atomic_load_n(v, __ATOMIC_ACQUIRE));
		break;
	case FULL_STORE:
		__atomic_store_n(v, op->val + 1, __ATOMIC_SEQ_CST);
		break;
	case LOCKED:
		ex_lock(&m->lock);
		ONCE(*v) = ONCE(*v) + op->val + 1;
		ex_unlock(&m->lock);
		break;
	case TRYLOCK:
		if (ex_trylock(&m->lock)) {
			saw(i, ONCE(*v));
			ex_unlock(&m->lock);
		}
		break;
	case HELD:
		saw(i, ex_lock_is_held(&m->lock));
		break;
	case AWAIT:
		if (!ex_in_irq())
			ex_block(enough, v, "a value");
		break;
	case CHOOSE:
		if (ex_choose(2))
			ONCE(*v) = 7;
		break;
	case SLEEP:
		if (ex_in_irq())
			break;
		ex_prepare_sleep();
		if (!ONCE(*v))
			ex_sleep("for a wakeup");
		ex_set_running();
		break;
	case WAKE:
		ONCE(*v) = 1;
		smp_mb();
		saw(i, ex_wake(0));
		break;
	case IRQ_OFF:
		ex_irq_disable();
		saw(i, ONCE(*v));
		ONCE(*v) = op->val + 3;
		ex_irq_enable();
		break;
	}
}

static void interpret(void *arg)
{
	long i = (long)arg;

	for (ts[i].pc = 0; ts[i].pc < prog.n[i]; ts[i].pc++)
		one_op(i, &prog.op[i][ts[i].pc]);
}

static void setup(void *arg)
{
	(void)arg;
	m = ex_alloc(sizeof(*m), 64, "m");
	m->v[0] = m->v[1] = m->v[2] = 0;
	m->lock = 0;
	memset(ts, 0, sizeof(ts));
}

/* Sets of hashes */
struct set {
	uint64_t *h;
	unsigned long n, cap;
};

static bool add(struct set *s, uint64_t h)
{
	unsigned long i;

	if (2 * (s->n + 1) > s->cap) {
		struct set big = { .cap = s->cap ? 2 * s->cap : 256 };

		big.h = calloc(big.cap, sizeof(*big.h));
		for (i = 0; i < s->cap; i++)
			if (s->h[i])
				add(&big, s->h[i]);
		free(s->h);
		*s = big;
	}
	h |= !h;
	for (i = h % s->cap; s->h[i]; i = (i + 1) % s->cap)
		if (s->h[i] == h)
			return false;
	s->h[i] = h;
	s->n++;
	return true;
}

static bool same(const struct set *a, const struct set *b)
{
	struct set all = { 0 };
	unsigned long i;
	bool eq;

	for (i = 0; i < a->cap; i++)
		if (a->h[i])
			add(&all, a->h[i]);
	for (i = 0; i < b->cap; i++)
		if (b->h[i])
			add(&all, b->h[i]);
	eq = all.n == a->n && all.n == b->n;
	free(all.h);
	return eq;
}

struct seen {
	struct set states, traces;
	struct set few;			/* states of at most one preemption */
	unsigned long twice;
};

static void at_end(void *arg, uint64_t hash)
{
	struct seen *s = arg;
	uint64_t h = 1469598103934665603ul;
	const unsigned char *p;
	size_t i;

	for (p = (void *)m, i = 0; i < sizeof(*m); i++)
		h = (h ^ p[i]) * 1099511628211ul;
	for (p = (void *)ts, i = 0; i < sizeof(ts); i++)
		h = (h ^ p[i]) * 1099511628211ul;
	add(&s->states, h);
	if (ex_preemptions() <= 1)
		add(&s->few, h);
	if (!add(&s->traces, hash))
		s->twice++;
}

static void forget(struct seen *s)
{
	free(s->states.h);
	free(s->traces.h);
	free(s->few.h);
	memset(s, 0, sizeof(*s));
}

static struct ex_thread threads[NT] = {
	{ interpret, (void *)0 }, { interpret, (void *)1 },
	{ interpret, (void *)2 },
};
static struct ex_irq irqs[NI];

static struct ex_test test = {
	.name = "generated", .threads = threads, .irqs = irqs, .setup = setup,
};

static void explore(enum ex_strategy s, enum ex_memory mem, unsigned long max,
		    struct seen *seen, struct ex_result *r)
{
	struct ex_opts o = {
		.strategy = s, .memory = mem, .keep_going = true,
		.no_minimise = true, .quiet = true, .max_schedules = max,
		.max_seconds = 60, .on_end = at_end, .on_end_arg = seen,
		.preemptions = 1 + 1,
	};
	int i;

	test.nthreads = prog.nt;
	test.nirqs = prog.ni;
	for (i = 0; i < prog.ni; i++)
		irqs[i] = (struct ex_irq){
			interpret, (void *)(long)(prog.nt + i), prog.on[i],
		};
	ex_run(&test, &o, r);
}

static const char *const whats[] = {
	"READ", "WRITE", "READ4", "WRITE4", "UNALIGNED", "ADD", "CAS",
	"VOID_OR", "WMB", "MB", "RELEASE", "ACQUIRE", "FULL_STORE", "LOCKED",
	"TRYLOCK", "HELD", "AWAIT", "CHOOSE", "SLEEP", "WAKE", "IRQ_OFF",
};

static void print(void)
{
	int i, k;

	for (i = 0; i < prog.nt + prog.ni; i++) {
		if (i < prog.nt)
			printf("# thread %d:", i);
		else
			printf("# irq on %d:", prog.on[i - prog.nt]);
		for (k = 0; k < prog.n[i]; k++)
			printf(" %s(%d,%d)", whats[prog.op[i][k].what],
			       prog.op[i][k].var, prog.op[i][k].val);
		printf("\n");
	}
}

static void generate(enum ex_memory mem)
{
	static const uint8_t any[] = {
		READ, WRITE, READ, WRITE, ADD, CAS, LOCKED, TRYLOCK, HELD,
		AWAIT, CHOOSE, SLEEP, WAKE, READ4, WRITE4, UNALIGNED, IRQ_OFF,
	};
	static const uint8_t weak[] = {
		READ, WRITE, READ, WRITE, READ, WRITE, RELEASE, ACQUIRE, WMB,
		MB, ADD, CAS, VOID_OR, FULL_STORE, READ4, WRITE4, LOCKED, HELD,
		AWAIT, WAKE, SLEEP,
	};
	int i, k, left, vars = 1 + rnd(3);

	memset(&prog, 0, sizeof(prog));
	prog.nt = 2 + rnd(2);
	if (mem == EX_SC && !rnd(2))
		prog.ni = 1 + !rnd(3);
	else if (!rnd(4))
		prog.ni = 1;
	if (prog.ni && !rnd(3))
		prog.nt = 1 + rnd(2);
	left = mem == EX_SC ? 9 : 7;
	for (i = 0; i < prog.nt + prog.ni; i++) {
		prog.n[i] = 1 + rnd(mem == EX_SC ? 4 : 3);
		if (prog.n[i] > left)
			prog.n[i] = left;
		left -= prog.n[i];
		for (k = 0; k < prog.n[i]; k++)
			prog.op[i][k] = (struct op){
				mem == EX_SC ? any[rnd(sizeof(any))] :
					       weak[rnd(sizeof(weak))],
				rnd(vars), rnd(2),
			};
	}
	for (i = 0; i < prog.ni; i++)
		prog.on[i] = rnd(prog.nt);
}

/* 0 fine; differ: 1 states, 2 counts, 3 bounded states; -1 too large to say */
static int check(enum ex_memory mem, unsigned long max, bool verbose,
		 uint64_t *brute_n, uint64_t *dpor_n, uint64_t *blocked)
{
	struct seen all = { 0 }, some = { 0 }, bounded = { 0 };
	struct ex_result rb, rd, rp;
	int bad = 0;

	explore(EX_BRUTE, mem, max, &all, &rb);
	if (rb.coverage != EX_COV_COMPLETE) {
		forget(&all);
		return -1;
	}
	explore(EX_DPOR, mem, max, &some, &rd);
	explore(EX_BOUNDED, mem, max, &bounded, &rp);
	*brute_n += rb.schedules;
	*dpor_n += rd.schedules;
	*blocked += rd.blocked;
	if (!same(&all.states, &some.states))
		bad = 1;
	else if (!same(&all.few, &bounded.states) || rp.bound != 1)
		bad = 3;
	else if (all.traces.n != some.traces.n || some.twice ||
		 rd.schedules != all.traces.n ||
		 rd.coverage != EX_COV_COMPLETE)
		bad = 2;
	if (bad && verbose)
		printf("# states %lu, DPOR %lu; partial orders %lu, DPOR %lu in %lu schedules\n",
		       all.states.n, some.states.n, all.traces.n,
		       some.traces.n, rd.schedules);
	forget(&all);
	forget(&some);
	forget(&bounded);
	return bad;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static int bound_wrong;

/* Return: number of programs for which the search is wrong */
static int many(enum ex_memory mem, int want, double secs, uint64_t seed,
		unsigned long max, int *checked, int *redundant, bool verbose)
{
	static const char *const names[] = { "SC", "TSO", "PSO" };
	uint64_t brute = 0, dpor = 0, blocked = 0;
	int wrong = 0, large = 0, r;
	double end = now() + secs;

	*checked = *redundant = 0;
	rng = seed * 0x9e3779b97f4a7c15ul | 1;
	while (*checked < want && now() < end) {
		generate(mem);
		r = check(mem, max, verbose, &brute, &dpor, &blocked);
		if (r < 0) {
			large++;
			continue;
		}
		(*checked)++;
		if (r == 3 && !bound_wrong++ && verbose)
			print();
		if (r == 1) {
			wrong++;
			if (verbose && wrong < 4)
				print();
		}
		if (r == 2) {
			(*redundant)++;
			if (verbose && *redundant < 4)
				print();
		}
	}
	printf("# %s: %d programs (%d more were too large), %lu interleavings, DPOR %lu schedules and %lu cut\n",
	       names[mem], *checked, large, (unsigned long)brute,
	       (unsigned long)dpor, (unsigned long)blocked);
	return wrong;
}

/* -- known by hand -- */

static void count(const char *name, uint64_t want)
{
	struct seen all = { 0 }, some = { 0 };
	struct ex_result rb, rd;

	explore(EX_BRUTE, EX_SC, 2000000, &all, &rb);
	explore(EX_DPOR, EX_SC, 2000000, &some, &rd);
	ok(rd.schedules == want && all.traces.n == want &&
	   rd.coverage == EX_COV_COMPLETE,
	   "%s: %lu partial orders of %lu interleavings (DPOR %lu)", name,
	   want, rb.schedules, rd.schedules);
	forget(&all);
	forget(&some);
}

static void by_hand(void)
{
	prog = (struct program){ .nt = 2, .n = { 2, 2 }, .op = {
		{ { WRITE, 0, 0 }, { WRITE, 0, 1 } },
		{ { WRITE, 1, 0 }, { WRITE, 1, 1 } } } };
	count("nothing in common", 1);
	prog = (struct program){ .nt = 2, .n = { 2, 2 }, .op = {
		{ { WRITE, 0, 0 }, { WRITE, 0, 1 } },
		{ { WRITE, 0, 0 }, { WRITE, 0, 1 } } } };
	count("two writes each to one word, 4!/(2!2!)", 6);
	prog = (struct program){ .nt = 3, .n = { 1, 1, 1 }, .op = {
		{ { WRITE, 0, 0 } }, { { READ, 0, 0 } }, { { READ, 0, 0 } } } };
	count("a write and two reads, each before or after it", 4);
	prog = (struct program){ .nt = 3, .n = { 1, 1, 1 }, .op = {
		{ { LOCKED, 0, 0 } }, { { LOCKED, 0, 0 } },
		{ { LOCKED, 0, 0 } } } };
	count("three locked sections, 3!", 6);
	prog = (struct program){ .nt = 2, .n = { 2, 2 }, .op = {
		{ { WRITE, 0, 0 }, { READ, 1, 0 } },
		{ { WRITE, 1, 0 }, { READ, 0, 0 } } } };
	count("store buffering, 4 less the cycle", 3);
	prog = (struct program){ .nt = 2, .n = { 2, 2 }, .op = {
		{ { WRITE, 0, 0 }, { WRITE, 1, 0 } },
		{ { READ, 1, 0 }, { READ, 0, 0 } } } };
	count("message passing, 4 less the cycle", 3);
	prog = (struct program){ .nt = 1, .ni = 1, .n = { 3, 1 }, .op = {
		{ { READ, 0, 0 }, { READ, 0, 0 }, { READ, 0, 0 } },
		{ { READ, 1, 0 } } } };
	count("an interrupt at each of 3 accesses or after", 4);
	prog = (struct program){ .nt = 2, .n = { 2, 1 }, .op = {
		{ { CHOOSE, 0, 0 }, { CHOOSE, 1, 0 } },
		{ { READ, 0, 0 } } } };
	count("choices: 2 without the write, 2 x 2 with it", 6);
	prog = (struct program){ .nt = 3, .n = { 1, 1, 1 }, .op = {
		{ { AWAIT, 0, 0 } }, { { WRITE, 0, 0 } }, { { WRITE, 0, 1 } } } };
	count("a sleep until one of two writes: 2 orders, woken in 2 places", 4);
}

int main(int argc, char **argv)
{
	static const struct {
		enum ex_memory mem;
		int want;
		double secs;
	} part[] = {
		{ EX_SC, 400, 6 }, { EX_TSO, 300, 4 }, { EX_PSO, 300, 4 },
	};
	uint64_t seed = 1;
	double scale = 1;
	int i, n, wrong, extra;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--break")) {
			int how;

			for (how = 1; how <= 3; how++) {
				static const char *const faults[] = {
					"", "no backtrack points",
					"no sleep sets", "sleep sets too large",
				};

				ex_break_search(how);
				wrong = many(EX_SC, 100, 10, 1, 3000, &n,
					     &extra, false);
				ok(how == 2 ? extra > n / 4 : wrong > n / 4,
				   "%s: noticed (%d wrong, %d with a wrong count, of %d)",
				   faults[how], wrong, extra, n);
			}
			return done_testing();
		}
		if (!strcmp(argv[i], "--seed") && i + 1 < argc) {
			seed = strtoul(argv[++i], NULL, 0);
		} else if (!strcmp(argv[i], "--long")) {
			scale = 20;
		} else {
			fprintf(stderr, "t-sound: '%s' is not an option\n",
				argv[i]);
			return 2;
		}
	}
	by_hand();
	for (i = 0; i < 3; i++) {
		static const char *const names[] = { "SC", "TSO", "PSO" };

		wrong = many(part[i].mem, part[i].want * scale,
			     part[i].secs * scale, seed, 10000, &n, &extra,
			     true);
		ok(!wrong && n > 50, "%s: the same final states as all interleavings, %d programs (%d differ)",
		   names[i], n, wrong);
		ok(!bound_wrong, "%s: bounded by 1 sees what all interleavings with 1 preemption do (%d differ)",
		   names[i], bound_wrong);
		bound_wrong = 0;
		ok(!extra, "%s: each partial order once (%d programs not)",
		   names[i], extra);
	}
	return done_testing();
}
