// SPDX-License-Identifier: GPL-2.0-only
/*
 * Real threads, each a simulated CPU: a bit has one owner, nothing beyond
 * depth, nobody sleeps for ever, all bits are back at the end. Built for TSan,
 * whose reports t/tsan.t compares with tsan-known.txt, and for ASan/UBSan.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "testlib.h"

#define THREADS 6
#define OWNERS 2048

static const struct sbt_ops *o;
static const char *tree;
static struct sbt *s;
static unsigned int depth, rounds;
static int with_batch, with_resize, with_migration, stop;
static unsigned long *beyond __attribute__((unused));
static unsigned int owner[OWNERS];

struct bed {
	pthread_mutex_t lock;
	pthread_cond_t cond;
};

struct worker {
	pthread_t thread;
	struct hs_ctx ctx;
	struct task_struct task;
	struct bed bed;
	struct rnd r;
	unsigned long done;
	char why[120];
};

static struct worker workers[THREADS + 1];

static void block(struct task_struct *t)
{
	struct bed *b = t->priv;

	pthread_mutex_lock(&b->lock);
	while (__atomic_load_n(&t->__state, __ATOMIC_ACQUIRE))
		pthread_cond_wait(&b->cond, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

static void kick(struct task_struct *t)
{
	struct bed *b = t->priv;

	pthread_mutex_lock(&b->lock);
	pthread_cond_signal(&b->cond);
	pthread_mutex_unlock(&b->lock);
}

static void relax(void)
{
	sched_yield();
}

static int own(struct worker *w, unsigned int bit)
{
	unsigned int id = w - workers + 1;

	if (bit >= depth) {
		snprintf(w->why, sizeof(w->why), "bit %u handed out, depth is %u",
			 bit, depth);
		return -1;
	}
	id = __atomic_exchange_n(&owner[bit], id, __ATOMIC_RELAXED);
	if (id) {
		snprintf(w->why, sizeof(w->why), "bit %u has two owners", bit);
		return -1;
	}
	return 0;
}

static void disown(unsigned int bit)
{
	__atomic_store_n(&owner[bit], 0, __ATOMIC_RELAXED);
}

static void begin(struct worker *w)
{
	unsigned int i = w - workers;

	hs_ctx_cur = &w->ctx;
	w->ctx.id = i + 2;
	w->ctx.cpu = i % hs_topo.nr_cpus;
	w->ctx.task = &w->task;
	w->ctx.rng = i;
	w->task.priv = &w->bed;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct sbt_waiter *wait;
	unsigned int i, n, off, cpu;
	int tags[64], nr;

	begin(w);
	wait = o->waiter(&w->task);
	for (i = 0; i < rounds && !w->why[0]; i++) {
		unsigned long mask = 0;

		/* Gets run preemptible: another CPU may do the rest. */
		if (with_migration && rnd_below(&w->r, 16) == 0)
			w->ctx.cpu = rnd_below(&w->r, hs_topo.nr_cpus);
		cpu = w->ctx.cpu;
		n = 0;
		if (with_batch && rnd_below(&w->r, 3) == 0) {
			mask = o->get_batch(s, 1 + rnd_below(&w->r, 4), &off);
			for (; mask; mask &= mask - 1)
				tags[n++] = off + __builtin_ctzl(mask);
		}
		if (!n) {
			nr = o->get_wait(s, wait);
			tags[n++] = nr;
		}
		for (nr = 0; nr < (int)n; nr++)
			if (own(w, tags[nr]))
				break;
		if (rnd_below(&w->r, 4) == 0)
			sched_yield();
		for (nr = 0; nr < (int)n && !w->why[0]; nr++)
			disown(tags[nr]);
		if (n > 1 || rnd_below(&w->r, 4) == 0)
			o->clear_batch(s, 0, tags, n);
		else
			o->clear(s, tags[0], cpu);
		__atomic_fetch_add(&w->done, 1, __ATOMIC_RELAXED);
	}
	o->waiter_free(wait);
	return NULL;
}

