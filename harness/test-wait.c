// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting, one step at a time: tasks that sleep are structs, the test plays
 * all of them. The numbers are rows of faults.md.
 */
#include "testlib.h"

#define TASKS 64

static struct task_struct task[TASKS];
static struct sbt_waiter *waiter[TASKS];
static const struct sbt_ops *o;
static const char *tree;
static struct sbt *s;

static void open_queue(unsigned int k, unsigned int depth, int rr)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = depth, .shift = -1,
			       .round_robin = rr, .node = -1 };
	unsigned int i;

	watchdog(20);
	o = trees[k].ops;
	tree = trees[k].name;
	cfg.numa = o->has & SBT_HAS_NUMA ? 2 : 0;
	hs_bug_clear();
	hs_warn_clear();
	s = o->create(0);
	assert_int_equal(o->init(s, &cfg), 0);
	memset(task, 0, sizeof(task));
	for (i = 0; i < TASKS; i++) {
		task[i].id = i;
		waiter[i] = o->waiter(&task[i]);
	}
}

static void as(unsigned int i)
{
	hs_this()->task = &task[i];
}

static void sleep_on(unsigned int i, unsigned int ws)
{
	as(i);
	o->prepare(s, waiter[i], ws);
}

static int asleep(unsigned int i)
{
	return task[i].__state != 0;
}

static unsigned int queued(void)
{
	unsigned int ws, n = 0;

	for (ws = 0; ws < o->wait_queues; ws++)
		n += o->waiters(s, ws);
	return n;
}

static unsigned int sleepers(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < TASKS; i++)
		n += asleep(i);
	return n;
}

static void finish(unsigned int i)
{
	as(i);
	o->finish(s, waiter[i]);
}

static void close_queue(void)
{
	unsigned int i;

	for (i = 0; i < TASKS; i++)
		if (o->queued(waiter[i]) || asleep(i))
			finish(i);
	if (hs_bugs())
		fail_msg("%s: %s", tree, hs_bug_text());
	for (i = 0; i < TASKS; i++)
		o->waiter_free(waiter[i]);
	o->free(s);
	o->destroy(s);
	watchdog(0);
}

/* NUMA mode with one slot and with two; else the machine does not matter. */
#define EACH_TREE(k)							\
	for (unsigned int k = 0; k < nr_trees; k++)			\
		for (int two = 0; two <= !!(trees[k].ops->has & SBT_HAS_NUMA); two++) \
			if (!hs_topo_set(two ? "two" : "one"))

/* 3: depth 1, one waiter: one clear wakes it. 2, 12: so with few per user. */
static void one_clear_wakes_depth_one(void **state)
{
	unsigned int users, depth, ws;

	(void)state;
	EACH_TREE(k) {
		for (ws = 0; ws < 8; ws++) {
			open_queue(k, 1, 0);
			assert_int_equal(o->get(s), 0);
			assert_int_equal(o->get(s), -1);
			sleep_on(0, ws);
			o->clear(s, 0, 0);
			if (asleep(0))
				fail_msg("%s: depth 1, waiter on queue %u sleeps after the clear",
					 tree, ws);
			close_queue();
		}
		for (depth = 1; depth < 64; depth++) {
			for (users = 1; users <= depth; users++) {
				unsigned int share = (depth + users - 1) / users, n;

				open_queue(k, depth, 0);
				o->recalc(s, users);
				sleep_on(0, 3);
				for (n = 0; n < share && asleep(0); n++)
					o->clear(s, o->get(s), 0);
				if (asleep(0))
					fail_msg("%s: depth %u, %u users: all %u bits of a share freed, the waiter sleeps",
						 tree, depth, users, share);
				close_queue();
			}
		}
	}
}

/* 5: a wakeup goes to the next queue, none twice before all had one. */
static void wakeups_go_round(void **state)
{
	unsigned int b, n, ws, low, high;

	(void)state;
	EACH_TREE(k) {
		open_queue(k, 16, 0);
		assert_int_equal(o->wake_batch(s), 2);
		for (n = 0; n < 64; n++)
			sleep_on(n, n % 8);
		for (b = 1; b <= 32; b++) {
			for (n = 0; n < 2; n++)
				o->clear(s, o->get(s), 0);
			assert_int_equal(sleepers(), 64 - 2 * b);
			for (ws = 0, low = 8, high = 0; ws < 8; ws++) {
				n = o->waiters(s, ws);
				low = n < low ? n : low;
				high = n > high ? n : high;
			}
			if (high - low != (b % 8 ? 2 : 0))
				fail_msg("%s: after %u wakeups of 2, queues have %u to %u waiters",
					 tree, b, low, high);
		}
		close_queue();
	}
}

