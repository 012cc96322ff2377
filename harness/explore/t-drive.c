// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driven runs, for models, and how fast all of it is. Would catch: an access
 * that the observer does not get, or gets twice; a thread that runs while it
 * should not; a wakeup that is not told; runs that differ with the same seed;
 * a slow explorer (the bar is one million shared accesses a second of CPU).
 */
#include <time.h>

#include "t.h"

#define MAXT	256

static struct shared {
	uint64_t count;
	unsigned int lock;
	unsigned int ready;
	uint64_t pad[6];
	uint64_t own[MAXT][8];
} *g;

static int nthreads, rounds;
static uint64_t seen_kind[EX_FREE + 1], seen_hash, wakeups, seen_writes_to_count;
static uint64_t clock_of[MAXT];
static uint64_t picked_blocked;
static bool early;

static double cpu(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void setup(void *arg)
{
	(void)arg;
	g = ex_alloc(sizeof(*g), 64, "g");
	memset(g, 0, sizeof(*g));
	memset(seen_kind, 0, sizeof(seen_kind));
	memset(clock_of, 0, sizeof(clock_of));
	seen_hash = wakeups = seen_writes_to_count = picked_blocked = 0;
	early = false;
}

static void locked(void *arg)
{
	int me = ex_cpu(), i;

	(void)arg;
	for (i = 0; i < rounds; i++) {
		ex_lock(&g->lock);
		g->count++;
		ex_unlock(&g->lock);
		ONCE(g->own[me][0]) = i;
		__atomic_fetch_add(&g->own[me][1], 1, __ATOMIC_RELAXED);
	}
}

static int is_ready(void *arg)
{
	(void)arg;
	return ONCE(g->ready) != 0;
}

static void sleeper(void *arg)
{
	(void)arg;
	ex_block(is_ready, NULL, "until ready");
	if (!ONCE(g->ready))
		early = true;
	__atomic_fetch_add(&g->count, 1, __ATOMIC_RELAXED);
}

static void opener(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < 100; i++)
		ONCE(g->own[0][0]) = i;
	ONCE(g->ready) = 1;
}

static void observer(void *arg, const struct ex_event *ev)
{
	(void)arg;
	seen_kind[ev->kind]++;
	seen_hash = (seen_hash ^ ev->addr ^ ev->thread) * 0x9e3779b97f4a7c15ul;
	if (ev->addr == (uintptr_t)&g->count && ev->kind == EX_WRITE)
		seen_writes_to_count++;
	/* Ten for the lock's line, one for any other */
	clock_of[ev->thread] += ev->addr - (uintptr_t)g < 64 ? 10 : 1;
}

static int least(void *arg, int cur)
{
	int i, best = -1;

	(void)arg;
	(void)cur;
	for (i = 0; i < nthreads; i++)
		if (ex_runnable(i) &&
		    (best < 0 || clock_of[i] < clock_of[best]))
			best = i;
	return best;
}

static void woken(void *arg, int thread, int by)
{
	(void)arg;
	wakeups++;
	if (clock_of[thread] < clock_of[by])
		clock_of[thread] = clock_of[by];
}

static struct ex_thread threads[MAXT];

static void run(int n, int each, int (*sched)(void *, int), uint64_t seed,
		struct ex_result *r)
{
	struct ex_test t = {
		.name = "driven", .nthreads = n, .threads = threads,
		.setup = setup,
	};
	struct ex_opts o = { .strategy = EX_DRIVE, .seed = seed, .quiet = true };

	nthreads = n;
	rounds = each;
	ex_set_observer(observer, NULL);
	ex_set_scheduler(sched, NULL);
	ex_set_wakeup(woken, NULL);
	ex_run(&t, &o, r);
	ex_set_observer(NULL, NULL);
	ex_set_scheduler(NULL, NULL);
	ex_set_wakeup(NULL, NULL);
	if (r->message[0])
		printf("# %s\n", r->message);
}

static void bodies(void (*fn)(void *))
{
	int i;

	for (i = 0; i < MAXT; i++)
		threads[i] = (struct ex_thread){ fn };
}