static int look(unsigned int nr, void *data)
{
	unsigned int *n = data;

	(*n)++;
	return nr < OWNERS;
}

/* debugfs and error handling read at any time; blk-mq resizes. */
static void *watch(void *arg)
{
	struct worker *w = arg;
	struct hs_text t = { 0 };
	unsigned int n = 0;

	begin(w);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		o->weight(s);
		o->any_set(s);
		o->for_each(s, 0, look, &n);
		o->show(s, &t);
		o->bitmap_show(s, &t);
		hs_text_free(&t);
		o->recalc(s, 1 + n % 4);
		/* Within the last word: the torn pair is another test's. */
		if (with_resize) {
			o->resize(s, depth - 3);
			o->resize(s, depth);
		}
		sched_yield();
	}
	return NULL;
}

static void storm(unsigned int k, unsigned int d, int shift, unsigned int n)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = d, .shift = shift,
			       .numa = trees[k].ops->has & SBT_HAS_NUMA ? 2 : 0,
			       .node = -1 };
	unsigned int i;
	unsigned long last = ~0UL, now;
	int quiet = 0;

	o = trees[k].ops;
	tree = trees[k].name;
	depth = d;
	rounds = n;
	stop = 0;
	hs_bug_clear();
	hs_sched = (struct hs_sched){ block, kick, relax };
	memset(owner, 0, sizeof(owner));
	memset(workers, 0, sizeof(workers));
	s = o->create(0);
	assert_int_equal(o->init(s, &cfg), 0);
	for (i = 0; i <= THREADS; i++) {
		pthread_mutex_init(&workers[i].bed.lock, NULL);
		pthread_cond_init(&workers[i].bed.cond, NULL);
		workers[i].r.s = i * 7919 + d;
		if (pthread_create(&workers[i].thread, NULL,
				   i < THREADS ? work : watch, &workers[i]))
			fail_msg("no thread");
	}
	for (;;) {
		struct timespec ts = { 0, 20 * 1000 * 1000 };
		unsigned int over = 0;

		nanosleep(&ts, NULL);
		for (i = 0, now = 0; i < THREADS; i++) {
			unsigned long done = __atomic_load_n(&workers[i].done,
							     __ATOMIC_RELAXED);

			now += done;
			over += done == rounds || workers[i].why[0];
		}
		if (over == THREADS)
			break;
		quiet = now == last ? quiet + 1 : 0;
		last = now;
		if (quiet == 500) {
			fprintf(stderr, "red after %lu rounds\n", now);
			fprintf(stderr, "%s: depth %u: nobody moves for 10 s, %d wait\n",
				tree, d, o->ws_active(s));
			_exit(1);
		}
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i <= THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	hs_sched = (struct hs_sched){ 0 };
	for (i = 0; i < THREADS; i++)
		if (workers[i].why[0])
			fail_msg("%s: %s", tree, workers[i].why);
	if (hs_bugs())
		fail_msg("%s: %s", tree, hs_bug_text());
	assert_int_equal(o->ws_active(s), 0);
	assert_int_equal(o->weight(s), 0);
	/* Every bit can still be got, and no more. */
	for (i = 0; i < d; i++)
		assert_true(o->get(s) >= 0);
	assert_int_equal(o->get(s), -1);
	o->free(s);
	o->destroy(s);
}

#ifdef __SANITIZE_THREAD__
#define ROUNDS (longer ? 200000 : 3000)
#else
#define ROUNDS (longer ? 400000 : 10000)
#endif

/* NUMA mode with one slot and with two; else the machine does not matter. */
#define EACH_TREE(k)							\
	for (unsigned int k = 0; k < nr_trees; k++)			\
		for (int two = 0; two <= !!(trees[k].ops->has & SBT_HAS_NUMA); two++) \
			if (!hs_topo_set(two ? "two" : "one"))

static void one_bit(void **state)
{
	(void)state;
	EACH_TREE(k)
		storm(k, 1, -1, ROUNDS / 4);
}

static void few_bits(void **state)
{
	(void)state;
	EACH_TREE(k)
		storm(k, 4, 6, ROUNDS);
}