/* 6: a queue that was emptied meanwhile still wakes later waiters. */
static void emptied_queue_wakes_again(void **state)
{
	unsigned int part, round, n;

	(void)state;
	EACH_TREE(k) {
		for (part = 0; part <= 9; part++) {
			open_queue(k, 64, 0);
			for (round = 0; round < 20; round++) {
				sleep_on(0, round % 8);
				for (n = 0; n < part; n++)
					o->clear(s, o->get(s), 0);
				finish(0);
				for (n = 0; n < round; n++)
					o->clear(s, o->get(s), 0);
				sleep_on(1, (round + 3) % 8);
				for (n = 0; n < 8; n++)
					o->clear(s, o->get(s), 0);
				if (asleep(1))
					fail_msg("%s: a batch after the queue was empty: the waiter sleeps",
						 tree);
				finish(1);
			}
			close_queue();
		}
	}
}

/* 6, 7: clears in batches of any size, the counters never stop. */
static void batches_of_any_size(void **state)
{
	unsigned int size, n, freed;
	int tags[64];

	(void)state;
	EACH_TREE(k) {
		for (size = 1; size <= 64; size++) {
			open_queue(k, 64, 0);
			for (n = 0; n < 20; n++) {
				sleep_on(0, n % 8);
				for (freed = 0; freed < 8 && asleep(0);) {
					unsigned int i;

					for (i = 0; i < size; i++)
						tags[i] = o->get(s);
					o->clear_batch(s, 0, tags, size);
					freed += size;
				}
				if (asleep(0))
					fail_msg("%s: %u bits freed, %u at once: the waiter sleeps",
						 tree, freed, size);
			}
			close_queue();
		}
	}
}

/*
 * 7: clear_batch(n) should wake like n clears. Today it wakes one batch,
 * whatever n is: recorded for the default mode, wrong as it is.
 */
static void clear_batch_wakes_one_batch(void **state)
{
	int tags[64];
	unsigned int n;

	(void)state;
	EACH_TREE(k) {
		open_queue(k, 64, 0);
		for (n = 0; n < 64; n++)
			tags[n] = o->get(s);
		for (n = 0; n < 32; n++)
			sleep_on(n, n % 8);
		o->clear_batch(s, 0, tags, 32);
		assert_int_equal(sleepers(), 32 - 8);
		/* The other 24 frees are not lost, they come with the next. */
		for (n = 0; n < 3; n++)
			o->clear(s, tags[32 + n], 0);
		assert_int_equal(sleepers(), 0);
		close_queue();
	}
}

/* 10: wherever the only waiter is and wherever the index stands. */
static void lone_waiter_on_any_queue(void **state)
{
	unsigned int start, ws, n;

	(void)state;
	EACH_TREE(k) {
		for (start = 0; start < 8; start++) {
			for (ws = 0; ws < 8; ws++) {
				open_queue(k, 64, 0);
				for (n = 0; n < start; n++)
					sleep_on(10 + n, n);
				for (n = 0; n < start * 8; n++)
					o->clear(s, o->get(s), 0);
				for (n = 0; n < start; n++)
					finish(10 + n);
				sleep_on(0, ws);
				for (n = 0; n < 8; n++)
					o->clear(s, o->get(s), 0);
				if (asleep(0))
					fail_msg("%s: index %u: a batch freed, the waiter of queue %u sleeps",
						 tree, start, ws);
				close_queue();
			}
		}
	}
}

/* 11: depth 64, batch 8, a waiter a queue, those woken come back. */
static void batch_wakes_as_many(void **state)
{
	unsigned int b, n, i;

	(void)state;
	EACH_TREE(k) {
		open_queue(k, 64, 0);
		assert_int_equal(o->wake_batch(s), 8);
		for (n = 0; n < 8; n++)
			sleep_on(n, n);
		for (b = 0; b < 50; b++) {
			for (n = 0; n < 8; n++)
				o->clear(s, o->get(s), 0);
			if (sleepers())
				fail_msg("%s: a batch of 8 woke %u of 8 waiters",
					 tree, 8 - sleepers());
			for (i = 0; i < 8; i++)
				sleep_on(i, (i + b) % 8);
		}
		close_queue();
	}
}

