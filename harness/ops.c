// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operation sequences. Each runs on every tree and on a model of its own per
 * tree; the trees must agree with their models and with each other.
 */
#include <stdlib.h>
#include <string.h>

#include "ops.h"

unsigned long seq_ops_run;
unsigned int seq_excused;
unsigned int seq_exceptions = EXC_BASE;

/* ---- randomness ---- */

/** rnd() - 32 random bits. */
uint32_t rnd(struct rnd *r)
{
	uint64_t z = r->s += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31)) >> 32;
}

/** rnd_below() - 0 .. @n - 1. */
uint32_t rnd_below(struct rnd *r, uint32_t n)
{
	return n ? ((uint64_t)rnd(r) * n) >> 32 : 0;
}

/* ---- names ---- */

static const struct {
	const char *name;	/* in --replay */
	const char *c;		/* in C */
	int args;
	int queue;		/* needs a queue */
	int hint;		/* needs hints */
} names[OP_NR] = {
	[OP_GET]	= { "get", "OP_GET", 1, 0, 1 },
	[OP_SHALLOW]	= { "shallow", "OP_SHALLOW", 2, 1, 1 },
	[OP_BATCH]	= { "batch", "OP_BATCH", 2, 1, 1 },
	[OP_PUT]	= { "put", "OP_PUT", 2, 0, 0 },
	[OP_CLEAR]	= { "clear", "OP_CLEAR", 2, 1, 0 },
	[OP_CLEAR_BATCH] = { "clearbatch", "OP_CLEAR_BATCH", 2, 1, 0 },
	[OP_CLEAR_BIT]	= { "clearbit", "OP_CLEAR_BIT", 1, 0, 0 },
	[OP_RESIZE]	= { "resize", "OP_RESIZE", 1, 0, 0 },
	[OP_USERS]	= { "users", "OP_USERS", 1, 1, 0 },
	[OP_MIN_SHALLOW] = { "minshallow", "OP_MIN_SHALLOW", 1, 1, 0 },
	[OP_TEST]	= { "test", "OP_TEST", 1, 0, 0 },
	[OP_ITERATE]	= { "iterate", "OP_ITERATE", 2, 0, 0 },
	[OP_WEIGHT]	= { "weight", "OP_WEIGHT", 0, 0, 0 },
	[OP_SHOW]	= { "show", "OP_SHOW", 0, 0, 0 },
	[OP_BITMAP_SHOW] = { "bitmapshow", "OP_BITMAP_SHOW", 0, 0, 0 },
	[OP_DRAIN]	= { "drain", "OP_DRAIN", 0, 0, 0 },
	[OP_FILL]	= { "fill", "OP_FILL", 1, 0, 1 },
	[OP_REINIT]	= { "reinit", "OP_REINIT", 1, 0, 0 },
};

/* ---- generation ---- */

/**
 * seq_cfg() - a random configuration
 * @r: source
 * @cfg: filled: any depth 0..1100 (small ones and edges more often), shift
 *	 -1..6, and so on
 */
void seq_cfg(struct rnd *r, struct sbt_cfg *cfg)
{
	static const unsigned int edges[] = {
		0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65,
		127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025,
	};

	memset(cfg, 0, sizeof(*cfg));
	switch (rnd_below(r, 3)) {
	case 0:
		cfg->depth = rnd_below(r, 1101);
		break;
	case 1:
		cfg->depth = rnd_below(r, 70);
		break;
	default:
		cfg->depth = edges[rnd_below(r, sizeof(edges) / sizeof(*edges))];
	}
	cfg->shift = (int)rnd_below(r, 8) - 1;
	cfg->queue = rnd_below(r, 4) != 0;
	cfg->round_robin = rnd_below(r, 4) == 0;
	cfg->alloc_hint = cfg->queue || rnd_below(r, 4) != 0;
	cfg->node = -1;
	if (rnd(r) & 1) {
		unsigned int n = rnd_below(r, hs_topo.nr_nodes);

		if (hs_topo.possible >> n & 1)
			cfg->node = n;
	}
}