static void one_word(void **state)
{
	(void)state;
	with_batch = 1;
	EACH_TREE(k)
		storm(k, 5, 6, ROUNDS);
	with_batch = 0;
}

static void many_words(void **state)
{
	(void)state;
	with_batch = with_migration = 1;
	EACH_TREE(k) {
		storm(k, 9, 1, ROUNDS);
		storm(k, 256, -1, ROUNDS);
	}
	with_batch = with_migration = 0;
}

static void resizing(void **state)
{
	(void)state;
	with_resize = with_batch = 1;
	EACH_TREE(k)
		storm(k, 64, 4, ROUNDS);
	with_resize = with_batch = 0;
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
/*
 * 33, many threads: depth and map_nr are read in two, design.md section 4. The
 * words are kept nearly full: with room in them nothing shows.
 */
static void *greedy(void *arg)
{
	struct worker *w = arg;
	unsigned int n = 0, at;
	int held[256];

	begin(w);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		int nr = n < 256 ? o->get(s) : -1;

		if (nr >= 0) {
			if (nr >= 256)
				__atomic_fetch_add(beyond, 1, __ATOMIC_RELAXED);
			else
				held[n++] = nr;
			continue;
		}
		for (at = rnd_below(&w->r, 4); at && n; at--) {
			unsigned int i = rnd_below(&w->r, n);

			o->clear(s, held[i], w->ctx.cpu);
			held[i] = held[--n];
		}
	}
	return NULL;
}

/*
 * In a child: a word that seems longer than it is goes on into its own
 * ->cleared and ->swap_lock, and a lock that was handed out as a bit hangs.
 */
static void torn_child(unsigned int k, unsigned long *count)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = 4096, .shift = 6,
			       .numa = trees[k].ops->has & SBT_HAS_NUMA ? 2 : 0,
			       .node = -1 };
	int i;

	o = trees[k].ops;
	s = o->create(0);
	hs_sched = (struct hs_sched){ block, kick, relax };
	memset(workers, 0, sizeof(workers));
	beyond = count;
	stop = 0;
	/* Room for what goes wrong: 256 bits are used. */
	if (o->init(s, &cfg))
		_exit(1);
	o->resize(s, 256);
	for (i = 0; i < 3; i++) {
		workers[i].r.s = i;
		pthread_create(&workers[i].thread, NULL, greedy, &workers[i]);
	}
	for (;;) {
		o->resize(s, 64);
		o->resize(s, 256);
	}
}

static unsigned long torn(unsigned int k, int tries, unsigned long enough)
{
	unsigned long *count, n = 0;
	int ms = 0, t;
	pid_t child;

	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(count != MAP_FAILED);
	/* A child may hang before it is seen to go wrong: more than one. */
	while (tries-- && n < enough) {
		child = fork();
		if (!child)
			torn_child(k, count);
		for (t = 0; t < 500 && n < enough; t++, ms++) {
			usleep(1000);
			n = __atomic_load_n(count, __ATOMIC_RELAXED);
		}
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	printf("# %s: resize 256 <-> 64 while 3 threads get: %lu bits >= 256 in %d ms\n",
	       trees[k].name, n, ms);
	munmap(count, 4096);
	return n;
}

/* The default mode has this fault today, NUMA mode has not. */
static void torn_resize(void **state)
{
	unsigned int k;

	(void)state;
	hs_topo_set("two");
	for (k = 0; k < nr_trees; k++) {
		if (trees[k].ops->has & SBT_HAS_NUMA)
			assert_int_equal(torn(k, longer ? 60 : 6, 1), 0);
		else if (!k)
			assert_true(torn(k, 60, longer ? ~0UL : 1) > 0);
	}
}
#endif

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_bit),
		cmocka_unit_test(few_bits),
		cmocka_unit_test(one_word),
		cmocka_unit_test(many_words),
		cmocka_unit_test(resizing),
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
		cmocka_unit_test(torn_resize),
#endif
	};

	test_begin(argc, argv);
	return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
