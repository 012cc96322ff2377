// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache lines, clocks and coroutines. Before each modelled access the CPU
 * with the smallest clock runs, so that accesses happen in the order of
 * simulated time. A line's directory takes requests in order and serves them
 * one after the other; who asked goes on, and reads or changes the value, when
 * the line is there. While the next one's request is on its way the owner
 * still has the line and can use it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim.h"

#define STACK	(64UL << 10)

struct sim sim;
struct sim_line *sim_lines;

const char *const sim_class_name[SIM_CLASSES] = {
	"hit", "complex", "node", "socket", "cross", "mem-near", "mem-far",
};

const char *const sim_kind_name[SIM_KINDS] = {
	"other", "queue", "counters", "word", "cleared", "hint", "wait",
	"nr_active", "request",
};

static char *stacks;
static size_t stack_top;

/*
 * As the kernel's queued spinlocks: who finds it taken waits on a line of its
 * own, in order, and takes the lock's line once it is free.
 */
struct sim_lockwait {
	struct sim_lockwait *next;
	struct sim_cpu *cpu;
	unsigned int *word;
	bool granted;
};

static struct sim_lockwait *waiting, **waiting_end = &waiting;

static void *map_at(void *at, size_t size)
{
	void *p = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		       MAP_ANONYMOUS | MAP_NORESERVE |
		       (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);

	if (p == MAP_FAILED || (at && p != at)) {
		fprintf(stderr, "model: no memory for the arena\n");
		exit(2);
	}
	return p;
}

static uint64_t units(double ns)
{
	return (uint64_t)(ns * 1000.0 + 0.5) * SIM_PS;
}

static void bit(uint64_t *m, unsigned int c)
{
	m[c / 64] |= 1UL << (c % 64);
}

/**
 * sim_init() - an empty machine: nothing cached, all clocks at 0
 * @m: which
 * @check: let the second opinion count along
 */
void sim_init(const struct sim_machine *m, bool check)
{
	unsigned int a, b, per_node = m->complexes * m->cores;

	if (!sim_lines) {
		map_at((void *)SIM_BASE, SIM_SIZE);
		sim_lines = map_at(NULL, SIM_SIZE / SIM_LINE *
				   sizeof(*sim_lines));
		stacks = map_at(NULL, 4096 * STACK);
	} else {
		madvise((void *)SIM_BASE, SIM_SIZE, MADV_DONTNEED);
		madvise(sim_lines, SIM_SIZE / SIM_LINE * sizeof(*sim_lines),
			MADV_DONTNEED);
	}
	memset(&sim, 0, sizeof(sim));
	stack_top = 0;
	waiting = NULL;
	waiting_end = &waiting;
	sim.m = *m;
	sim.check = check;
	sim.hit = units(m->hit);
	sim.atomic = units(m->atomic);
	sim.fence = units(m->fence);
	sim.share = units(m->share);
	sim.mem_socket = units(m->mem_socket);
	sim.home_socket = units(m->home_socket);
	sim.home_node = units(m->home_node);
	for (a = 0; a < SIM_CLASSES; a++)
		sim.lat[a] = units(m->lat[a]);
	for (a = 0; a < m->nr_cpus; a++) {
		sim.cpu[a].t = a;
		sim.cpu[a].irq_at = SIM_NEVER;
		sim.node[a] = a / per_node;
		sim.socket[a] = a / per_node / m->nodes;
	}
	for (a = 0; a < m->nr_nodes; a++)
		sim.node_socket[a] = a / m->nodes;
	for (a = 0; a < m->nr_cpus; a++) {
		for (b = 0; b < m->nr_cpus; b++) {
			if (sim.socket[a] == sim.socket[b])
				bit(sim.m_socket[a], b);
			if (sim.node[a] == sim.node[b])
				bit(sim.m_node[a], b);
			if (a / m->cores == b / m->cores)
				bit(sim.m_complex[a], b);
			sim.cls[a][b] = a == b ? SIM_HIT :
				a / m->cores == b / m->cores ? SIM_COMPLEX :
				sim.node[a] == sim.node[b] ? SIM_NODE :
				sim.socket[a] == sim.socket[b] ? SIM_SOCKET :
				SIM_CROSS;
		}
	}
	for (a = 0; a < 2 * SIM_CPUS; a++)
		sim.tree[a] = SIM_NEVER;
	if (check)
		naive_init(m);
}