/* What a sequence does often, per profile; zero is never. */
static const unsigned char weights[][OP_NR] = {
	{ /* mixed */
		[OP_GET] = 40, [OP_SHALLOW] = 4, [OP_BATCH] = 4, [OP_PUT] = 10,
		[OP_CLEAR] = 20, [OP_CLEAR_BATCH] = 3, [OP_CLEAR_BIT] = 1,
		[OP_RESIZE] = 1, [OP_USERS] = 1, [OP_MIN_SHALLOW] = 1,
		[OP_TEST] = 2, [OP_ITERATE] = 2, [OP_WEIGHT] = 2, [OP_SHOW] = 1,
		[OP_BITMAP_SHOW] = 1, [OP_DRAIN] = 1, [OP_FILL] = 1,
		[OP_REINIT] = 1,
	},
	{ /* nearly full */
		[OP_GET] = 40, [OP_PUT] = 10, [OP_CLEAR] = 20, [OP_FILL] = 20,
		[OP_BATCH] = 10, [OP_CLEAR_BATCH] = 5, [OP_WEIGHT] = 1,
		[OP_ITERATE] = 1,
	},
	{ /* batches */
		[OP_BATCH] = 40, [OP_CLEAR_BATCH] = 20, [OP_CLEAR] = 10,
		[OP_GET] = 10, [OP_FILL] = 2, [OP_BITMAP_SHOW] = 1,
	},
	{ /* shallow */
		[OP_SHALLOW] = 40, [OP_CLEAR] = 20, [OP_GET] = 5,
		[OP_MIN_SHALLOW] = 2, [OP_RESIZE] = 2,
	},
	{ /* resize */
		[OP_RESIZE] = 10, [OP_GET] = 20, [OP_CLEAR] = 10, [OP_PUT] = 5,
		[OP_FILL] = 3, [OP_DRAIN] = 2, [OP_WEIGHT] = 2, [OP_USERS] = 3,
		[OP_ITERATE] = 2, [OP_BITMAP_SHOW] = 2, [OP_BATCH] = 4,
	},
};

static void args(struct rnd *r, const struct sbt_cfg *cfg, struct op *o)
{
	unsigned int d = cfg->depth, c = hs_topo.nr_cpus;

	o->a = o->b = 0;
	switch (o->kind) {
	case OP_GET:
	case OP_FILL:
		o->a = rnd_below(r, c);
		break;
	case OP_SHALLOW:
		o->a = rnd_below(r, c);
		o->b = 1 + rnd_below(r, d + 1);
		break;
	case OP_BATCH:
		o->a = rnd_below(r, c);
		o->b = 1 + rnd_below(r, rnd(r) & 1 ? 63 : 8);
		break;
	case OP_PUT:
	case OP_CLEAR:
		o->a = rnd_below(r, d);
		o->b = rnd_below(r, c);
		break;
	case OP_CLEAR_BATCH:
		o->a = rnd_below(r, d);
		o->b = 1 + rnd_below(r, 32);
		break;
	case OP_CLEAR_BIT:
		o->a = rnd_below(r, d);
		break;
	case OP_RESIZE:
		o->a = rnd_below(r, 20) ? 1 + rnd_below(r, d) : 0;
		break;
	case OP_USERS:
	case OP_MIN_SHALLOW:
		o->a = 1 + rnd_below(r, d);
		break;
	case OP_TEST:
		o->a = rnd_below(r, d);
		break;
	case OP_ITERATE:
		o->a = rnd_below(r, d + 2);
		o->b = rnd(r) & 1 ? rnd_below(r, 8) : 0;
		break;
	case OP_REINIT:
		o->a = rnd_below(r, 4);
		break;
	default:
		break;
	}
}