/* Non-exclusive waiters take nothing from a batch. */
static void non_exclusive_do_not_count(void **state)
{
	unsigned int n;

	(void)state;
	EACH_TREE(k) {
		open_queue(k, 64, 0);
		as(0);
		o->add(s, waiter[0], 0);
		for (n = 1; n <= 8; n++)
			sleep_on(n, 0);
		assert_int_equal(o->ws_active(s), 9);
		for (n = 0; n < 8; n++)
			o->clear(s, o->get(s), 0);
		assert_int_equal(sleepers(), 0);
		o->del(waiter[0]);
		for (n = 1; n <= 8; n++)
			finish(n);
		assert_int_equal(o->ws_active(s), 0);
		close_queue();
	}
}

/* 1: at rest ws_active is the number of waiters, whoever comes and goes. */
static void active_is_queued(void **state)
{
	struct rnd r = { 3 };
	int kind[TASKS];	/* 0 none, 1 prepared, 2 added */
	unsigned int i, n, want;

	(void)state;
	EACH_TREE(k) {
		memset(kind, 0, sizeof(kind));
		open_queue(k, 64, 0);
		for (n = 0; n < 20000; n++) {
			i = rnd_below(&r, 16);
			as(i);
			switch (rnd_below(&r, 3)) {
			case 0:
				if (!kind[i]) {
					kind[i] = i & 1 ? 1 : 2;
					if (kind[i] == 1)
						sleep_on(i, rnd_below(&r, 8));
					else
						o->add(s, waiter[i],
						       rnd_below(&r, 8));
				}
				break;
			case 1:
				if (kind[i] == 1)
					finish(i);
				else if (kind[i] == 2)
					o->del(waiter[i]);
				kind[i] = 0;
				task[i].__state = 0;
				break;
			default:
				o->clear(s, o->get(s), 0);
			}
			for (i = 0, want = 0; i < 16; i++)
				want += kind[i] != 0;
			if (o->ws_active(s) != (int)want)
				fail_msg("%s: ws_active %d, %u wait", tree,
					 o->ws_active(s), want);
		}
		for (i = 0; i < 16; i++) {
			as(i);
			if (kind[i] == 2)
				o->del(waiter[i]);
			task[i].__state = 0;
		}
		close_queue();
	}
}

/* wake_all: one exclusive waiter of every queue. */
static void wake_all_wakes_one_each(void **state)
{
	unsigned int n;

	(void)state;
	EACH_TREE(k) {
		open_queue(k, 64, 0);
		for (n = 0; n < 24; n++)
			sleep_on(n, n % 8);
		o->wake_all(s);
		assert_int_equal(sleepers(), 16);
		assert_int_equal(queued(), 16);
		close_queue();
	}
}

/* 27: a shallow get below the announced depth warns; at it, it does not. */
static void shallow_warns(void **state)
{
	(void)state;
	EACH_TREE(k) {
		/* Nobody gets shallow in NUMA mode. */
		if (trees[k].ops->has & SBT_HAS_NUMA)
			continue;
		open_queue(k, 64, 0);
		o->min_shallow(s, 16);
		assert_int_equal(o->wake_batch(s), 2);
		o->get_shallow(s, 16);
		assert_int_equal(hs_warns(), 0);
		o->get_shallow(s, 15);
		assert_int_equal(hs_warns(), 1);
		close_queue();
	}
}

/*
 * 19: no sleeping lock is taken where one cannot sleep: the shims report it,
 * close_queue() looks. Every path that wakes.
 */
static void no_sleeping_lock_when_atomic(void **state)
{
	int tags[8];
	unsigned int n, cpu;

	(void)state;
	EACH_TREE(k) {
		open_queue(k, 8, 0);
		for (n = 0; n < 8; n++)
			tags[n] = o->get_cpu(s, &cpu);
		sleep_on(0, 0);
		o->clear(s, tags[0], cpu);
		sleep_on(0, 1);
		o->clear_batch(s, 0, tags + 1, 7);
		sleep_on(0, 1);
		o->wake_up(s, 1);
		sleep_on(0, 2);
		o->wake_all(s);
		assert_int_equal(sleepers(), 0);
		close_queue();
	}
}