/**
 * sim_alloc() - memory that the model watches
 * @size: bytes
 * @align: a power of two
 * @node: its home
 * @kind: what it holds
 *
 * Never shares a line with anything else; goes with the next sim_init().
 */
void *sim_alloc(size_t size, size_t align, int node, enum sim_kind kind)
{
	char *p;

	if (align < SIM_LINE)
		align = SIM_LINE;
	sim.top = (sim.top + align - 1) & ~(align - 1);
	p = (char *)SIM_BASE + sim.top;
	sim.top += size;
	if (sim.top > SIM_SIZE) {
		fprintf(stderr, "model: the arena of %lu MiB is full\n",
			SIM_SIZE >> 20);
		exit(2);
	}
	sim_place(p, size, node, kind);
	return p;
}

/**
 * sim_place() - say where memory lies and what it holds
 * @p: start
 * @size: bytes
 * @node: home, or -1 to leave it
 * @kind: enum sim_kind, or -1 to leave it
 */
void sim_place(const void *p, size_t size, int node, int kind)
{
	uintptr_t a = (uintptr_t)p & ~(uintptr_t)(SIM_LINE - 1);

	for (; a < (uintptr_t)p + size; a += SIM_LINE) {
		struct sim_line *l = sim_line_of(a);

		if (!l->used)
			l->owner = SIM_NONE;
		if (node >= 0)
			l->home = node;
		if (kind >= 0)
			l->kind = kind;
	}
}

/** sim_quiet() - memory that exists in the harness only */
void sim_quiet(const void *p, size_t size)
{
	uintptr_t a;

	for (a = (uintptr_t)p & ~7UL; a < (uintptr_t)p + size; a += 8)
		sim_line_of(a)->quiet |= 1u << (a / 8 % 8);
}

/* ---- clocks ---- */

static void tree_set(unsigned int cpu, uint64_t t)
{
	uint64_t *tree = sim.tree;
	unsigned int i = cpu + SIM_CPUS;

	tree[i] = t;
	for (i /= 2; i; i /= 2) {
		uint64_t a = tree[2 * i], b = tree[2 * i + 1];

		tree[i] = a < b ? a : b;
	}
}

static void go(struct sim_cpu *from)
{
	uint64_t *tree = sim.tree, second = SIM_NEVER;
	struct ex_coro *old = from ? from->cur : &sim.host;
	struct sim_cpu *to;
	unsigned int i;

	if (sim.stop || tree[1] == SIM_NEVER) {
		if (!sim.stop)
			sim.stalled = "nothing can run any more";
		sim.cur = NULL;
		if (old != &sim.host)
			ex_coro_switch(old, &sim.host);
		return;
	}
	i = tree[1] & 0xff;
	to = &sim.cpu[i];
	for (i += SIM_CPUS; i > 1; i /= 2)
		if (tree[i ^ 1] < second)
			second = tree[i ^ 1];
	sim.horizon = second;
	sim.cur = to;
	if (old != to->cur)
		ex_coro_switch(old, to->cur);
}

/* Let those run first whose clock is behind. */
static __attribute__((noinline)) void yield(struct sim_cpu *c)
{
	tree_set(c->t & 0xff, c->t);
	go(c);
}

static void sleep_until(struct sim_cpu *c, uint64_t t)
{
	unsigned int cpu = c->t & 0xff;

	tree_set(cpu, t);
	go(c);
	/* sim_wake_at() may have made it earlier. */
	c->t = sim.tree[cpu + SIM_CPUS];
}

/** sim_wait_until() - idle; SIM_NEVER: until sim_wake_at() */
void sim_wait_until(uint64_t t)
{
	struct sim_cpu *c = sim.cur;

	if (t != SIM_NEVER) {
		t = (t & ~0xffUL) | (c->t & 0xff);
		if (t < c->t)
			t = c->t;
	}
	sleep_until(c, t);
}

/**
 * sim_wake_at() - an idle CPU has something to do
 * @cpu: which; that it is idle in sim_wait_until() is the caller's to know
 * @t: when
 */
void sim_wake_at(unsigned int cpu, uint64_t t)
{
	struct sim_cpu *c = &sim.cpu[cpu];

	t = (t & ~0xffUL) | cpu;
	if (t < c->t)
		t = c->t;
	if (t >= sim.tree[cpu + SIM_CPUS])
		return;
	tree_set(cpu, t);
	if (t < sim.horizon && c != sim.cur)
		sim.horizon = t;
}