/**
 * seq_make() - a random sequence
 * @r: source
 * @cfg: its configuration
 * @nr: operations
 * @s: filled
 */
void seq_make(struct rnd *r, const struct sbt_cfg *cfg, unsigned int nr,
	      struct seq *s)
{
	const unsigned char *w = weights[rnd_below(r, sizeof(weights) /
						   sizeof(weights[0]))];
	unsigned int i, sum = 0, x;

	for (i = 0; i < OP_NR; i++)
		sum += w[i];
	s->cfg = *cfg;
	s->nr = nr < SEQ_MAX ? nr : SEQ_MAX;
	for (i = 0; i < s->nr; i++) {
		x = rnd_below(r, sum);
		s->op[i].kind = 0;
		while (x >= w[s->op[i].kind])
			x -= w[s->op[i].kind++];
		args(r, cfg, &s->op[i]);
	}
}

#define HEAD 8
#define STEP 5

/**
 * seq_from_bytes() - what the fuzzer's bytes mean; every input means something
 * @p: bytes
 * @n: how many
 * @s: filled
 */
void seq_from_bytes(const uint8_t *p, size_t n, struct seq *s)
{
	uint8_t head[HEAD] = { 0 };
	size_t i;

	memcpy(head, p, n < HEAD ? n : HEAD);
	memset(&s->cfg, 0, sizeof(s->cfg));
	s->cfg.depth = (head[0] | head[1] << 8) % 1101;
	s->cfg.shift = head[2] % 8 - 1;
	s->cfg.queue = head[3] & 1;
	s->cfg.round_robin = head[3] >> 1 & 1;
	s->cfg.alloc_hint = s->cfg.queue || (head[3] >> 2 & 1);
	s->cfg.node = -1;
	s->nr = 0;
	for (i = HEAD; i + STEP <= n && s->nr < SEQ_MAX; i += STEP) {
		struct op *o = &s->op[s->nr++];

		o->kind = p[i] % OP_NR;
		o->a = p[i + 1] | p[i + 2] << 8;
		o->b = p[i + 3] | p[i + 4] << 8;
	}
}

/**
 * seq_to_bytes() - the inverse, for the corpus
 * @s: sequence
 * @p: filled
 * @max: room
 *
 * Return: bytes used.
 */
size_t seq_to_bytes(const struct seq *s, uint8_t *p, size_t max)
{
	size_t n = HEAD;
	unsigned int i;

	memset(p, 0, HEAD);
	p[0] = s->cfg.depth;
	p[1] = s->cfg.depth >> 8;
	p[2] = s->cfg.shift + 1;
	p[3] = s->cfg.queue | s->cfg.round_robin << 1 | s->cfg.alloc_hint << 2;
	for (i = 0; i < s->nr && n + STEP <= max; i++) {
		p[n++] = s->op[i].kind;
		p[n++] = s->op[i].a;
		p[n++] = s->op[i].a >> 8;
		p[n++] = s->op[i].b;
		p[n++] = s->op[i].b >> 8;
	}
	return n;
}

/* ---- execution ---- */

struct run {
	const struct sbt_ops *ops;
	const char *name;
	struct sbt *s;
	struct model m;
	unsigned long live;	/* objects while it lives */
	struct hs_text log;	/* what the trees must agree on */
	char why[240];
	int numa;
};

#define FAIL(r, ...) (snprintf((r)->why, sizeof((r)->why), __VA_ARGS__), -1)

/* The model's reason becomes the run's. */
static int judged(struct run *r, const char *when)
{
	char why[sizeof(r->m.why)];

	memcpy(why, r->m.why, sizeof(why));
	return FAIL(r, "%s%s", when, why);
}

static int sick(struct run *r)
{
	if (hs_bugs())
		return FAIL(r, "%s", hs_bug_text());
	return 0;
}

