// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small programs with known answers. Would catch: an explorer that misses a
 * race, calls a correct program wrong, misses a lost wakeup, a deadlock, a
 * nested interrupt, a torn copy, a use after free, or cannot replay.
 */
#include "t.h"

static struct {
	unsigned long count;
	unsigned int lock;
	unsigned int lock2;
	unsigned int flag;
	unsigned int cond;
	unsigned long seen;
	unsigned long turn;
	unsigned long want[2];
	unsigned long in;
	unsigned char buf[24];
	unsigned char out[24];
} *g;

static void setup(void *arg)
{
	(void)arg;
	g = ex_alloc(sizeof(*g), 64, "g");
	for (unsigned long i = 0; i < sizeof(*g); i++)
		((volatile char *)g)[i] = 0;
}

static enum ex_status run(struct ex_test *t, struct ex_opts *o,
			  struct ex_result *r)
{
	struct ex_opts own = { .quiet = true };
	enum ex_status st;

	if (!t->setup)
		t->setup = setup;
	st = ex_run(t, o ? o : &own, r);
	ex_report(t, r, stdout);
	return st;
}

/* -- counter -- */

static void inc_plain(void *arg)
{
	(void)arg;
	g->count++;
}

static void inc_locked(void *arg)
{
	(void)arg;
	ex_lock(&g->lock);
	g->count++;
	ex_unlock(&g->lock);
}

static void inc_atomic(void *arg)
{
	(void)arg;
	__atomic_fetch_add(&g->count, 1, __ATOMIC_RELAXED);
}

static void two(void *arg)
{
	(void)arg;
	ex_assert(g->count == 2, "count is %lu, wanted 2", g->count);
}

static const struct ex_thread plain2[] = { { inc_plain }, { inc_plain } };
static const struct ex_thread locked2[] = { { inc_locked }, { inc_locked } };
static const struct ex_thread atomic2[] = { { inc_atomic }, { inc_atomic } };

/* -- lost wakeup -- */

static void waiter_bad(void *arg)
{
	(void)arg;
	if (!ONCE(g->flag)) {
		ex_prepare_sleep();	/* too late: the flag was looked at */
		ex_sleep("for the flag");
	}
}

static void waiter_good(void *arg)
{
	(void)arg;
	ex_prepare_sleep();
	if (!ONCE(g->flag))
		ex_sleep("for the flag");
	ex_set_running();
}

static void waker(void *arg)
{
	(void)arg;
	ONCE(g->flag) = 1;
	smp_mb();
	ex_wake(0);
}

static void waker_nomb(void *arg)
{
	(void)arg;
	ONCE(g->flag) = 1;
	if (ONCE(g->cond))
		ex_wake(0);
}

static void waiter_cond(void *arg)
{
	(void)arg;
	ONCE(g->cond) = 1;
	smp_mb();
	ex_prepare_sleep();
	if (!ONCE(g->flag))
		ex_sleep("for the flag");
}

static const struct ex_thread wake_bad[] = { { waiter_bad }, { waker } };
static const struct ex_thread wake_good[] = { { waiter_good }, { waker } };
static const struct ex_thread wake_sb[] = { { waiter_cond }, { waker_nomb } };

static int flag_set(void *arg)
{
	(void)arg;
	return ONCE(g->flag) && ONCE(g->cond);
}

static void block_flag(void *arg)
{
	(void)arg;
	ex_block(flag_set, NULL, "flag and cond");
	g->seen = 1;
}

static void set_flag(void *arg)
{
	(void)arg;
	ONCE(g->flag) = 1;
}

static void set_cond(void *arg)
{
	(void)arg;
	ONCE(g->cond) = 1;
}

static void seen(void *arg)
{
	(void)arg;
	ex_assert(g->seen == 1, "not seen");
}

static const struct ex_thread block3[] = {
	{ block_flag }, { set_flag }, { set_cond },
};
static const struct ex_thread block2[] = { { block_flag }, { set_flag } };

/* -- deadlock -- */