/* ---- running ---- */

/**
 * sim_coro() - a coroutine with a stack of its own
 * @co: filled
 * @fn: must not return
 * @arg: its argument
 */
void sim_coro(struct ex_coro *co, void (*fn)(void *arg), void *arg)
{
	if (++stack_top > 4096) {
		fprintf(stderr, "model: more than 4096 coroutines\n");
		exit(2);
	}
	ex_coro_init(co, stacks + (stack_top - 1) * STACK, STACK, fn, arg);
}

/** sim_start() - what a CPU does from time 0; @fn ends with sim_end() */
void sim_start(unsigned int cpu, void (*fn)(void *arg), void *arg)
{
	struct sim_cpu *c = &sim.cpu[cpu];

	sim_coro(&c->main, fn, arg);
	c->cur = &c->main;
	tree_set(cpu, c->t);
}

/**
 * sim_run() - until sim_stop(), or until all have ended
 *
 * Return: 0; -1 if CPUs wait for what never comes.
 */
int sim_run(void)
{
	sim.stop = false;
	sim.stalled = NULL;
	go(NULL);
	sim.cur = NULL;
	return sim.stalled ? -1 : 0;
}

/** sim_stop() - end the run; called on a CPU, does not return to it */
void sim_stop(void)
{
	sim.stop = true;
	go(sim.cur);
}

/** sim_end() - the calling CPU has nothing to do any more */
void sim_end(void)
{
	for (;;)
		sleep_until(sim.cur, SIM_NEVER);
}

/* ---- lines ---- */

static inline bool any(const uint64_t *s, const uint64_t *m)
{
	return (s[0] & m[0]) | (s[1] & m[1]) | (s[2] & m[2]) | (s[3] & m[3]);
}

static inline bool beyond(const uint64_t *s, const uint64_t *m)
{
	return (s[0] & ~m[0]) | (s[1] & ~m[1]) | (s[2] & ~m[2]) |
	       (s[3] & ~m[3]);
}

static unsigned int nearest(const uint64_t *s, unsigned int cpu)
{
	if (any(s, sim.m_complex[cpu]))
		return SIM_COMPLEX;
	if (any(s, sim.m_node[cpu]))
		return SIM_NODE;
	return any(s, sim.m_socket[cpu]) ? SIM_SOCKET : SIM_CROSS;
}

static unsigned int farthest(const uint64_t *s, unsigned int cpu)
{
	if (beyond(s, sim.m_socket[cpu]))
		return SIM_CROSS;
	if (beyond(s, sim.m_node[cpu]))
		return SIM_SOCKET;
	return beyond(s, sim.m_complex[cpu]) ? SIM_NODE : SIM_COMPLEX;
}

/* What asking the home adds when it is at neither end. */
static uint64_t detour(unsigned int cls, unsigned int cpu, unsigned int other,
		       unsigned int home)
{
	if (cls <= SIM_COMPLEX + sim.m.resolve)
		return 0;
	if (home == sim.node[cpu] || home == sim.node[other])
		return 0;
	if (sim.node_socket[home] != sim.socket[cpu] &&
	    sim.node_socket[home] != sim.socket[other])
		return sim.home_socket;
	return sim.home_node;
}

static __attribute__((noinline)) void miss(struct sim_cpu *c,
					   struct sim_line *l, enum sim_op op)
{
	unsigned int cpu = c->t & 0xff, cls, from = SIM_NONE;
	uint64_t lat, start = c->t, hold, done;
	bool write = op != SIM_READ;

