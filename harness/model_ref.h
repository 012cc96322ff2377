/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference model: a plain set of bits and the documented rules. It does
 * not predict which bit a get returns, it judges the one that came.
 */
#ifndef MODEL_REF_H
#define MODEL_REF_H

#include "sbt.h"

#define MODEL_MAX 16384

/* What the base is known to do wrong (design.md, section 4), by name. */
#define EXC_RR_LOW	1u	/* round robin, hint > 0: low bits of the first
				 * word are not looked at, -1 with bits free */
#define EXC_BATCH_TOP	2u	/* batch: a word whose only free bit is the top
				 * one passes for full */
#define EXC_USERS_LOST	4u	/* resize forgets the users of the wake batch */
#define EXC_BATCH_WHOLE	8u	/* batch: nothing if the rest of the word behind
				 * its first free bit is short (documented) */
#define EXC_BASE (EXC_RR_LOW | EXC_BATCH_TOP | EXC_USERS_LOST | EXC_BATCH_WHOLE)

struct model {
	unsigned int init_depth;
	unsigned int depth;
	unsigned int shift;
	int round_robin;
	int queue;
	int numa;
	unsigned int users;
	unsigned int min_shallow;
	unsigned int exceptions;
	unsigned int excused;		/* exceptions that were needed */
	unsigned int nr_set;		/* all, also those beyond depth */
	unsigned long bits[MODEL_MAX / 64];
	char why[160];
};

void model_init(struct model *m, const struct sbt_cfg *cfg, unsigned int exc);
unsigned int model_shift(unsigned int depth, int shift);
int model_set(const struct model *m, unsigned int nr);
unsigned int model_weight(const struct model *m);
unsigned int model_words(const struct model *m);
unsigned int model_word_depth(const struct model *m, unsigned int w);
unsigned int model_shallow(const struct model *m, unsigned int w,
			   unsigned int shallow);
int model_nth(const struct model *m, unsigned int n);
int model_get(struct model *m, int nr, unsigned int hint);
int model_get_shallow(struct model *m, int nr, unsigned int shallow);
int model_get_batch(struct model *m, unsigned long mask, unsigned int offset,
		    unsigned int nr, unsigned int hint);
void model_put(struct model *m, unsigned int nr);
void model_resize(struct model *m, unsigned int depth);
int model_wake_batch(struct model *m, unsigned int batch);
void model_bitmap_show(const struct model *m, struct hs_text *t);

#endif