static int init(struct run *r, const struct sbt_cfg *cfg, unsigned int nth)
{
	unsigned long before = hs_live(), want;
	int ret, hint = cfg->queue || cfg->alloc_hint;

	/* Without depth the hints stay unset: row 32, tested elsewhere. */
	r->s = r->ops->create(cfg->depth == 0);
	hs_fail_nth(nth);
	ret = r->ops->init(r->s, cfg);
	if (nth && hs_failed()) {
		hs_fail_nth(0);
		if (ret != -12)
			return FAIL(r, "allocation %u failed, init returned %d",
				    nth, ret);
		if (hs_live() != before + 1)
			return FAIL(r, "allocation %u failed, init left %lu objects",
				    nth, hs_live() - before - 1);
		if (sick(r))
			return -1;
		ret = r->ops->init(r->s, cfg);
	}
	hs_fail_nth(0);
	if (ret)
		return FAIL(r, "init returned %d", ret);
	r->numa = r->ops->numa(r->s);
	want = before + 1 + (cfg->queue ? 1 : 0) + (cfg->depth ? 1 + hint : 0);
	if (r->numa)	/* all in one, hints, order of slots, words of each */
		want = before + 1 + 3 + r->ops->slots(r->s);
	if (hs_live() != want)
		return FAIL(r, "init made %lu objects, %lu expected",
			    hs_live() - before - 1, want - before - 1);
	r->live = want - before;
	model_init(&r->m, cfg, seq_exceptions);
	if (r->numa) {
		r->m.shift = r->ops->shift(r->s);
		r->m.numa = 1;
		r->m.exceptions &= EXC_USERS_LOST;
	} else if (r->ops->shift(r->s) != r->m.shift)
		return FAIL(r, "shift %u, %u expected", r->ops->shift(r->s),
			    r->m.shift);
	if (cfg->queue && model_wake_batch(&r->m, r->ops->wake_batch(r->s)))
		return judged(r, "after init: ");
	return 0;
}

static int finish(struct run *r)
{
	unsigned long before = hs_live();

	seq_excused |= r->m.excused;
	r->ops->free(r->s);
	r->ops->destroy(r->s);
	if (sick(r))
		return -1;
	if (before - hs_live() != r->live)
		return FAIL(r, "free gave back %lu objects of %lu",
			    before - hs_live(), r->live);
	return 0;
}

struct walk {
	unsigned int nr;
	unsigned int stop;
	unsigned int seen[MODEL_MAX];
};

static int walk(unsigned int nr, void *data)
{
	struct walk *w = data;

	if (w->nr == MODEL_MAX)
		return 0;
	w->seen[w->nr++] = nr;
	return w->nr != w->stop;
}

static int iterate(struct run *r, unsigned int start, unsigned int stop)
{
	static struct walk w;
	unsigned int i, n = 0, bit, d = r->m.depth;

	w.nr = 0;
	w.stop = stop;
	r->ops->for_each(r->s, start, walk, &w);
	if (start >= d)
		start = 0;
	for (i = 0; i < d; i++) {
		bit = start + i < d ? start + i : start + i - d;
		if (!model_set(&r->m, bit))
			continue;
		if (n == w.nr)
			return FAIL(r, "iterate from %u missed bit %u", start, bit);
		if (w.seen[n] != bit)
			return FAIL(r, "iterate from %u gave %u, %u expected",
				    start, w.seen[n], bit);
		if (++n == stop)
			break;
	}
	if (n != w.nr)
		return FAIL(r, "iterate gave bit %u too many", w.seen[n]);
	return 0;
}

static int compare_text(struct run *r, struct hs_text *got,
			struct hs_text *want, const char *what)
{
	int bad = strcmp(got->buf ? got->buf : "", want->buf ? want->buf : "");

	hs_text_free(got);
	hs_text_free(want);
	return bad ? FAIL(r, "%s differs from the model", what) : 0;
}