static void ab(void *arg)
{
	(void)arg;
	ex_lock(&g->lock);
	ex_lock(&g->lock2);
	ex_unlock(&g->lock2);
	ex_unlock(&g->lock);
}

static void ba(void *arg)
{
	(void)arg;
	ex_lock(&g->lock2);
	ex_lock(&g->lock);
	ex_unlock(&g->lock);
	ex_unlock(&g->lock2);
}

static const struct ex_thread abba[] = { { ab }, { ba } };
static const struct ex_thread abab[] = { { ab }, { ab } };

/* -- interrupts -- */

static void irq_inc(void *arg)
{
	(void)arg;
	g->count++;
}

static void inc_irqoff(void *arg)
{
	(void)arg;
	ex_irq_disable();
	g->count++;
	ex_irq_enable();
}

static void irq_lock(void *arg)
{
	(void)arg;
	ex_lock(&g->lock);
	g->count++;
	ex_unlock(&g->lock);
}

static void inc_lock_irqoff(void *arg)
{
	(void)arg;
	ex_irq_disable();
	ex_lock(&g->lock);
	g->count++;
	ex_unlock(&g->lock);
	ex_irq_enable();
}

static const struct ex_thread one_plain[] = { { inc_plain } };
static const struct ex_thread one_off[] = { { inc_irqoff } };
static const struct ex_thread one_lock[] = { { inc_locked } };
static const struct ex_thread one_lock_off[] = { { inc_lock_irqoff } };
static const struct ex_irq irq_inc1[] = { { irq_inc, NULL, 0, NULL } };
static const struct ex_irq irq_lock1[] = { { irq_lock, NULL, 0, NULL } };

static void four_reads(void *arg)
{
	(void)arg;
	for (int i = 0; i < 4; i++)
		(void)ONCE(g->count);
}

static void irq_where(void *arg)
{
	(void)arg;
	ONCE(g->seen) = 1;
}

static const struct ex_thread reads1[] = { { four_reads } };
static const struct ex_irq where1[] = { { irq_where, NULL, 0, NULL } };

/* An interrupt wakes the thread that it interrupts, which sleeps */
static void irq_wake(void *arg)
{
	(void)arg;
	ONCE(g->flag) = 1;
	ex_wake(0);
}

static const struct ex_thread sleeper[] = { { waiter_good } };
static const struct ex_thread sleeper_bad[] = { { waiter_bad } };
static const struct ex_irq waker1[] = { { irq_wake, NULL, 0, NULL } };

/* -- peterson -- */

static bool fenced;

static void peterson(void *arg)
{
	long me = (long)arg;

	ONCE(g->want[me]) = 1;
	ONCE(g->turn) = !me;
	if (fenced)
		smp_mb();
	/* One look is enough: who does not get in goes away */
	if (!ONCE(g->want[!me]) || ONCE(g->turn) == (unsigned long)me) {
		ex_assert(!ONCE(g->in), "two in the critical section");
		ONCE(g->in) = 1;
		smp_mb();
		ONCE(g->in) = 0;
		smp_mb();
	}
	ONCE(g->want[me]) = 0;
}

static const struct ex_thread peterson2[] = {
	{ peterson, (void *)0, 0, NULL }, { peterson, (void *)1, 0, NULL },
};

/* -- memory -- */

static void copier(void *arg)
{
	(void)arg;
	memcpy(g->out, g->buf, sizeof(g->buf));
}

static void filler(void *arg)
{
	(void)arg;
	memset(g->buf, 1, sizeof(g->buf));
}

static void no_tear(void *arg)
{
	(void)arg;
	ex_assert(g->out[0] == g->out[23], "torn copy");
}

static const struct ex_thread tear2[] = { { copier }, { filler } };

static unsigned long *heap;

static void heap_setup(void *arg)
{
	setup(arg);
	heap = ex_alloc(12, 0, "heap");
}

static void user(void *arg)
{
	(void)arg;
	ONCE(heap[0]) = 1;
}

static void freer(void *arg)
{
	(void)arg;
	if (ONCE(heap[0]) != 1)
		ex_free(heap);
}

