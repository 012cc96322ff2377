/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One build of the kernel's sbitmap, seen from the host: a table of functions
 * that every shared object exports as sbt_ops. No kernel header is needed
 * here, so base, patched and NUMA mode stand side by side in one process.
 */
#ifndef SBT_H
#define SBT_H

#include "shims/hs.h"

struct sbt;			/* a bitmap, or a queue */
struct sbt_waiter;		/* a task with its wait entry */

/**
 * struct sbt_cfg - arguments of init
 * @queue: struct sbitmap_queue, else a plain struct sbitmap
 * @numa: 1: ask for NUMA mode as blk-mq does ("base" refuses it; in the tree
 *	  "numa" it is so without asking); 2: have it on any machine, also with
 *	  one node, and at any depth that has a word for each node; 3: default
 *	  mode, used by way of the mode's functions
 * @depth: bits
 * @shift: log2 of bits per word, negative for the default
 * @round_robin: strict order
 * @alloc_hint: per-CPU hints (a queue always has them)
 * @node: memory node or -1
 */
struct sbt_cfg {
	int queue;
	int numa;
	unsigned int depth;
	int shift;
	int round_robin;
	int alloc_hint;
	int node;
};

typedef int (*sbt_each_fn)(unsigned int nr, void *data);

#define SBT_HAS_NUMA	1u	/* every queue asks for the mode */

struct sbt_ops {
	unsigned int has;
	unsigned int wait_queues;
	unsigned int batch_max;
	/* The tree as a whole. */
	int (*boot)(void);
	int (*key)(const char *name, int on);
	int (*key_is_on)(const char *name);
	const char *(*key_name)(unsigned int i);
	int (*boots)(void);
	/* Life. */
	struct sbt *(*create)(int zeroed);
	void (*destroy)(struct sbt *s);
	int (*init)(struct sbt *s, const struct sbt_cfg *cfg);
	void (*free)(struct sbt *s);
	void (*resize)(struct sbt *s, unsigned int depth);
	void (*recalc)(struct sbt *s, unsigned int users);
	void (*min_shallow)(struct sbt *s, unsigned int depth);
	/* Bits. */
	int (*get)(struct sbt *s);
	int (*get_cpu)(struct sbt *s, unsigned int *cpu);
	/* n times a get, and a clear by @cpu of what it got: no call between */
	void (*pairs)(struct sbt *s, unsigned long n, unsigned int cpu);
	int (*get_shallow)(struct sbt *s, unsigned int depth);
	unsigned long (*get_batch)(struct sbt *s, int nr, unsigned int *offset);
	void (*put)(struct sbt *s, unsigned int nr);
	void (*clear)(struct sbt *s, unsigned int nr, unsigned int cpu);
	void (*clear_batch)(struct sbt *s, int offset, int *tags, int nr);
	void (*set_bit)(struct sbt *s, unsigned int nr);
	void (*clear_bit)(struct sbt *s, unsigned int nr);
	int (*test_bit)(struct sbt *s, unsigned int nr);
	int (*any_set)(struct sbt *s);
	unsigned int (*weight)(struct sbt *s);
	void (*for_each)(struct sbt *s, unsigned int start, sbt_each_fn fn,
			 void *data);
	void (*show)(struct sbt *s, struct hs_text *t);
	void (*bitmap_show)(struct sbt *s, struct hs_text *t);
	/* Waiting. */
	struct sbt_waiter *(*waiter)(struct task_struct *t);
	void (*waiter_free)(struct sbt_waiter *w);
	void (*prepare)(struct sbt *s, struct sbt_waiter *w, unsigned int ws);
	void (*finish)(struct sbt *s, struct sbt_waiter *w);
	void (*add)(struct sbt *s, struct sbt_waiter *w, unsigned int ws);
	void (*del)(struct sbt_waiter *w);
	int (*queued)(struct sbt_waiter *w);
	int (*get_wait)(struct sbt *s, struct sbt_waiter *w);
	void (*wake_up)(struct sbt *s, int nr);
	void (*wake_all)(struct sbt *s);
	/* Looking inside. */
	unsigned int (*depth)(struct sbt *s);
	unsigned int (*shift)(struct sbt *s);
	unsigned int (*map_nr)(struct sbt *s);
	unsigned long (*word)(struct sbt *s, unsigned int i);
	unsigned long (*cleared)(struct sbt *s, unsigned int i);
	void *(*word_addr)(struct sbt *s, unsigned int i);
	unsigned int (*hint)(struct sbt *s, unsigned int cpu);
	void (*set_hint)(struct sbt *s, unsigned int cpu, unsigned int hint);
	void *(*map)(struct sbt *s);
	int (*numa)(struct sbt *s);	/* is it in NUMA mode */
	unsigned int (*slots)(struct sbt *s);
	unsigned int (*slot)(struct sbt *s, unsigned int nr);	/* of a bit */
	int (*node)(struct sbt *s, unsigned int nr);
	unsigned int (*cpu_slot)(struct sbt *s, unsigned int cpu);
	int (*ws_active)(struct sbt *s);
	unsigned int (*wake_batch)(struct sbt *s);
	int (*wake_index)(struct sbt *s);
	unsigned int (*waiters)(struct sbt *s, unsigned int ws);
	int (*pending)(struct sbt *s);
};

/* Host side: sbt-load.c. */
struct sbt_tree {
	const char *name;
	const struct sbt_ops *ops;
	void *dl;
};

int sbt_load(const char *name, struct sbt_tree *t);
unsigned int sbt_load_all(struct sbt_tree *t, unsigned int max);
void sbt_unload(struct sbt_tree *t);
int sbt_parse_u(const char *s, unsigned long max, unsigned long *out);

#endif
