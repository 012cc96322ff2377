/* SPDX-License-Identifier: GPL-2.0-only */
/* A load on a bitmap of one contender, run on the model's machine. */
#ifndef MODEL_LOAD_H
#define MODEL_LOAD_H

#include "../sbt.h"
#include "sim.h"

enum load_place { PLACE_CPU, PLACE_NODE, PLACE_ANY };

/**
 * struct load_cfg - what is run; times in ns
 * @depth: tags
 * @shift: of the bitmap, -1 for its own choice
 * @node: where the tag set lives
 * @use: tags wanted at once, as a part of @depth; above 1 tasks must wait
 * @only: -1 for all nodes, else the only one that does I/O
 * @hot: node 0 wants that many times as much as another one
 * @queues: request queues on the tag set
 * @jobs: per queue; 0 for one a CPU, in flight by @use
 * @iodepth: per job, with @jobs
 * @batch: requests that a job submits at once
 * @place: where a request completes
 * @think: CPU time of a request outside of the bitmap
 * @device: from submission to completion, +- a fifth
 * @sched: scheduler tags too; 2: those in the contender's mode
 * @lines: cache lines of a request that submission writes
 * @untimed: no clock: a random CPU gives back a random tag of its own and gets
 *           another, @use of all tags being held
 * @warm: requests before counting starts
 * @pairs: requests that count
 */
struct load_cfg {
	unsigned int depth;
	int shift;
	int node;
	double use;
	int only;
	unsigned int hot;
	unsigned int queues, jobs, iodepth;
	unsigned int batch;
	enum load_place place;
	double think, device;
	unsigned int sched;
	unsigned int lines;
	bool untimed;
	unsigned long warm, pairs;
	unsigned long seed;
};

/* A build of the bitmap and how to ask it for its mode. */
struct contender {
	const char *name;
	const char *tree;
	int numa;
	const char *what;
};

struct load_result {
	struct sim_stats st;
	double seconds;		/* simulated */
	double kiops;
	double get_ns, put_ns;	/* CPU time of a call, without sleeping */
	double p50, p99;	/* of getting a tag, with sleeping, ns */
	double words, foreign;	/* per get */
	double sleeps;		/* per request */
	double fair;		/* least busy node / busiest */
	double per_call;	/* tags per call */
	double pairs;
	unsigned long nr_foreign;	/* with @untimed */
	const char *stalled;
	bool refused;
};

void load_prepare(const struct load_cfg *cfg, const struct sim_machine *m,
		  bool check);
int load_run(const struct load_cfg *cfg, const struct sim_machine *m,
	     const struct contender *who, const struct sbt_ops *ops,
	     struct load_result *r);
struct hs_ctx *load_ctx(void);

extern unsigned int mrt_offset;
void mrt_seed(unsigned long seed);

#endif
