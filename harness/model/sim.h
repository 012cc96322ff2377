/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine of the model: cache lines with a directory, CPUs with a clock
 * each, coroutines that run on them. What it is and is not: docs/model.md.
 */
#ifndef MODEL_SIM_H
#define MODEL_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../explore/explore-int.h"	/* struct ex_coro */

#define SIM_CPUS	256
#define SIM_WORDS	(SIM_CPUS / 64)
#define SIM_BASE	0x200000000000UL
#define SIM_SIZE	(16UL << 20)
#define SIM_LINE	64
#define SIM_NONE	0xffff

/*
 * A clock counts 1/256 ps in a u64; the low byte holds the CPU, so that the
 * smallest clock is also a CPU, and of two equal ones the lower number runs.
 */
#define SIM_PS		256UL
#define SIM_NS		(1000UL * SIM_PS)
#define SIM_NEVER	(~0UL)

/* How an access was served, and from where. */
enum sim_class {
	SIM_HIT,
	SIM_COMPLEX,		/* a CPU that shares the last-level cache */
	SIM_NODE,		/* another one of the same node */
	SIM_SOCKET,		/* another node of the same socket */
	SIM_CROSS,		/* another socket */
	SIM_MEM_NEAR,		/* memory of the CPU's own node */
	SIM_MEM_FAR,		/* memory of another node */
	SIM_CLASSES
};

extern const char *const sim_class_name[SIM_CLASSES];

/* What a line holds, found out from how it is used. */
enum sim_kind {
	SIM_K_OTHER,		/* side structures, tables of pointers */
	SIM_K_QUEUE,		/* the bitmap's own structure */
	SIM_K_COUNT,		/* its counters of waiters and wakeups */
	SIM_K_WORD,		/* ->word */
	SIM_K_CLEARED,		/* ->cleared and swap_lock */
	SIM_K_HINT,		/* per-CPU */
	SIM_K_WAIT,		/* wait queues, entries, tasks */
	SIM_K_ACTIVE,		/* nr_active_requests_shared_tags */
	SIM_K_REQUEST,		/* tags->rqs[] and requests */
	SIM_KINDS
};

extern const char *const sim_kind_name[SIM_KINDS];

/**
 * struct sim_machine - one machine, from a .machine file; times in ns
 * @resolve: up to this class a transfer is settled without asking the line's
 *           home node (0: inside a complex, 1: a node, 2: a socket)
 */
struct sim_machine {
	char name[32];
	char what[128];
	unsigned int sockets, nodes, complexes, cores;
	double hit, atomic, fence;
	double lat[SIM_CLASSES];
	double mem_socket;	/* memory of another node of the same socket */
	double home_socket;	/* home in a third socket, or not in this one */
	double home_node;	/* home in a third node of the same socket */
	double hold;		/* part of a transfer until the line leaves its owner */
	double share;		/* directory busy for a read of a shared line */
	double wakeup;		/* from wake_up() to the task running */
	double sched;		/* CPU time of a context switch */
	unsigned int resolve;
	unsigned int slit_socket, slit_cross;
	/* derived */
	unsigned int nr_cpus, nr_nodes;
};

int sim_machine_load(struct sim_machine *m, const char *path);
int sim_machine_set(struct sim_machine *m, const char *arg);
void sim_machine_scale(struct sim_machine *m, double by);

struct sim_line {
	uint16_t owner;		/* holds it modified or exclusive, or SIM_NONE */
	uint8_t home;
	uint8_t kind;
	uint8_t quiet;		/* of its eight words: not part of the model */
	uint8_t used;		/* somebody has or had it */
	uint64_t busy;		/* under transfer until then */
	uint64_t sharers[SIM_WORDS];
} __attribute__((aligned(64)));

struct sim_stats {
	uint64_t n[SIM_KINDS][SIM_CLASSES];
	uint64_t accesses;
	uint64_t queued;	/* ps spent behind other requests */
};

struct sim_cpu {
	uint64_t t;		/* clock; low byte is the CPU */
	uint64_t store;		/* until then a store of its own is under way */
	struct ex_coro *cur;	/* what runs on it */
	struct ex_coro main;
	void *priv;
	unsigned int words;	/* bitmap words looked at, since the caller's 0 */
	struct sim_line *word;	/* the last of these */
	uint64_t irq_at;	/* an interrupt is due then */
	int irqoff;
	struct sim_line *held;	/* a line that is asked for, and not gone yet */
	uint64_t held_until;
	struct sim_line *last;	/* the last word that it changed */
};

struct sim {
	struct sim_machine m;
	struct sim_cpu cpu[SIM_CPUS];
	struct sim_cpu *cur;	/* NULL: not in the simulation */
	uint64_t horizon;	/* the next clock behind cur's */
	uint64_t tree[2 * SIM_CPUS];
	struct sim_stats st;
	struct ex_coro host;
	bool stop;
	bool check;		/* the second opinion runs along */
	const char *stalled;
	void (*irq)(void);	/* takes what is due, moves irq_at */
	/* costs, in clock units */
	uint64_t hit, atomic, fence, share;
	uint64_t lat[SIM_CLASSES];
	uint64_t mem_socket, home_socket, home_node;
	uint8_t cls[SIM_CPUS][SIM_CPUS];
	uint8_t node[SIM_CPUS], socket[SIM_CPUS];
	uint8_t node_socket[64];
	uint64_t m_complex[SIM_CPUS][SIM_WORDS];
	uint64_t m_node[SIM_CPUS][SIM_WORDS];
	uint64_t m_socket[SIM_CPUS][SIM_WORDS];
	size_t top;		/* of the arena */
};

extern struct sim sim;
extern struct sim_line *sim_lines;

enum sim_op { SIM_READ, SIM_WRITE, SIM_RMW };

void sim_init(const struct sim_machine *m, bool check);
void *sim_alloc(size_t size, size_t align, int node, enum sim_kind kind);
void sim_place(const void *p, size_t size, int node, int kind);
void sim_quiet(const void *p, size_t size);
void sim_coro(struct ex_coro *co, void (*fn)(void *arg), void *arg);
void sim_start(unsigned int cpu, void (*fn)(void *arg), void *arg);
int sim_run(void);
void sim_end(void);
void sim_stop(void);

void sim_access(uintptr_t a, enum sim_op op);
void sim_fence(void);
void sim_wait_until(uint64_t t);
void sim_wake_at(unsigned int cpu, uint64_t t);
void sim_lock(unsigned int *word);
int sim_trylock(unsigned int *word);
void sim_unlock(unsigned int *word);

static inline uint64_t sim_now(void)
{
	return sim.cur->t;
}

/* CPU time that is not a memory access */
static inline void sim_work(uint64_t t)
{
	sim.cur->t += t & ~0xffUL;
}

static inline struct sim_line *sim_line_of(uintptr_t a)
{
	return &sim_lines[(a - SIM_BASE) / SIM_LINE];
}

static inline bool sim_holds(uintptr_t a)
{
	return a - SIM_BASE < SIM_SIZE;
}

/* The second opinion: naive.c */
void naive_init(const struct sim_machine *m);
void naive_access(unsigned int cpu, unsigned long line, bool write,
		  int home);
void naive_held(void);
void naive_totals(uint64_t out[SIM_CLASSES]);

#endif
