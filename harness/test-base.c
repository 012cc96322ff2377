// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that the unmodified base has (design.md, section 4), each with its
 * smallest case. They assert what happens today, in the default mode: when one
 * is mended upstream, its test goes red and is to be turned round. The ones
 * that need two CPUs are in test-race-base.c and t/race-base.t.
 */
#include "testlib.h"

/* NUMA mode has none of them: test-numa.c, test-race.c. */
#define EACH_TREE(k)							\
	for (unsigned int k = 0; k < nr_trees; k++)			\
		if (!(trees[k].ops->has & SBT_HAS_NUMA))

static struct sbt *make(const struct sbt_ops *o, unsigned int depth, int shift,
			int rr)
{
	struct sbt_cfg cfg = { .queue = 1, .depth = depth, .shift = shift,
			       .round_robin = rr, .node = -1 };
	struct sbt *s = o->create(0);

	hs_bug_clear();
	assert_int_equal(o->init(s, &cfg), 0);
	hs_this()->cpu = 0;
	if (!rr)
		o->set_hint(s, 0, 0);
	return s;
}

static void drop(const struct sbt_ops *o, struct sbt *s)
{
	o->free(s);
	o->destroy(s);
	assert_int_equal(hs_bugs(), 0);
}

/*
 * The smallest sequence that needs the exception @exc, found by trying and
 * shrinking; it must not be longer than what was found by thinking.
 */
static void smallest(unsigned int k, unsigned int exc, const char *name,
		     unsigned int max_ops, unsigned int max_depth, int rr)
{
	static struct seq s, best;
	unsigned int i, size, have = ~0U;
	char why[256];

	seq_exceptions = EXC_BASE & ~exc;
	for (i = 0; i < 400; i++) {
		struct rnd r = { i };
		struct sbt_cfg cfg = { .queue = 1, .depth = 1 + i % 40,
				       .shift = (int)(i % 3) * 3 - 1,
				       .round_robin = rr, .node = -1,
				       .alloc_hint = 1 };

		seq_make(&r, &cfg, 120, &s);
		if (!seq_run(&s, &trees[k], 1, why, sizeof(why)))
			continue;
		seq_shrink(&s, &trees[k], 1);
		size = s.cfg.depth * 100 + s.nr;
		if (size < have) {
			have = size;
			best = s;
		}
	}
	assert_int_not_equal(have, ~0U);
	seq_run(&best, &trees[k], 1, why, sizeof(why));
	seq_exceptions = EXC_BASE;
	printf("# smallest case of \"%s\":\n# ", name);
	seq_print(&best, stdout);
	printf("# %s\n", why);
	assert_true(best.nr <= max_ops);
	assert_true(best.cfg.depth <= max_depth);
}

/* 32: depth 0 leaves alloc_hint as it was; freeing frees that. */
static void depth_zero_frees_garbage(void **state)
{
	(void)state;
	EACH_TREE(k) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt_cfg cfg = { .queue = 0, .depth = 0, .shift = -1,
				       .alloc_hint = 1, .node = -1 };
		struct sbt *s = o->create(0);

		hs_bug_clear();
		assert_int_equal(o->init(s, &cfg), 0);
		assert_int_equal(hs_bugs(), 0);
		o->free(s);
		assert_int_equal(hs_bugs(), 1);
		printf("# smallest case: poisoned struct, init with depth 0, free: %s\n",
		       hs_bug_text());
		assert_non_null(strstr(hs_bug_text(), "5a5a5a5a5a5a5a5a"));
		o->destroy(s);

		/* From a zeroed struct the same is right. */
		s = o->create(1);
		hs_bug_clear();
		assert_int_equal(o->init(s, &cfg), 0);
		o->free(s);
		assert_int_equal(hs_bugs(), 0);
		o->destroy(s);
	}
}

