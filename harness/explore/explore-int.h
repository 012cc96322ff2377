/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside the explorer; nobody else includes this. */
#ifndef HARNESS_EXPLORE_INT_H
#define HARNESS_EXPLORE_INT_H

#include <setjmp.h>

#include "explore.h"

#define EX_NRANGES	8	/* words that a condition may read */
#define EX_SB_MAX	16	/* entries of a store buffer */
#define EX_SLOTS_MAX	12	/* addresses in one thread's EX_PSO buffer */
#define EX_STACK	(128u << 10)
#define EX_GUARD	(16u << 10)
#define EX_DFS_PROCS	64	/* bits of a set */
#define EX_WATCH	1024	/* buckets of watched words */
#define EX_HEADS	4096	/* buckets of the per-word access chains */

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/* coro.c */
struct ex_coro {
	void *sp;		/* or a ucontext_t */
	char *stack;
	size_t size;
	void (*fn)(void *arg);
	void *arg;
};

void ex_coro_init(struct ex_coro *co, char *stack, size_t size,
		  void (*fn)(void *arg), void *arg);
void ex_coro_switch(struct ex_coro *from, struct ex_coro *to);

struct ex_range {
	uintptr_t addr;
	uint32_t size;
};

/* A scheduling point: what a thread does when it is scheduled next */
struct ex_op {
	uintptr_t addr;
	uint32_t size;
	uint8_t kind;		/* enum ex_kind */
	uint8_t flags;		/* EX_F_* */
	uint8_t order;
	bool local;		/* goes to the store buffer: nobody sees it yet */
	bool drain;		/* waits until the store buffer is empty */
	uint32_t n;		/* EX_CHOOSE: alternatives */
	uintptr_t pc;
};

/* EX_DRIVE: a blocked thread waits for a write to this word */
struct ex_wnode {
	struct ex_proc *p;
	struct ex_wnode *next, *prev;
	struct ex_wlist *list;
};

struct ex_wlist {
	struct ex_wnode *first, *last;
};

enum ex_ptype { EX_P_TASK, EX_P_IRQ, EX_P_FLUSH };

/* What can be scheduled: a thread, an interrupt, a store buffer */
struct ex_proc {
	struct ex_coro co;
	struct ex_op op;
	uint8_t type;
	bool done;
	bool stack_shared;	/* part of its stack is registered */
	bool blocked;		/* EX_DRIVE */
	int id;
	int host;		/* thread whose CPU, buffer and interrupts it uses */
	int cpu;
	int irq_off;
	int irq;		/* proc of the interrupt running on it, or -1 */
	int slot;		/* EX_P_FLUSH */
	uint32_t state;		/* ex_prepare_sleep(): 1, else 0 */
	uint64_t yield_stamp;
	uint64_t prio;		/* EX_PCT */
	int (*cond)(void *arg);
	void *cond_arg;
	const char *what;
	int nrd;
	struct ex_range rd[EX_NRANGES];
	int nw;
	struct ex_wnode w[EX_NRANGES];
	uint32_t clk[EX_DFS_PROCS];
};

struct ex_sbent {
	uintptr_t addr;
	uintptr_t pc;
	uint64_t val;
	uint32_t size;
	uint32_t seq;		/* place in program order */
	uint32_t need;		/* all with seq < need reach memory first */
	int32_t frame;		/* of the store */
	uint8_t kind;		/* EX_WRITE, EX_RMW or EX_UNLOCK */
	uint8_t rmw;
	uint8_t slot;
};

struct ex_sb {
	int n;
	uint32_t seq;
	uint32_t wmb;
	uint32_t unlocked;	/* has released a lock */
	int nslots;
	struct ex_range slot[EX_SLOTS_MAX];
	struct ex_sbent ent[EX_SB_MAX];
};

/* A state on the current path, and the step taken from it */
struct ex_frame {
	uint64_t enabled;
	uint64_t backtrack;
	uint64_t done;
	uint64_t sleep;
	struct ex_op op;
	int32_t prev;		/* frame below in the chain */
	int32_t pprev;		/* frame of the same proc before */
	uint32_t head;		/* which chain; EX_HEADS: wide; above: none */
	uint32_t lidx;		/* how many steps of the proc, this included */
	uint32_t val;		/* EX_CHOOSE: the alternative */
	uint32_t seq;		/* EX_FLUSH: of its entry */
	uint16_t chosen;
	int16_t cur;		/* who ran before */
	int16_t preempt;	/* preemptions before this step */
	uint8_t nrd;
};

struct ex_choice {
	uint16_t proc;
	int32_t val;		/* of EX_CHOOSE, else -1 */
};

struct ex_step {
	struct ex_op op;
	uint16_t proc;
	int16_t cpu;
	bool has_old, has_new, buffered;
	uint64_t old, new;
	char *note;
	uint32_t val;
};

enum ex_settle { EX_S_NONE, EX_S_STORE, EX_S_LOAD };

struct ex_state {
	/* hot */
	struct ex_proc *cur;	/* who executes; NULL in the scheduler */
	struct ex_range *rec;	/* a condition is evaluated: its reads */
	int nrec;
	bool rec_over;
	bool running;		/* a schedule is on */
	bool on_main;
	uint8_t settle;
	uint8_t memory;
	uint8_t strategy;	/* of the current stage */
	uint32_t settle_size;
	uintptr_t settle_addr;
	uint64_t settle_old;
	struct ex_op settle_op;
	int32_t settle_frame;