static int clear_batch(struct run *r, unsigned int from, unsigned int nr)
{
	int tags[64], n = 0;

	while (n < (int)nr && n < 64 && r->m.nr_set) {
		int bit = model_nth(&r->m, from);

		tags[n++] = bit + 100;
		model_put(&r->m, bit);
	}
	if (n)
		r->ops->clear_batch(r->s, 100, tags, n);
	return 0;
}

/* Nothing is where it cannot be: the words against the model. */
static int words(struct run *r)
{
	unsigned int i, b;

	if (r->ops->map_nr(r->s) != model_words(&r->m))
		return FAIL(r, "%u words, %u expected", r->ops->map_nr(r->s),
			    model_words(&r->m));
	for (i = 0; i < model_words(&r->m); i++) {
		unsigned long w = r->ops->word(r->s, i);
		unsigned long c = r->ops->cleared(r->s, i);

		if (c & ~w)
			return FAIL(r, "word %u: cleared %lx of word %lx", i, c, w);
		w &= ~c;
		for (b = 0; b < model_word_depth(&r->m, i); b++)
			if ((int)(w >> b & 1) !=
			    model_set(&r->m, (i << r->m.shift) + b))
				return FAIL(r, "bit %u is %lu",
					    (i << r->m.shift) + b, w >> b & 1);
	}
	return 0;
}

static int get(struct run *r)
{
	unsigned int cpu = hs_this()->cpu, hint = r->ops->hint(r->s, cpu);
	int nr = r->ops->get(r->s);

	hs_text_add(&r->log, " %d", nr);
	if (model_get(&r->m, nr, hint))
		return judged(r, "");
	return nr >= 0;
}

