// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's sbitmap against the reference model: every depth, shift and
 * flag; allocation failures; random sequences on every machine.
 */
#include "testlib.h"

static void run(const struct seq *s)
{
	static struct seq small;
	char why[256];

	watchdog(4);
	if (!seq_run(s, trees, nr_trees, why, sizeof(why)))
		return;
	fprintf(stderr, "red after %lu calls\n", hs_this()->calls);
	watchdog(60);
	small = *s;
	seq_shrink(&small, trees, nr_trees);
	seq_run(&small, trees, nr_trees, why, sizeof(why));
	seq_print_c(&small, why, stderr);
	fprintf(stderr, "replay: --topology %s --replay '", hs_topo.name);
	seq_print(&small, stderr);
	fail_msg("%s", why);
}

/* Fill, spill, drain: every bit can be got, none beyond depth, no more. */
static void every_depth(void **state)
{
	static const struct op ops[] = {
		{ OP_FILL, 1, 0 }, { OP_WEIGHT, 0, 0 }, { OP_BITMAP_SHOW, 0, 0 },
		{ OP_CLEAR, 0, 0 }, { OP_GET, 2, 0 }, { OP_CLEAR, 7, 1 },
		{ OP_GET, 3, 0 }, { OP_ITERATE, 3, 0 }, { OP_SHOW, 0, 0 },
		{ OP_DRAIN, 0, 0 }, { OP_BITMAP_SHOW, 0, 0 }, { OP_GET, 0, 0 },
	};
	struct seq s = { .nr = sizeof(ops) / sizeof(ops[0]) };
	unsigned int depth, kind;
	int shift;

	(void)state;
	memcpy(s.op, ops, sizeof(ops));
	hs_topo_set("two");
	for (depth = 0; depth <= 1100; depth += longer || depth < 70 ? 1 : SLOW) {
		for (shift = -1; shift <= 6; shift++) {
			/* The full product is long; a third of it is enough. */
			for (kind = longer ? 0 : (depth + shift + 1) % 3;
			     kind < 6; kind += longer ? 1 : 3) {
				s.cfg = (struct sbt_cfg){
					.queue = kind < 2,
					.depth = depth,
					.shift = shift,
					.round_robin = kind & 1,
					.alloc_hint = kind < 4,
					.node = -1,
				};
				run(&s);
			}
		}
	}
}

/* users 1..depth: the wake batch is no more than an eighth of a share. */
static void every_user(void **state)
{
	unsigned int depth, users, k;

	(void)state;
	hs_topo_set("one");
	for (k = 0; k < nr_trees; k++) {
		const struct sbt_ops *o = trees[k].ops;

		for (depth = 1; depth <= 1100; depth += longer ? 1 : 7 * SLOW) {
			struct sbt_cfg cfg = { .queue = 1, .depth = depth,
					       .shift = -1, .node = -1 };
			struct sbt *s = o->create(0);
			struct model m;

			assert_int_equal(o->init(s, &cfg), 0);
			model_init(&m, &cfg, 0);
			for (users = 1; users <= depth; users++) {
				o->recalc(s, users);
				m.users = users;
				if (model_wake_batch(&m, o->wake_batch(s)))
					fail_msg("%s: depth %u: %s",
						 trees[k].name, depth, m.why);
			}
			o->free(s);
			o->destroy(s);
		}
	}
}

/* The limits of a shallow get, summed over the words, are its depth. */
static void shallow_sum(void **state)
{
	unsigned int depth, shallow, k, n;
	int shift;

	(void)state;
	hs_topo_set("one");
	for (k = 0; k < nr_trees; k++) {
		const struct sbt_ops *o = trees[k].ops;

		for (depth = 1; depth <= 520; depth += depth < 70 ? 1 : 41) {
			for (shift = -1; shift <= 6; shift++) {
				struct sbt_cfg cfg = { .queue = 1, .depth = depth,
						       .shift = shift, .node = -1 };
				struct sbt *s = o->create(0);

				assert_int_equal(o->init(s, &cfg), 0);
				for (shallow = 1; !o->numa(s) && shallow <= depth + 1;
				     shallow += 1 + depth / 16) {
					unsigned int want = shallow < depth ?
							    shallow : depth;
					int nr;

					for (n = 0; n <= depth; n++) {
						nr = o->get_shallow(s, shallow);
						if (nr < 0)
							break;
					}
					if (n > want || n + 1 < want)
						fail_msg("%s: depth %u shift %d: shallow %u gave %u",
							 trees[k].name, depth, shift,
							 shallow, n);
					for (n = 0; n < depth; n++)
						if (o->word(s, n >> o->shift(s)) &
						    ~o->cleared(s, n >> o->shift(s)) &
						    1UL << (n & ((1U << o->shift(s)) - 1)))
							o->put(s, n);
					assert_int_equal(o->weight(s), 0);
				}
				o->free(s);
				o->destroy(s);
			}
		}
	}
}

