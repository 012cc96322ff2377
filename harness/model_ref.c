// SPDX-License-Identifier: GPL-2.0-only
/* The reference model: see model_ref.h. */
#include <stdio.h>
#include <string.h>

#include "model_ref.h"

#define WRONG(m, ...) (snprintf((m)->why, sizeof((m)->why), __VA_ARGS__), -1)

/**
 * model_shift() - bits per word, as a power of two
 * @depth: of the bitmap
 * @shift: asked for, negative for the default
 *
 * By default a word has as many bits as a long, halved until there are at
 * least four words; below four bits it is not worth it.
 */
unsigned int model_shift(unsigned int depth, int shift)
{
	unsigned int s;

	if (shift >= 0)
		return shift;
	for (s = 6; depth >= 4 && depth >> s < 4; s--)
		;
	return s;
}

/** model_init() - an empty set. */
void model_init(struct model *m, const struct sbt_cfg *cfg, unsigned int exc)
{
	memset(m, 0, sizeof(*m));
	m->init_depth = m->depth = cfg->depth;
	m->shift = model_shift(cfg->depth, cfg->shift);
	m->round_robin = cfg->round_robin;
	m->queue = cfg->queue;
	m->users = 1;
	m->min_shallow = ~0U;
	m->exceptions = exc;
}

/** model_set() - is a bit taken? */
int model_set(const struct model *m, unsigned int nr)
{
	return m->bits[nr / 64] >> (nr % 64) & 1;
}

static int take(struct model *m, unsigned int nr)
{
	if (nr >= m->depth)
		return WRONG(m, "bit %u handed out, depth is %u", nr, m->depth);
	if (model_set(m, nr))
		return WRONG(m, "bit %u handed out twice", nr);
	m->bits[nr / 64] |= 1UL << (nr % 64);
	m->nr_set++;
	return 0;
}

/** model_weight() - taken bits below the depth. */
unsigned int model_weight(const struct model *m)
{
	unsigned int i, n = 0;

	for (i = 0; i < m->depth / 64; i++)
		n += __builtin_popcountl(m->bits[i]);
	if (m->depth % 64)
		n += __builtin_popcountl(m->bits[i] &
					 ((1UL << (m->depth % 64)) - 1));
	return n;
}

/** model_words() - number of words. */
unsigned int model_words(const struct model *m)
{
	return (m->depth + (1U << m->shift) - 1) >> m->shift;
}

/** model_word_depth() - bits of a word; only the last may be short. */
unsigned int model_word_depth(const struct model *m, unsigned int w)
{
	unsigned int from = w << m->shift, to = from + (1U << m->shift);

	return (to < m->depth ? to : m->depth) - from;
}

/**
 * model_shallow() - bits of a word that a shallow get may use
 * @m: the model
 * @w: word
 * @shallow: depth asked for
 *
 * Its part of @shallow in proportion to its size; what division leaves goes to
 * the first words, one bit each.
 */
unsigned int model_shallow(const struct model *m, unsigned int w,
			   unsigned int shallow)
{
	unsigned long long wd = model_word_depth(m, w), part;

	if (shallow >= m->depth)
		return wd;
	part = wd * shallow;
	return part / m->depth + (part % m->depth >= (w + 1) * wd);
}

/**
 * model_nth() - a taken bit
 * @m: the model
 * @n: modulo the number of taken bits
 *
 * Return: -1 if none is taken.
 */
int model_nth(const struct model *m, unsigned int n)
{
	unsigned int i;

	if (!m->nr_set)
		return -1;
	n %= m->nr_set;
	for (i = 0; i < MODEL_MAX / 64; i++) {
		unsigned long w = m->bits[i];
		unsigned int c = __builtin_popcountl(w);

		if (n >= c) {
			n -= c;
			continue;
		}
		while (n--)
			w &= w - 1;
		return i * 64 + __builtin_ctzl(w);
	}
	return -1;
}

/**
 * model_get() - judge a get
 * @m: the model
 * @nr: what it returned
 * @hint: the CPU's hint before it (only round robin cares)
 *
 * Return: 0, or -1 with a reason in @m->why.
 */
int model_get(struct model *m, int nr, unsigned int hint)
{
	unsigned int i, low = 0, end = 0;
	int rr = m->round_robin && m->exceptions & EXC_RR_LOW;

	if (nr >= 0)
		return take(m, nr);
	if (nr != -1)
		return WRONG(m, "get returned %d", nr);
	if (rr && hint < m->depth) {
		low = hint >> m->shift << m->shift;
		end = hint;
	}
	for (i = 0; i < m->depth; i++) {
		if (model_set(m, i))
			continue;
		/* A hint beyond depth becomes a random one: any word may be it. */
		if (rr && hint >= m->depth && !end) {
			low = i >> m->shift << m->shift;
			end = low + model_word_depth(m, i >> m->shift) - 1;
		}
		if (i >= low && i < end) {
			m->excused |= EXC_RR_LOW;
			continue;
		}
		return WRONG(m, "get failed, bit %u is free", i);
	}
	return 0;
}