	const struct ex_test *t;
	struct ex_opts o;
	struct ex_proc *procs;
	int np, np_used;	/* size of procs[], how many can have a step */
	int nt, ni;
	int slots;		/* store buffers of a thread */
	struct ex_sb *sb;
	struct ex_coro main_co;
	jmp_buf main_jmp;
	int last;		/* who ran last */
	uint64_t other_steps;	/* by anybody: for yields */

	/* this schedule */
	uint64_t depth;
	int preempt;
	enum ex_status status;
	bool failed, ended, slept, too_long, stopped, priming;
	uint32_t val;		/* of the EX_CHOOSE that was picked */
	uintptr_t bad_pc;
	char message[512];
	struct ex_choice *log;
	uint64_t nlog, log_cap;

	/* DFS */
	struct ex_frame *frames;
	struct ex_range *frd;
	uint32_t *fclk;
	int stride;
	uint64_t frame_cap;
	uint64_t nframes;	/* valid ones */
	uint64_t prefix;	/* below it: replay */
	bool preset;		/* frames[prefix] has its choice */
	uint32_t cnt[EX_DFS_PROCS];
	int32_t head[EX_HEADS + 1];
	int32_t plast[EX_DFS_PROCS];
	int bound;
	bool learned;		/* a word turned out to be contended */

	/* random */
	uint64_t rng;
	uint64_t sched_seed;
	int switch_shift;
	uint64_t pct_len;
	uint64_t pct_points[64];
	int pct_n;
	uint64_t pct_low;

	/* replay */
	struct ex_choice *rp;
	uint64_t nrp;

	/* trace */
	bool trace;
	struct ex_step *steps_rec;
	uint64_t nsteps_rec, steps_cap;
	bool trace_new;

	/* counts */
	struct ex_result *r;

	/* hooks */
	void (*observer)(void *arg, const struct ex_event *ev);
	void *observer_arg;
	int (*scheduler)(void *arg, int cur);
	void *scheduler_arg;
	void (*wakeup)(void *arg, int thread, int by);
	void *wakeup_arg;
	int cpu_outside;

	/* EX_DRIVE */
	struct ex_wlist watch[EX_WATCH];	/* of ex_block() */
	struct ex_wlist lockq[EX_WATCH];	/* of locks: first come, first woken */
	uintptr_t dirty;	/* the last write, if its word is watched */
	int dirty_by;
	uint8_t off[EX_MAX_THREADS];	/* blocked or done */
};

extern struct ex_state ex;

/* mem.c */
#define EX_ARENA_BASE	0x200000000000ul
#define EX_ARENA_SIZE	(256ul << 20)
extern uint8_t *ex_shadow;
extern uintptr_t ex_stacks_lo, ex_stacks_len;

void ex_mem_init(void);
char *ex_stacks(int n);
void ex_mem_begin(void);
void ex_mem_end(void);
void ex_mem_reset(void);
bool ex_mem_registered(uintptr_t addr, uint32_t size);
bool ex_mem_freed(uintptr_t addr);
void ex_mem_bad(uintptr_t addr, uint32_t size, bool write);
void ex_mem_name(uintptr_t addr, char *buf, size_t len);
int ex_stack_owner(uintptr_t addr);

/* engine.c */
void ex_step(struct ex_proc *p, const struct ex_op *op);
void ex_access(uintptr_t addr, uint32_t size, bool write, unsigned int flags,
	       uintptr_t pc);
uint64_t ex_atomic(uintptr_t addr, uint32_t size, int what, uint64_t val,
		   uint64_t *cmp, int order, uintptr_t pc);
void ex_do_fence(int order, uintptr_t pc);
bool ex_enabled(struct ex_proc *p);
void ex_abort(void) __attribute__((noreturn));
uint64_t ex_peek(uintptr_t addr, uint32_t size);
void ex_poke(uintptr_t addr, uint32_t size, uint64_t val);
struct ex_sbent *ex_sb_head(struct ex_proc *f);
bool ex_sb_ready(struct ex_proc *f);
uint64_t ex_rand(void);
void ex_die(int code, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));
void ex_refuse(enum ex_status st, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

enum { EX_A_LOAD = 64, EX_A_STORE, EX_A_CAS };	/* besides enum ex_rmw */

static inline bool ex_op_writes(const struct ex_op *op)
{
	switch (op->kind) {
	case EX_WRITE:
	case EX_RMW:
	case EX_LOCK:
	case EX_TRYLOCK:
	case EX_UNLOCK:
	case EX_FLUSH:
	case EX_FREE:
		return true;
	}
	return false;
}

static inline bool ex_op_memory(const struct ex_op *op)
{
	return !op->local && (op->kind == EX_READ || ex_op_writes(op));
}

static inline bool ex_overlap(uintptr_t a, uint32_t an, uintptr_t b, uint32_t bn)
{
	return a < b + bn && b < a + an;
}

/* dpor.c */
void ex_dfs_begin(void);
void ex_dfs_forget(void);
int ex_dfs_pick(void);
bool ex_dfs_next(void);
uint64_t ex_dfs_hash(void);
uint64_t ex_enabled_set(void);
bool ex_preempts(int id, uint64_t enabled);

/* report.c */
void ex_format_replay(char *buf, size_t len);
void ex_parse_replay(const char *s);
void ex_print_steps(FILE *out);
void ex_where(uintptr_t pc, char *buf, size_t len);
const char *ex_kind_str(const struct ex_op *op);

#endif