static int step(struct run *r, const struct sbt_cfg *cfg, const struct op *o)
{
	unsigned int cpus = hs_topo.nr_cpus, off = 0, n;
	struct hs_text t = { 0 }, u = { 0 };
	int hint = cfg->queue || cfg->alloc_hint, bit, ret;
	unsigned long mask;

	/* What the configuration does not have is left out. */
	if (names[o->kind].queue && !cfg->queue)
		return 0;
	if (names[o->kind].hint && !hint)
		return 0;
	if (!cfg->depth && o->kind != OP_WEIGHT && o->kind != OP_REINIT)
		return 0;
	seq_ops_run++;
	hs_this()->cpu = 0;
	switch (o->kind) {
	case OP_GET:
		hs_this()->cpu = o->a % cpus;
		ret = get(r);
		return ret < 0 ? ret : 0;
	case OP_FILL:
		hs_this()->cpu = o->a % cpus;
		for (n = 0; n <= r->m.depth; n++) {
			ret = get(r);
			if (ret <= 0)
				return ret;
		}
		return FAIL(r, "more gets than bits");
	case OP_SHALLOW:
		hs_this()->cpu = o->a % cpus;
		if (r->numa) {		/* nobody does, there */
			ret = get(r);
			return ret < 0 ? ret : 0;
		}
		n = o->b ? o->b : 1;
		if (r->m.min_shallow != ~0U && n < r->m.min_shallow)
			n = r->m.min_shallow;
		bit = r->ops->get_shallow(r->s, n);
		hs_text_add(&r->log, " %d", bit);
		if (model_get_shallow(&r->m, bit, n))
			return judged(r, "");
		return 0;
	case OP_BATCH:
		hs_this()->cpu = o->a % cpus;
		n = 1 + (o->b - 1) % 63;
		ret = r->ops->hint(r->s, hs_this()->cpu);
		mask = r->ops->get_batch(r->s, n, &off);
		hs_text_add(&r->log, " %lx@%u", mask, mask ? off : 0);
		if (model_get_batch(&r->m, mask, off, n, ret))
			return judged(r, "");
		return 0;
	case OP_PUT:
	case OP_CLEAR:
	case OP_CLEAR_BIT:
		bit = model_nth(&r->m, o->a);
		if (bit < 0)
			return 0;
		model_put(&r->m, bit);
		if (o->kind == OP_CLEAR) {
			r->ops->clear(r->s, bit, o->b % cpus);
		} else if (o->kind == OP_PUT) {
			hs_this()->cpu = o->b % cpus;
			r->ops->put(r->s, bit);
		} else {
			r->ops->clear_bit(r->s, bit);
		}
		return 0;
	case OP_CLEAR_BATCH:
		return clear_batch(r, o->a, o->b);
	case OP_RESIZE:
		n = o->a % (r->m.init_depth + 1);
		r->ops->resize(r->s, n);
		model_resize(&r->m, n);
		if (cfg->queue && model_wake_batch(&r->m, r->ops->wake_batch(r->s)))
			return judged(r, "after resize: ");
		return words(r);
	case OP_USERS:
		n = o->a % r->m.init_depth + 1;
		r->ops->recalc(r->s, n);
		r->m.users = n;
		/* The users' rule does not know the shallow depth. */
		r->m.min_shallow = ~0U;
		if (model_wake_batch(&r->m, r->ops->wake_batch(r->s)))
			return judged(r, "");
		return 0;
	case OP_MIN_SHALLOW:
		if (r->numa)
			return 0;
		n = o->a % r->m.init_depth + 1;
		r->ops->min_shallow(r->s, n);
		r->m.min_shallow = n;
		r->m.users = 1;
		if (model_wake_batch(&r->m, r->ops->wake_batch(r->s)))
			return judged(r, "");
		return 0;
	case OP_TEST:
		n = o->a % r->m.init_depth;
		ret = r->ops->test_bit(r->s, n);
		/* It looks at the word only: a deferred clear still shows. */
		if (ret != model_set(&r->m, n) &&
		    !(ret && r->ops->cleared(r->s, n >> r->m.shift) >>
		      (n & ((1U << r->m.shift) - 1)) & 1))
			return FAIL(r, "test of bit %u gave %d", n, ret);
		return 0;
	case OP_ITERATE:
		return iterate(r, o->a, o->b);
	case OP_WEIGHT:
		n = r->ops->weight(r->s);
		if (n != model_weight(&r->m))
			return FAIL(r, "weight %u, %u expected", n,
				    model_weight(&r->m));
		if (r->ops->any_set(r->s) != !!model_weight(&r->m) &&
		    r->m.depth == r->m.init_depth)
			return FAIL(r, "any_bit_set is wrong");
		return 0;
	case OP_SHOW:
		r->ops->show(r->s, &t);
		hs_text_add(&u, "depth=%u\nbusy=%u\n", r->m.depth,
			    model_weight(&r->m));
		ret = strncmp(t.buf, u.buf, u.len);
		for (n = 0; n < t.len; n += 400)
			hs_text_add(&r->log, "%.400s", t.buf + n);
		hs_text_free(&t);
		hs_text_free(&u);
		return ret ? FAIL(r, "show does not begin with depth and busy") : 0;
	case OP_BITMAP_SHOW:
		r->ops->bitmap_show(r->s, &t);
		model_bitmap_show(&r->m, &u);
		return compare_text(r, &t, &u, "bitmap_show");
	case OP_DRAIN:
		while ((bit = model_nth(&r->m, 0)) >= 0) {
			model_put(&r->m, bit);
			r->ops->put(r->s, bit);
		}
		if (r->ops->weight(r->s))
			return FAIL(r, "all given back, weight is %u",
				    r->ops->weight(r->s));
		return 0;
	case OP_REINIT:
		if (finish(r))
			return -1;
		return init(r, cfg, o->a);
	default:
		return 0;
	}
}

#define RUN_TREES 8

/**
 * seq_run() - run a sequence
 * @s: the sequence
 * @trees: on these
 * @nr: how many
 * @why: filled on failure
 * @len: room there
 *
 * Return: 0 or -1.
 */