/*
 * A whole system in steps: tasks of several users get, hold, free, sleep, as
 * blk_mq_get_tag() does; nobody may get more than its share. When nothing can
 * move any more, nobody may be asleep; some users may have no task at all. 2, 3, 5, 6, 10, 11, 12.
 */
enum what { RUN, HOLD, SLEEP, DONE };

static void stall_case(unsigned int k, unsigned int depth, unsigned int users,
		       unsigned int tasks, struct rnd *r)
{
	enum what st[TASKS];
	unsigned int share, held[TASKS] = { 0 }, i, step, rounds[TASKS];
	unsigned int index = 0, active = rnd(r) & 1 ? 1 : 1 + rnd_below(r, users);
	int bit[TASKS];

	open_queue(k, depth, 0);
	o->recalc(s, users);
	share = (depth + users - 1) / users;
	if (share < 4)
		share = 4;
	if (users == 1)
		share = depth;
	for (i = 0; i < tasks; i++) {
		st[i] = RUN;
		rounds[i] = 1 + rnd_below(r, 4);
	}
	for (step = 0; step < 100000; step++) {
		unsigned int can[TASKS], n = 0, u;

		for (i = 0; i < tasks; i++) {
			if (st[i] == SLEEP && !asleep(i)) {
				finish(i);
				st[i] = RUN;
			}
			if (st[i] == RUN || st[i] == HOLD)
				can[n++] = i;
		}
		if (!n)
			break;
		i = can[rnd_below(r, n)];
		u = i % active;
		as(i);
		hs_this()->cpu = i % hs_topo.nr_cpus;
		if (st[i] == HOLD) {
			held[u]--;
			st[i] = --rounds[i] ? RUN : DONE;
			if (rnd(r) & 1)
				o->clear(s, bit[i], hs_this()->cpu);
			else
				o->clear_batch(s, 0, &bit[i], 1);
			continue;
		}
		bit[i] = held[u] < share ? o->get(s) : -1;
		if (bit[i] < 0) {
			sleep_on(i, index++ % 8);
			bit[i] = held[u] < share ? o->get(s) : -1;
			if (bit[i] < 0) {
				st[i] = SLEEP;
				continue;
			}
			finish(i);
		}
		held[u]++;
		st[i] = HOLD;
	}
	hs_this()->cpu = 0;
	for (i = 0; i < tasks; i++)
		if (st[i] != DONE)
			fail_msg("%s: depth %u, %u users, %u tasks: task %u sleeps for ever (batch %u)",
				 tree, depth, users, tasks, i, o->wake_batch(s));
	assert_int_equal(o->ws_active(s), 0);
	assert_int_equal(o->weight(s), 0);
	close_queue();
}

static void nobody_sleeps_for_ever(void **state)
{
	unsigned int n;
	struct rnd r = { 11 };

	(void)state;
	EACH_TREE(k) {
		for (n = 0; n < (longer ? 20000u : 1500u / SLOW); n++) {
			unsigned int depth = 1 + rnd_below(&r, n & 1 ? 12 : 70);
			unsigned int users = 1 + rnd_below(&r, n & 2 ? 4 : 24);

			if (users > depth)
				users = depth;
			stall_case(k, depth, users, 1 + rnd_below(&r, TASKS), &r);
		}
	}
	hs_topo_set("one");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_clear_wakes_depth_one),
		cmocka_unit_test(wakeups_go_round),
		cmocka_unit_test(emptied_queue_wakes_again),
		cmocka_unit_test(batches_of_any_size),
		cmocka_unit_test(clear_batch_wakes_one_batch),
		cmocka_unit_test(lone_waiter_on_any_queue),
		cmocka_unit_test(batch_wakes_as_many),
		cmocka_unit_test(non_exclusive_do_not_count),
		cmocka_unit_test(active_is_queued),
		cmocka_unit_test(wake_all_wakes_one_each),
		cmocka_unit_test(shallow_warns),
		cmocka_unit_test(no_sleeping_lock_when_atomic),
		cmocka_unit_test(nobody_sleeps_for_ever),
	};

	test_begin(argc, argv);
	return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