static void all_counted(const char *how, int n, int each,
			const struct ex_result *r)
{
	uint64_t want = (uint64_t)n * each, i, own = 0;

	for (i = 0; i < (uint64_t)n; i++)
		own += g->own[i][1];
	ok(r->status == EX_PASS && g->count == want && own == want &&
	   seen_kind[EX_LOCK] == want && seen_kind[EX_UNLOCK] == want &&
	   seen_kind[EX_READ] == want && seen_kind[EX_WRITE] == 2 * want &&
	   seen_kind[EX_RMW] == want && seen_writes_to_count == want &&
	   seen_kind[EX_END] == (uint64_t)n,
	   "%s: %d CPUs, every access is told once (%lu of %lu)", how, n,
	   seen_writes_to_count, want);
}

static void speed(const char *what, uint64_t steps, double secs)
{
	ok(steps > 100000 && steps / secs >= 1e6,
	   "%s: %.2f million shared accesses a second", what,
	   steps / secs / 1e6);
}

static void inc3(void *arg)
{
	int me = ex_thread(), i;

	(void)arg;
	for (i = 0; i < 2; i++) {
		ONCE(g->own[me][0]) = i;
		(void)ONCE(g->own[me][0]);
		ONCE(g->count) = ONCE(g->count) + 1;
		__atomic_fetch_add(&g->own[me][1], 1, __ATOMIC_SEQ_CST);
	}
}

static void explored(enum ex_strategy s, enum ex_memory m, const char *what)
{
	struct ex_test t = {
		.name = what, .nthreads = 3, .threads = threads, .setup = setup,
	};
	struct ex_opts o = { .strategy = s, .memory = m, .quiet = true,
			     .max_schedules = 30000, .schedules = 20000,
			     .preemptions = 4 };
	struct ex_result r;
	double begin = cpu(), secs;

	ex_run(&t, &o, &r);
	secs = cpu() - begin;
	ex_report(&t, &r, stdout);
	speed(what, r.steps, secs);
}

int main(void)
{
	struct ex_result r;
	struct ex_test t = { .name = "many", .threads = threads, .setup = setup };
	struct ex_opts o = { .quiet = true, .schedules = 30 };
	uint64_t h, w;
	double begin, secs;

	bodies(locked);
	run(256, 20, NULL, 0, &r);
	all_counted("round robin", 256, 20, &r);
	run(256, 20, NULL, 5, &r);
	all_counted("random", 256, 20, &r);
	h = seen_hash;
	run(256, 20, NULL, 5, &r);
	ok(h == seen_hash, "the same seed is the same run");
	run(256, 20, NULL, 6, &r);
	ok(h != seen_hash, "another seed is another run");
	run(64, 20, least, 0, &r);
	all_counted("by a scheduler", 64, 20, &r);
	ok(wakeups > 100, "waiters for a lock are told of (%lu)", wakeups);
	h = seen_hash;
	w = wakeups;
	run(64, 20, least, 0, &r);
	ok(h == seen_hash && w == wakeups, "and it is the same every time");

	bodies(sleeper);
	threads[3].fn = opener;
	run(32, 0, least, 0, &r);
	ok(r.status == EX_PASS && wakeups == 31 && g->count == 31 && !early &&
	   seen_kind[EX_BLOCK] == 31,
	   "31 sleepers sleep, and are woken once each (%lu)", wakeups);
	threads[3].fn = sleeper;
	run(32, 0, least, 0, &r);
	ok(r.status == EX_DEADLOCK && strstr(r.message, "until ready"),
	   "nobody to wake them is a deadlock");

	bodies(locked);
	rounds = nthreads = 3;
	t.nthreads = 20;
	ex_run(&t, &o, &r);
	ok(r.status == EX_PASS && r.coverage == EX_COV_RANDOM &&
	   r.schedules == 30, "20 CPUs go to random schedules (%lu)",
	   r.schedules);
	ok(g->count == 60, "all of them count (%lu)", g->count);

	bodies(locked);
	begin = cpu();
	run(256, 2000, NULL, 0, &r);
	secs = cpu() - begin;
	speed("256 CPUs round robin, observed", r.steps, secs);
	bodies(inc3);
	explored(EX_DPOR, EX_SC, "DPOR");
	explored(EX_DPOR, EX_PSO, "DPOR, PSO");
	explored(EX_BOUNDED, EX_SC, "bounded");
	explored(EX_RANDOM, EX_SC, "random");
	return done_testing();
}