/** model_get_shallow() - judge a shallow get, as model_get(). */
int model_get_shallow(struct model *m, int nr, unsigned int shallow)
{
	unsigned int w, i, lim;

	if (nr >= 0) {
		if ((unsigned int)nr >= m->depth)
			return take(m, nr);
		w = nr >> m->shift;
		lim = model_shallow(m, w, shallow);
		if (nr - (w << m->shift) >= lim)
			return WRONG(m, "shallow %u: bit %d, word %u may use %u",
				     shallow, nr, w, lim);
		return take(m, nr);
	}
	if (nr != -1)
		return WRONG(m, "shallow get returned %d", nr);
	for (w = 0; w < model_words(m); w++) {
		lim = model_shallow(m, w, shallow);
		for (i = 0; i < lim; i++)
			if (!model_set(m, (w << m->shift) + i))
				return WRONG(m, "shallow %u failed, bit %u is free",
					     shallow, (w << m->shift) + i);
	}
	return 0;
}

/**
 * model_get_batch() - judge a batch
 * @m: the model
 * @mask: what it returned
 * @offset: of the mask's lowest bit
 * @nr: bits asked for
 * @hint: unused by the rules, for the message
 */
int model_get_batch(struct model *m, unsigned long mask, unsigned int offset,
		    unsigned int nr, unsigned int hint)
{
	unsigned int w, i, wd, free, first;

	if (mask) {
		/* In NUMA mode they need not be neighbours. */
		if (m->numa ? __builtin_popcountl(mask) > (int)nr :
			      nr < 64 && mask >> nr)
			return WRONG(m, "batch of %u gave mask %lx", nr, mask);
		w = offset >> m->shift;
		for (i = 0; i < 64; i++) {
			if (!(mask >> i & 1))
				continue;
			if ((offset + i) >> m->shift != w)
				return WRONG(m, "batch spans words");
			if (take(m, offset + i))
				return -1;
		}
		return 0;
	}
	if (m->round_robin)
		return 0;	/* documented: no batches there */
	for (w = 0; w < model_words(m); w++) {
		wd = model_word_depth(m, w);
		free = 0;
		first = 0;
		for (i = 0; i < wd; i++) {
			if (model_set(m, (w << m->shift) + i))
				continue;
			if (!free++)
				first = i;
		}
		if (!free)
			continue;
		if (first + nr > wd && m->exceptions & EXC_BATCH_WHOLE)
			continue;
		if (free == 1 && first == wd - 1 &&
		    m->exceptions & EXC_BATCH_TOP) {
			m->excused |= EXC_BATCH_TOP;
			continue;
		}
		return WRONG(m, "batch of %u gave nothing, word %u has %u from bit %u (hint %u)",
			     nr, w, free, first, hint);
	}
	return 0;
}

/** model_put() - a bit is given back. */
void model_put(struct model *m, unsigned int nr)
{
	if (model_set(m, nr))
		m->nr_set--;
	m->bits[nr / 64] &= ~(1UL << (nr % 64));
}

/** model_resize() - another depth; taken bits beyond it stay taken. */
void model_resize(struct model *m, unsigned int depth)
{
	m->depth = depth;
	if (m->exceptions & EXC_USERS_LOST) {
		if (m->users > 1)
			m->excused |= EXC_USERS_LOST;
		m->users = 1;
	}
}

/**
 * model_wake_batch() - judge the wake batch
 * @m: the model
 * @batch: what it is
 *
 * At least 1 and at most 8; no more than an eighth of what one of the users
 * can have, or as many frees may never come.
 */
int model_wake_batch(struct model *m, unsigned int batch)
{
	unsigned int share = (m->depth + m->users - 1) / m->users, max;

	if (m->min_shallow < share)
		share = m->min_shallow;
	max = share / 8;
	if (max < 1)
		max = 1;
	if (max > 8)
		max = 8;
	if (batch < 1 || batch > max)
		return WRONG(m, "wake batch %u, share of %u is %u", batch,
			     m->users, share);
	return 0;
}

/** model_bitmap_show() - the dump: 16 bytes a line, in pairs, low bit first. */
void model_bitmap_show(const struct model *m, struct hs_text *t)
{
	unsigned int bytes = (m->depth + 7) / 8, i, b;

	for (i = 0; i < bytes; i++) {
		unsigned int v = 0;

		for (b = 0; b < 8 && i * 8 + b < m->depth; b++)
			v |= (unsigned int)model_set(m, i * 8 + b) << b;
		if (i % 16 == 0)
			hs_text_add(t, "%s%08x:", i ? "\n" : "", i);
		hs_text_add(t, "%s%02x", i % 2 ? "" : " ", v);
	}
	if (bytes)
		hs_text_add(t, "\n");
}