static void beyond(void *arg)
{
	(void)arg;
	(void)ONCE(heap[1]);
}

static int *volatile nowhere = (int *)16;

static void crasher(void *arg)
{
	(void)arg;
	if (ONCE(g->count) == 1)
		*nowhere = 1;
}

__attribute__((noinline)) static unsigned long deep(unsigned long n)
{
	volatile char pad[1024];

	pad[n & 1023] = 1;
	return n ? deep(n - 1) + pad[7] : 0;
}

static void overflow(void *arg)
{
	(void)arg;
	ONCE(g->seen) = deep(100000);
}

static const struct ex_thread uaf[] = { { user }, { freer } };
static const struct ex_thread oob[] = { { beyond } };
static const struct ex_thread crash2[] = { { crasher }, { inc_plain } };
static const struct ex_thread overflow1[] = { { overflow } };

/* -- choices, livelock, yield -- */

static void chooser(void *arg)
{
	(void)arg;
	g->count = 3 * ex_choose(3) + ex_choose(3);
	ex_assert(g->count != 7, "seven");
}

static void spinner(void *arg)
{
	(void)arg;
	while (!ONCE(g->flag))
		;
}

static void spinner_yield(void *arg)
{
	(void)arg;
	while (!ONCE(g->flag))
		ex_yield();
}

static const struct ex_thread choose1[] = { { chooser } };
static const struct ex_thread spin2[] = { { spinner }, { set_flag } };
static const struct ex_thread spiny2[] = { { spinner_yield }, { set_flag } };

/* -- invariant -- */

static void small(void *arg)
{
	(void)arg;
	ex_assert(g->count < 2, "count reached 2");
}

/* -- another thread's stack -- */

static unsigned long *volatile leaked;
static bool registered;

static void leaks(void *arg)
{
	unsigned long mine = 0;

	(void)arg;
	if (registered)
		ex_shared(&mine, sizeof(mine), "mine");
	leaked = &mine;
	ONCE(g->flag) = 1;
	ONCE(mine) = ONCE(mine) + 1;
	ONCE(g->flag) = 0;
	if (registered)
		ex_unshare(&mine);
}

static void touches(void *arg)
{
	(void)arg;
	if (ONCE(g->flag))
		ONCE(*leaked) = ONCE(*leaked) + 1;
}

static const struct ex_thread stack2[] = { { leaks }, { touches } };

static bool has(const struct ex_result *r, const char *text)
{
	if (strstr(r->message, text))
		return true;
	printf("# message: %s\n", r->message);
	return false;
}

#define T(nm, th, ...) \
	(&(struct ex_test){ .name = nm, .threads = th, \
			    .nthreads = sizeof(th) / sizeof(*(th)), __VA_ARGS__ })

static void replays(void)
{
	struct ex_test *t = T("replay", wake_bad);
	struct ex_opts o = { .quiet = true };
	struct ex_result r, r2;
	char *text[2] = { NULL, NULL };
	size_t len[2];
	int i;

	run(t, &o, &r);
	ok(r.status == EX_DEADLOCK && r.replay[0], "a failure has a replay string: %s",
	   r.replay);
	for (i = 0; i < 2; i++) {
		struct ex_opts ro = { .replay = r.replay };

		ro.out = open_memstream(&text[i], &len[i]);
		ex_run(t, &ro, &r2);
		fclose(ro.out);
		ok(r2.status == EX_DEADLOCK && !strcmp(r.message, r2.message) &&
		   !strcmp(r.replay, r2.replay), "replay %d ends the same way", i);
	}
	ok(!strcmp(text[0], text[1]), "two replays print the same");
	printf("%s", text[0]);
	ok(strstr(text[0], "t-toys.c:") && strstr(text[0], "waiter_bad") &&
	   strstr(text[0], "0 -> 0x1") && strstr(text[0], "for the flag"),
	   "steps have file, line, function, object and values");
	for (enum ex_strategy s = EX_RANDOM; s <= EX_PCT; s++) {
		struct ex_opts so = { .strategy = s, .quiet = true, .seed = 7,
				      .no_minimise = true };
		struct ex_opts ro = { .quiet = true };

		run(t, &so, &r);
		ro.replay = r.replay;
		ex_run(t, &ro, &r2);
		ok(r.status == EX_DEADLOCK && r2.status == EX_DEADLOCK,
		   "a failure found by %s replays", s == EX_PCT ? "pct" : "random");
	}
	t = T("counter", plain2, .final = two);
	o = (struct ex_opts){ .strategy = EX_RANDOM, .quiet = true, .seed = 1 };
	run(t, &o, &r);
	ok(r.status == EX_FAIL && r.preemptions == 1,
	   "minimised to one preemption (%d)", r.preemptions);
	free(text[0]);
	free(text[1]);
}