int seq_run(const struct seq *s, struct sbt_tree *trees, unsigned int nr,
	    char *why, size_t len)
{
	static struct run runs[RUN_TREES];
	unsigned int i, k;
	int bad = 0;

	hs_bug_clear();
	for (k = 0; k < nr; k++) {
		memset(&runs[k], 0, sizeof(runs[k]));
		runs[k].ops = trees[k].ops;
		runs[k].name = trees[k].name;
		hs_this()->rng = 1;
		bad |= init(&runs[k], &s->cfg, 0);
		if (bad) {
			snprintf(why, len, "%s: %s", runs[k].name, runs[k].why);
			return -1;
		}
	}
	for (i = 0; i < s->nr && !bad; i++) {
		for (k = 0; k < nr && !bad; k++) {
			struct run *r = &runs[k];

			r->log.len = 0;
			hs_this()->rng = i + 2;
			bad = step(r, &s->cfg, &s->op[i]) || sick(r) ||
			      ((i % 8 == 7 || i + 1 == s->nr) && s->cfg.depth &&
			       words(r));
			if (bad)
				snprintf(why, len, "%s: operation %u (%s): %s",
					 r->name, i, names[s->op[i].kind].name,
					 r->why);
			else if (k && !r->numa && (r->log.len != runs[0].log.len ||
				       memcmp(r->log.buf ? r->log.buf : "",
					      runs[0].log.buf ? runs[0].log.buf : "",
					      r->log.len))) {
				snprintf(why, len,
					 "operation %u (%s): %s says%.60s, %s says%.60s",
					 i, names[s->op[i].kind].name,
					 runs[0].name, runs[0].log.buf, r->name,
					 r->log.buf);
				bad = 1;
			}
		}
	}
	for (k = 0; k < nr; k++) {
		if (!bad) {
			bad = finish(&runs[k]);
			if (bad)
				snprintf(why, len, "%s: at the end: %s",
					 runs[k].name, runs[k].why);
		}
		hs_text_free(&runs[k].log);
	}
	hs_this()->cpu = 0;
	return bad ? -1 : 0;
}

/* ---- shrinking ---- */

static int fails(const struct seq *s, struct sbt_tree *trees, unsigned int nr)
{
	char why[256];

	return seq_run(s, trees, nr, why, sizeof(why)) != 0;
}

static int without(struct seq *s, unsigned int at, unsigned int n,
		   struct sbt_tree *trees, unsigned int nr)
{
	static struct seq t;

	t = *s;
	memmove(&t.op[at], &t.op[at + n], (t.nr - at - n) * sizeof(t.op[0]));
	t.nr -= n;
	if (!fails(&t, trees, nr))
		return 0;
	*s = t;
	return 1;
}

static int smaller(struct seq *s, unsigned int *v, unsigned int low,
		   struct sbt_tree *trees, unsigned int nr)
{
	unsigned int old = *v, try[3] = { low, low + (old - low) / 2, old - 1 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (old <= low || try[i] >= old)
			continue;
		*v = try[i];
		if (fails(s, trees, nr))
			return 1;
		*v = old;
	}
	return 0;
}

/**
 * seq_shrink() - make a failing sequence small, keeping it failing
 * @s: the sequence, changed
 * @trees: as for seq_run()
 * @nr: as for seq_run()
 */
void seq_shrink(struct seq *s, struct sbt_tree *trees, unsigned int nr)
{
	unsigned int chunk, at, i;
	int again = 1;

	while (again) {
		again = 0;
		for (chunk = s->nr; chunk; chunk /= 2)
			for (at = 0; at + chunk <= s->nr;)
				if (without(s, at, chunk, trees, nr))
					again = 1;
				else
					at += chunk;
		while (smaller(s, &s->cfg.depth, 0, trees, nr))
			again = 1;
		for (i = 0; i < s->nr; i++) {
			while (smaller(s, &s->op[i].a, 0, trees, nr))
				again = 1;
			while (smaller(s, &s->op[i].b, 0, trees, nr))
				again = 1;
		}
		if (s->cfg.node >= 0) {
			int node = s->cfg.node;

			s->cfg.node = -1;
			if (!fails(s, trees, nr))
				s->cfg.node = node;
		}
	}
}