	if (!l->used) {
		l->used = 1;
		if (l->home == sim.node[cpu]) {
			cls = SIM_MEM_NEAR;
			lat = sim.lat[cls];
		} else {
			cls = SIM_MEM_FAR;
			lat = sim.node_socket[l->home] == sim.socket[cpu] ?
				sim.mem_socket : sim.lat[cls];
		}
		l->owner = cpu;
		hold = lat;
	} else if (l->owner != SIM_NONE) {
		from = l->owner;
		cls = sim.cls[cpu][l->owner];
		lat = sim.lat[cls] + detour(cls, cpu, l->owner, l->home);
		hold = lat;
		if (write) {
			l->owner = cpu;
		} else {
			memset(l->sharers, 0, sizeof(l->sharers));
			bit(l->sharers, cpu);
			bit(l->sharers, l->owner);
			l->owner = SIM_NONE;
		}
	} else if (write) {
		/* All others lose it: the farthest takes longest. */
		l->sharers[cpu / 64] &= ~(1UL << (cpu % 64));
		cls = farthest(l->sharers, cpu);
		lat = sim.lat[cls] + detour(cls, cpu, cpu, l->home);
		hold = lat;
		l->owner = cpu;
	} else {
		cls = nearest(l->sharers, cpu);
		lat = sim.lat[cls] + detour(cls, cpu, cpu, l->home);
		hold = sim.share;
		bit(l->sharers, cpu);
	}
	if (l->busy > start) {
		sim.st.queued += (l->busy >> 8) - (start >> 8);
		start = (l->busy & ~0xffUL) | cpu;
	}
	done = start + lat;
	l->busy = start + hold;
	if (from != SIM_NONE) {
		sim.cpu[from].held = l;
		sim.cpu[from].held_until = start + (uint64_t)(lat * sim.m.hold);
	}
	sim.st.n[l->kind][cls]++;
	if (op == SIM_WRITE) {
		/* It leaves by the store buffer. */
		c->t += sim.hit;
		if (done > c->store)
			c->store = done;
	} else {
		c->t = done + (op == SIM_RMW ? sim.atomic : sim.hit);
	}
}

/**
 * sim_access() - a CPU reads, writes or does both at once
 * @a: where; outside of the arena costs nothing
 * @op: which
 */
void sim_access(uintptr_t a, enum sim_op op)
{
	struct sim_cpu *c = sim.cur;
	struct sim_line *l;
	unsigned int cpu;
	bool held;

	if (!c || !sim_holds(a))
		return;
	l = sim_line_of(a);
	if (l->quiet >> (a / 8 % 8) & 1)
		return;
	if (c->t >= c->irq_at && !c->irqoff)
		sim.irq();
	if (c->t > sim.horizon)
		yield(c);
	cpu = c->t & 0xff;
	sim.st.accesses++;
	if (l->kind == SIM_K_WORD && l != c->word) {
		c->word = l;
		c->words++;
	}
	if (op == SIM_RMW && c->store > c->t)
		c->t = (c->store & ~0xffUL) | cpu;
	held = c->held == l && c->t < c->held_until;
	if (sim.check) {
		if (held)
			naive_held();
		else
			naive_access(cpu, (a - SIM_BASE) / SIM_LINE,
				     op != SIM_READ, l->home);
	}
	if ((l->owner == cpu && l->used) || held ||
	    (op == SIM_READ && l->used && l->owner == SIM_NONE &&
	     l->sharers[cpu / 64] >> (cpu % 64) & 1)) {
		c->t += op == SIM_RMW ? sim.atomic : sim.hit;
		return;
	}
	miss(c, l, op);
	/* The caller does what it announced once this is complete. */
	if (op != SIM_WRITE && c->t > sim.horizon)
		yield(c);
}

/** sim_fence() - a full barrier: own stores are out */
void sim_fence(void)
{
	struct sim_cpu *c = sim.cur;

	if (!c)
		return;
	if (c->store > c->t)
		c->t = (c->store & ~0xffUL) | (c->t & 0xff);
	c->t += sim.fence;
}

/* ---- locks ---- */

void sim_lock(unsigned int *word)
{
	struct sim_lockwait w = { NULL, sim.cur, word, false };

	if (!sim.cur) {
		*word = 1;
		return;
	}
	sim_access((uintptr_t)word, SIM_RMW);
	if (!*word) {
		*word = 1;
		return;
	}
	*waiting_end = &w;
	waiting_end = &w.next;
	while (!w.granted)
		sleep_until(w.cpu, SIM_NEVER);
	sim_access((uintptr_t)word, SIM_RMW);
}

int sim_trylock(unsigned int *word)
{
	sim_access((uintptr_t)word, SIM_RMW);
	if (*word)
		return 0;
	*word = 1;
	return 1;
}

void sim_unlock(unsigned int *word)
{
	struct sim_lockwait **pp, *w;

	sim_access((uintptr_t)word, SIM_WRITE);
	*word = 0;
	for (pp = &waiting; (w = *pp); pp = &w->next)
		if (w->word == word)
			break;
	if (!w)
		return;
	*pp = w->next;
	if (!w->next)
		waiting_end = pp;
	*word = 1;		/* handed over */
	w->granted = true;
	sim_wake_at(w->cpu->t & 0xff, sim.cur->t);
}