int main(int argc, char **argv)
{
	struct ex_opts so = { .quiet = true };
	struct ex_result r;
	int i;

	i = ex_args(argc, argv, &so);
	if (i < argc) {
		fprintf(stderr, "t-toys: '%s' is not an option\n", argv[i]);
		return 2;
	}
	if (so.replay) {
		so.quiet = false;
		return ex_run(T("replay", wake_bad, .setup = setup), &so,
			      &r) != EX_DEADLOCK;
	}

	ok(run(T("counter race", plain2, .final = two), NULL, &r) == EX_FAIL &&
	   has(&r, "count is 1"), "a racy counter is found");
	run(T("locked counter", locked2, .final = two), NULL, &r);
	ok(r.status == EX_PASS && r.coverage == EX_COV_COMPLETE && r.schedules == 2,
	   "a locked counter passes, complete, two orders (%lu)", r.schedules);
	run(T("atomic counter", atomic2, .final = two), NULL, &r);
	ok(r.status == EX_PASS && r.coverage == EX_COV_COMPLETE && r.schedules == 2,
	   "an atomic counter passes, complete, two orders (%lu)", r.schedules);
	ok(!r.stray_writes, "no write was missed (%lu)", r.stray_writes);

	ok(run(T("lost wakeup", wake_bad), NULL, &r) == EX_DEADLOCK &&
	   has(&r, "lost wakeup") && has(&r, "for the flag"),
	   "a lost wakeup is found, and says who sleeps for what");
	ok(run(T("wakeup", wake_good), NULL, &r) == EX_PASS &&
	   r.coverage == EX_COV_COMPLETE, "the correct protocol passes");
	so = (struct ex_opts){ .quiet = true, .memory = EX_TSO };
	ok(run(T("wakeup", wake_good), &so, &r) == EX_PASS &&
	   r.coverage == EX_COV_COMPLETE, "the correct protocol passes under TSO");
	ok(run(T("no barrier", wake_sb), NULL, &r) == EX_PASS,
	   "a missing smp_mb() does no harm under SC");
	ok(run(T("no barrier", wake_sb), &so, &r) == EX_DEADLOCK,
	   "a missing smp_mb() loses a wakeup under TSO");

	ok(run(T("condition", block3, .final = seen), NULL, &r) == EX_PASS &&
	   r.coverage == EX_COV_COMPLETE, "a condition of two words wakes");
	ok(run(T("condition", block2, .final = seen), NULL, &r) == EX_DEADLOCK &&
	   has(&r, "flag and cond"), "a condition that stays false is told");

	ok(run(T("abba", abba), NULL, &r) == EX_DEADLOCK && has(&r, "deadlock") &&
	   has(&r, "g#"), "lock order inversion is a deadlock");
	ok(run(T("abab", abab), NULL, &r) == EX_PASS, "one lock order passes");

	ok(run(T("irq races", one_plain, .final = two, .nirqs = 1,
		 .irqs = irq_inc1), NULL, &r) == EX_FAIL,
	   "an interrupt inside an increment is found");
	ok(run(T("irq off", one_off, .final = two, .nirqs = 1,
		 .irqs = irq_inc1), NULL, &r) == EX_PASS &&
	   r.coverage == EX_COV_COMPLETE,
	   "no interrupt comes while they are off");
	ok(run(T("irq lock", one_lock, .final = two, .nirqs = 1,
		 .irqs = irq_lock1), NULL, &r) == EX_DEADLOCK &&
	   has(&r, "is interrupted"),
	   "an interrupt that wants the lock of whom it interrupts deadlocks");
	ok(run(T("irq lock off", one_lock_off, .final = two, .nirqs = 1,
		 .irqs = irq_lock1), NULL, &r) == EX_PASS,
	   "with interrupts off it does not");
	run(T("irq places", reads1, .nirqs = 1, .irqs = where1), NULL, &r);
	ok(r.status == EX_PASS && r.schedules == 5,
	   "an interrupt nests at each of 4 accesses, and after them (%lu)",
	   r.schedules);
	ok(run(T("irq wakes", sleeper, .nirqs = 1, .irqs = waker1), NULL,
	       &r) == EX_PASS, "an interrupt wakes the thread that it interrupts");
	ok(run(T("irq wakes", sleeper_bad, .nirqs = 1, .irqs = waker1), NULL,
	       &r) == EX_DEADLOCK, "a wakeup from an interrupt can be lost");

	for (i = 0; i < 3; i++) {
		static const char *const mem[] = { "SC", "TSO", "PSO" };
		struct ex_opts o = { .quiet = true, .memory = i };

		fenced = false;
		run(T("peterson", peterson2), &o, &r);
		ok(r.status == (i == EX_SC ? EX_PASS : EX_FAIL),
		   "Peterson without a fence under %s", mem[i]);
		fenced = true;
		run(T("peterson fenced", peterson2), &o, &r);
		ok(i == EX_PSO || (r.status == EX_PASS &&
				   r.coverage == EX_COV_COMPLETE),
		   "Peterson with a fence under %s", mem[i]);
	}

	ok(run(T("torn copy", tear2, .final = no_tear), NULL, &r) == EX_FAIL &&
	   has(&r, "torn"), "a copy is torn word by word");
	ok(run(T("use after free", uaf, .setup = heap_setup), NULL,
	       &r) == EX_FAIL && has(&r, "use after free"), "use after free");
	ok(run(T("out of bounds", oob, .setup = heap_setup), NULL,
	       &r) == EX_FAIL && has(&r, "out of bounds"), "out of bounds");
	ok(run(T("crash", crash2), NULL, &r) == EX_FAIL &&
	   has(&r, "Segmentation"), "a crash is a failure with a schedule");
	ok(run(T("overflow", overflow1), NULL, &r) == EX_FAIL &&
	   has(&r, "stack overflow of thread 0"), "a stack overflow is told");

	ok(run(T("choose", choose1), NULL, &r) == EX_FAIL && has(&r, "seven"),
	   "choices are explored");
	so = (struct ex_opts){ .quiet = true, .keep_going = true };
	run(T("choose", choose1), &so, &r);
	ok(r.schedules == 9 && r.failures == 1, "all 9 of them, 1 fails (%lu)",
	   r.schedules);
	so = (struct ex_opts){ .quiet = true, .max_steps = 500,
			       .schedules = 20, .max_schedules = 100 };
	ok(run(T("spin", spin2), &so, &r) == EX_PASS && r.too_long &&
	   r.coverage != EX_COV_COMPLETE,
	   "a spinner is cut off, no failure, not called complete");
	ok(run(T("spin yield", spiny2), &so, &r) == EX_PASS && !r.too_long &&
	   r.yields, "a spinner that yields ends");
	ok(run(T("invariant", atomic2, .invariant = small), NULL,
	       &r) == EX_FAIL && has(&r, "reached 2"), "an invariant is checked");

	registered = false;
	ok(run(T("stack", stack2), NULL, &r) == EX_FAIL &&
	   has(&r, "on the stack of thread 0"),
	   "touching another stack is told");
	registered = true;
	ok(run(T("stack", stack2), NULL, &r) == EX_PASS,
	   "unless it is registered");
	replays();
	return done_testing();
}