/* ---- printing and parsing ---- */

/**
 * seq_print_c() - as C, to be pasted into a test
 * @s: sequence
 * @why: printed above it
 * @out: where
 */
void seq_print_c(const struct seq *s, const char *why, FILE *out)
{
	unsigned int i;

	fprintf(out, "/* %s; machine \"%s\" */\n", why, hs_topo.name);
	fprintf(out, "static const struct seq seq = {\n");
	fprintf(out, "\t.cfg = { .queue = %d, .depth = %u, .shift = %d, .round_robin = %d,\n",
		s->cfg.queue, s->cfg.depth, s->cfg.shift, s->cfg.round_robin);
	fprintf(out, "\t\t .alloc_hint = %d, .numa = %d, .node = %d },\n",
		s->cfg.alloc_hint, s->cfg.numa, s->cfg.node);
	fprintf(out, "\t.nr = %u,\n\t.op = {\n", s->nr);
	for (i = 0; i < s->nr; i++)
		fprintf(out, "\t\t{ %s, %u, %u },\n", names[s->op[i].kind].c,
			s->op[i].a, s->op[i].b);
	fprintf(out, "\t},\n};\n");
}

/**
 * seq_print() - on one line, as --replay takes it
 * @s: sequence
 * @out: where
 */
void seq_print(const struct seq *s, FILE *out)
{
	unsigned int i;

	fprintf(out, "%s:%u:%d:%d:%d:%d:%d", s->cfg.queue ? "queue" : "plain",
		s->cfg.depth, s->cfg.shift, s->cfg.round_robin,
		s->cfg.alloc_hint, s->cfg.numa, s->cfg.node);
	for (i = 0; i < s->nr; i++) {
		fprintf(out, ",%s", names[s->op[i].kind].name);
		if (names[s->op[i].kind].args > 0)
			fprintf(out, " %u", s->op[i].a);
		if (names[s->op[i].kind].args > 1)
			fprintf(out, " %u", s->op[i].b);
	}
	fprintf(out, "\n");
}

/**
 * seq_parse() - the inverse of seq_print()
 * @text: one line
 * @s: filled
 *
 * Return: 0, or -1 if it is no sequence.
 */
int seq_parse(const char *text, struct seq *s)
{
	char *copy = strdup(text), *save = NULL, *p, kind[8], name[16], end;
	int ret = -1, n;

	memset(s, 0, sizeof(*s));
	p = strtok_r(copy, ",\n", &save);
	if (!p || sscanf(p, "%7[a-z]:%u:%d:%d:%d:%d:%d%c", kind, &s->cfg.depth,
			 &s->cfg.shift, &s->cfg.round_robin, &s->cfg.alloc_hint,
			 &s->cfg.numa, &s->cfg.node, &end) != 7)
		goto out;
	if (strcmp(kind, "queue") && strcmp(kind, "plain"))
		goto out;
	s->cfg.queue = kind[0] == 'q';
	if (s->cfg.depth >= MODEL_MAX || s->cfg.shift > 6)
		goto out;
	while ((p = strtok_r(NULL, ",\n", &save))) {
		struct op *o = &s->op[s->nr];
		unsigned int k;

		if (s->nr == SEQ_MAX)
			goto out;
		n = sscanf(p, "%15s %u %u %c", name, &o->a, &o->b, &end);
		for (k = 0; k < OP_NR; k++)
			if (!strcmp(name, names[k].name))
				break;
		if (k == OP_NR || n != names[k].args + 1)
			goto out;
		o->kind = k;
		s->nr++;
	}
	ret = 0;
out:
	free(copy);
	return ret;
}