/* 22: the hint wraps at depth - 1: the last bit is skipped. */
static void round_robin_skips_last(void **state)
{
	(void)state;
	EACH_TREE(k) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt *s = make(o, 3, 6, 1);

		assert_int_equal(o->get(s), 0);
		assert_int_equal(o->hint(s, 0), 1);
		assert_int_equal(o->get(s), 1);
		assert_int_equal(o->hint(s, 0), 0);	/* 2 would be right */
		o->clear_bit(s, 0);
		assert_int_equal(o->get(s), 0);		/* 2 would be right */
		printf("# smallest case: depth 3: get 0, get 1, clear_bit 0, get gives 0 and not 2\n");
		drop(o, s);
	}
}

/* 23: hint > 0, the only free bit lies below it in its word: -1. */
static void round_robin_misses_low_bits(void **state)
{
	(void)state;
	EACH_TREE(k) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt *s = make(o, 3, 6, 1);

		assert_int_equal(o->get(s), 0);
		assert_int_equal(o->get(s), 1);
		assert_int_equal(o->get(s), 2);
		o->clear(s, 0, 0);
		assert_int_equal(o->get(s), 0);
		assert_int_equal(o->hint(s, 0), 1);
		o->clear(s, 0, 0);
		assert_int_equal(o->weight(s), 2);
		assert_int_equal(o->get(s), -1);	/* 0 is free */
		assert_int_equal(o->get(s), 0);		/* the hint is 0 now */
		drop(o, s);
		smallest(k, EXC_RR_LOW, "round robin, low bits", 5, 3, 1);
	}
}

/* Batch get takes a word whose only free bit is the top one for full. */
static void batch_skips_top_bit(void **state)
{
	unsigned int off;

	(void)state;
	EACH_TREE(k) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt *s = make(o, 1, 6, 0);

		assert_int_equal(o->get_batch(s, 1, &off), 0);	/* 1 is right */
		assert_int_equal(o->get(s), 0);
		drop(o, s);

		s = make(o, 4, 6, 0);
		assert_int_equal(o->get(s), 0);
		assert_int_equal(o->get(s), 1);
		assert_int_equal(o->get_batch(s, 1, &off), 1);	/* bit 2 */
		assert_int_equal(off, 2);
		assert_int_equal(o->get_batch(s, 1, &off), 0);	/* bit 3 is free */
		assert_int_equal(o->get(s), 3);
		drop(o, s);
		smallest(k, EXC_BATCH_TOP, "batch, top bit", 1, 1, 0);
	}
}

/* Resizing forgets the users: the batch is that of the whole depth again. */
static void resize_forgets_users(void **state)
{
	(void)state;
	EACH_TREE(k) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt *s = make(o, 64, -1, 0);

		assert_int_equal(o->wake_batch(s), 8);
		o->recalc(s, 8);
		assert_int_equal(o->wake_batch(s), 1);
		o->resize(s, 63);
		assert_int_equal(o->wake_batch(s), 7);	/* 1 would be right */
		drop(o, s);
		smallest(k, EXC_USERS_LOST, "resize forgets users", 2, 17, 0);
	}
}

/* 29: after a failed get the hint is 0: everybody starts on word 0. */
static void failed_get_sends_all_to_word_zero(void **state)
{
	unsigned int cpu;

	(void)state;
	EACH_TREE(k) {
		const struct sbt_ops *o = trees[k].ops;
		struct sbt *s = make(o, 64, -1, 0);

		while (o->get(s) >= 0)
			;
		for (cpu = 0; cpu < hs_topo.nr_cpus; cpu++) {
			hs_this()->cpu = cpu;
			o->set_hint(s, cpu, 63);
			assert_int_equal(o->get(s), -1);
			assert_int_equal(o->hint(s, cpu), 0);
		}
		hs_this()->cpu = 0;
		drop(o, s);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_zero_frees_garbage),
		cmocka_unit_test(round_robin_skips_last),
		cmocka_unit_test(round_robin_misses_low_bits),
		cmocka_unit_test(batch_skips_top_bit),
		cmocka_unit_test(resize_forgets_users),
		cmocka_unit_test(failed_get_sends_all_to_word_zero),
	};

	test_begin(argc, argv);
	return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
