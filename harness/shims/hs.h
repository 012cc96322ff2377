/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the shims and the host program share: simulated CPU, topology, memory
 * accounting, reports. Free of libc headers, so that kernel files can be
 * compiled with it. The definitions live in the host program (rt.c, topo.c);
 * the shared objects with the kernel's files import them.
 */
#ifndef HS_H
#define HS_H

#define HS_MAX_CPUS	256
#define HS_MAX_NODES	64
#define HS_MASK_LONGS	(HS_MAX_CPUS / 64)

/* Distance between the copies of a per-CPU object of two CPUs. */
#define HS_PCPU_STRIDE	128
/* Makes a per-CPU pointer non-canonical: used as a plain one, it faults. */
#define HS_PCPU_BIAS	0x4000000000000000UL

struct task_struct {
	unsigned int __state;
	int id;
	int wakeups;		/* times a wakeup found this task asleep */
	void *priv;		/* the host's: how to block and kick it */
};

/**
 * struct hs_ctx - what one simulated CPU (or thread) is doing
 * @id: of the context, for lock owners; several may share a CPU
 * @cpu: number of the CPU that this context runs on
 * @preempt: depth of preempt_disable()
 * @irqoff: depth of local_irq_save(), raw locks taken with interrupts off
 * @soft: spinlock_t held, which keeps interrupts off except on PREEMPT_RT
 * @raw: number of raw spinlocks held
 * @task: what "current" is
 * @rng: state of get_random_u32()
 * @calls: of the code under test, counted by the adapter
 */
struct hs_ctx {
	int id;
	int cpu;
	int preempt;
	int irqoff;
	int soft;
	int raw;
	struct task_struct *task;
	unsigned long rng;
	unsigned long calls;
};

#ifdef HS_EXPLORE
struct hs_ctx *hs_ctx_now(void);
void hs_call(void);
int hs_atomic_context(int soft_too);
void hs_explore_begin(void);
#define hs_this()	hs_ctx_now()
#else
extern __thread struct hs_ctx *hs_ctx_cur __attribute__((tls_model("initial-exec")));
#define hs_this()	(hs_ctx_cur)
#define hs_call()	((void)hs_this()->calls++)
#endif

/**
 * struct hs_topo - one machine
 * @name: how a test asks for it
 * @what: one line for people
 * @nr_cpus: possible CPUs, numbered from 0
 * @nr_nodes: highest possible node id plus one
 * @possible: nodes that can exist
 * @online: nodes that exist now
 * @memory: nodes that have memory now
 * @cpu_node: node of each CPU, or -1
 * @dist: as in the ACPI SLIT, 10 for a node to itself
 */
struct hs_topo {
	const char *name;
	const char *what;
	unsigned int nr_cpus;
	unsigned int nr_nodes;
	unsigned long possible;
	unsigned long online;
	unsigned long memory;
	short cpu_node[HS_MAX_CPUS];
	unsigned char dist[HS_MAX_NODES][HS_MAX_NODES];
};

extern struct hs_topo hs_topo;

int hs_topo_set(const char *name);
const char *hs_topo_name(unsigned int i);
void hs_topo_node_up(unsigned int node);
int hs_node_mem(int node);
unsigned long hs_nodes_with_cpus(void);
unsigned int hs_node_cpus(int node, unsigned long mask[HS_MASK_LONGS]);

/* Memory. */
enum hs_kind { HS_KMALLOC, HS_KVMALLOC, HS_PERCPU };

struct hs_alloc {
	unsigned long addr;
	unsigned long size;
	int node;		/* asked for, -1 for any */
	int got;		/* where the topology puts it */
	unsigned int flags;
	enum hs_kind kind;
	unsigned long serial;
};

void *hs_alloc(unsigned long size, unsigned int flags, int node,
	       enum hs_kind kind);
void hs_free(const void *p, enum hs_kind kind);
unsigned long hs_live(void);
unsigned long hs_allocs(void);
void hs_fail_nth(unsigned long n);
int hs_failed(void);
int hs_find_alloc(unsigned long addr, struct hs_alloc *out);
int hs_nth_live(unsigned long n, struct hs_alloc *out);

/* Reports: a fault of the code under test, seen by a shim. */
enum hs_bug_kind {
	HS_BUG_MEM,		/* bad or double free, wrong function */
	HS_BUG_LOCK,		/* a lock taken twice by its owner, or not held */
	HS_BUG_CONTEXT,		/* sleeping lock in atomic context (RT) */
	HS_BUG_CPU,		/* a CPU that is not there */
	HS_BUG_BUG,		/* BUG(), BUG_ON() */
	HS_BUG_NR
};

void hs_bug(enum hs_bug_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
unsigned long hs_bugs(void);
const char *hs_bug_text(void);
void hs_bug_clear(void);
extern int hs_bug_abort;

void hs_warn(const char *cond, const char *file, int line);
unsigned long hs_warns(void);
void hs_warn_clear(void);

unsigned int hs_random(void);
void hs_count_wakeup(struct task_struct *t);
void hs_mem_forget(void);

/* Running: what schedule() and a wakeup do is the host's choice. */
struct hs_sched {
	void (*block)(struct task_struct *t);
	void (*kick)(struct task_struct *t);
	void (*relax)(void);
};

extern struct hs_sched hs_sched;

/* Text. */
struct hs_text {
	char *buf;
	unsigned long len;
	unsigned long cap;
};

void hs_text_add(struct hs_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void hs_text_char(struct hs_text *t, char c);
void hs_text_free(struct hs_text *t);

#endif /* HS_H */
