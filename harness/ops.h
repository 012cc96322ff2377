/* SPDX-License-Identifier: GPL-2.0-only */
/* The operation language: sequences, how to make, run, shrink, print them. */
#ifndef OPS_H
#define OPS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model_ref.h"
#include "sbt.h"

enum op_kind {
	OP_GET,			/* a: CPU */
	OP_SHALLOW,		/* a: CPU, b: shallow depth */
	OP_BATCH,		/* a: CPU, b: tags */
	OP_PUT,			/* a: which of the taken, b: CPU */
	OP_CLEAR,		/* a: which of the taken, b: CPU it came from */
	OP_CLEAR_BATCH,		/* a: first of the taken, b: how many */
	OP_CLEAR_BIT,		/* a: which of the taken */
	OP_RESIZE,		/* a: depth */
	OP_USERS,		/* a: users */
	OP_MIN_SHALLOW,		/* a: depth */
	OP_TEST,		/* a: bit */
	OP_ITERATE,		/* a: start, b: stop after so many, 0 for none */
	OP_WEIGHT,
	OP_SHOW,
	OP_BITMAP_SHOW,
	OP_DRAIN,		/* give all back, check that it is empty */
	OP_FILL,		/* a: CPU; take all */
	OP_REINIT,		/* a: allocation that fails (0: none) */
	OP_NR
};

struct op {
	enum op_kind kind;
	unsigned int a;
	unsigned int b;
};

#define SEQ_MAX 512

struct seq {
	struct sbt_cfg cfg;
	unsigned int nr;
	struct op op[SEQ_MAX];
};

/* Deterministic randomness for generators. */
struct rnd {
	uint64_t s;
};

uint32_t rnd(struct rnd *r);
uint32_t rnd_below(struct rnd *r, uint32_t n);

void seq_cfg(struct rnd *r, struct sbt_cfg *cfg);
void seq_make(struct rnd *r, const struct sbt_cfg *cfg, unsigned int nr,
	      struct seq *s);
void seq_from_bytes(const uint8_t *p, size_t n, struct seq *s);
size_t seq_to_bytes(const struct seq *s, uint8_t *p, size_t max);
int seq_run(const struct seq *s, struct sbt_tree *trees, unsigned int nr,
	    char *why, size_t len);
void seq_shrink(struct seq *s, struct sbt_tree *trees, unsigned int nr);
void seq_print_c(const struct seq *s, const char *why, FILE *out);
void seq_print(const struct seq *s, FILE *out);
int seq_parse(const char *text, struct seq *s);

extern unsigned long seq_ops_run;	/* operations executed so far */
extern unsigned int seq_excused;	/* EXC_* that were needed so far */
extern unsigned int seq_exceptions;	/* EXC_* that are allowed */

#endif