/* Each allocation of init fails in turn, on every machine. */
static void alloc_failure(void **state)
{
	unsigned int t, k, nth, kind, made, want;

	(void)state;
	for (t = 0; hs_topo_name(t); t++) {
		hs_topo_set(hs_topo_name(t));
		for (k = 0; k < nr_trees; k++) {
			const struct sbt_ops *o = trees[k].ops;

			for (kind = 0; kind < 6; kind++) {
				struct sbt_cfg cfg = {
					.queue = kind < 2, .depth = 200,
					.shift = -1, .round_robin = kind & 1,
					.alloc_hint = kind < 4, .node = -1,
				};

				for (nth = 1; ; nth++) {
					struct sbt *s = o->create(0);
					unsigned long live = hs_live();
					int ret, failed;

					hs_bug_clear();
					hs_fail_nth(nth);
					ret = o->init(s, &cfg);
					failed = hs_failed();
					hs_fail_nth(0);
					if (failed) {
						assert_int_equal(ret, -12);
						assert_int_equal(hs_live(), live);
					} else {
						assert_int_equal(ret, 0);
						want = kind < 2 ? 3 : kind < 4 ? 2 : 1;
						if (o->numa(s))
							want = 3 + o->slots(s);
						o->free(s);
						assert_int_equal(hs_live(), live);
					}
					if (hs_bugs())
						fail_msg("%s: allocation %u fails: %s",
							 trees[k].name, nth,
							 hs_bug_text());
					o->destroy(s);
					if (!failed)
						break;
				}
				made = nth - 1;
				assert_int_equal(made, want);
			}
		}
	}
}

/* Memory goes to the node that is asked for, or to the nearest with memory. */
static void nodes(void **state)
{
	unsigned int t, k, n, w;

	(void)state;
	for (t = 0; hs_topo_name(t); t++) {
		hs_topo_set(hs_topo_name(t));
		for (k = 0; k < nr_trees; k++) {
			for (n = 0; n < hs_topo.nr_nodes; n++) {
				const struct sbt_ops *o = trees[k].ops;
				struct sbt_cfg cfg = { .queue = 1, .depth = 64,
						       .shift = -1, .node = n };
				struct hs_alloc a;
				struct sbt *s;

				if (!(hs_topo.possible >> n & 1))
					continue;
				s = o->create(0);
				assert_int_equal(o->init(s, &cfg), 0);
				for (w = 0; w < o->map_nr(s); w++) {
					int want = o->numa(s) ?
						o->node(s, w << o->shift(s)) : (int)n;

					assert_int_equal(hs_find_alloc((unsigned long)
						o->word_addr(s, w), &a), 1);
					assert_int_equal(a.node, want);
					assert_int_equal(a.got, hs_node_mem(want));
					assert_true(hs_topo.memory >> a.got & 1);
				}
				o->free(s);
				o->destroy(s);
			}
		}
	}
}

static void random_sequences(void **state)
{
	unsigned int t, i, n = longer ? 40000 : 1500 / SLOW;
	struct rnd r = { 20240501 };
	static struct seq s;
	struct sbt_cfg cfg;

	(void)state;
	for (t = 0; hs_topo_name(t); t++) {
		hs_topo_set(hs_topo_name(t));
		if (hs_topo.nr_cpus > 64)
			n /= 4;
		for (i = 0; i < n; i++) {
			seq_cfg(&r, &cfg);
			seq_make(&r, &cfg, 20 + rnd_below(&r, 80), &s);
			run(&s);
		}
	}
}

/* What --replay prints, --replay reads; bytes as well. */
static void round_trip(void **state)
{
	static struct seq s, t;
	struct rnd r = { 7 };
	struct sbt_cfg cfg;
	uint8_t buf[4096];
	char *text;
	size_t len;
	FILE *f;
	int i;

	(void)state;
	hs_topo_set("four");
	for (i = 0; i < 200; i++) {
		seq_cfg(&r, &cfg);
		cfg.node = -1;
		memset(&s, 0, sizeof(s));
		seq_make(&r, &cfg, 50, &s);
		f = open_memstream(&text, &len);
		seq_print(&s, f);
		fclose(f);
		assert_int_equal(seq_parse(text, &t), 0);
		free(text);
		assert_memory_equal(&s.cfg, &t.cfg, sizeof(s.cfg));
		assert_int_equal(s.nr, t.nr);
		seq_from_bytes(buf, seq_to_bytes(&s, buf, sizeof(buf)), &t);
		assert_int_equal(s.nr, t.nr);
		assert_int_equal(s.cfg.depth, t.cfg.depth);
		assert_int_equal(s.cfg.shift, t.cfg.shift);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_depth),
		cmocka_unit_test(every_user),
		cmocka_unit_test(shallow_sum),
		cmocka_unit_test(alloc_failure),
		cmocka_unit_test(nodes),
		cmocka_unit_test(random_sequences),
		cmocka_unit_test(round_trip),
	};

	test_begin(argc, argv);
	return test_end(cmocka_run_group_tests(tests, NULL, NULL));
}
