// SPDX-License-Identifier: GPL-2.0-only
/*
 * What blk-mq does around its tags: jobs that take a tag, think, submit;
 * completions that give it back; waiting; the shares of several queues. The
 * bitmap itself is the contender's own code.
 */
#include <stdlib.h>
#include <string.h>

#include "load.h"

#define MAX_BATCH	64
#define RUNNING		0

struct job;

struct done {
	uint64_t t;
	struct job *job;
	unsigned short n, cpu;
	unsigned short tag[MAX_BATCH], stag[MAX_BATCH];
};

struct job {
	struct ex_coro co;
	struct job *next;
	uint64_t ready;
	unsigned int cpu, queue;
	unsigned int iodepth, inflight;
	bool full, asleep;
	struct task_struct *task;
	struct sbt_waiter *waiter;
};

struct lcpu {
	struct hs_ctx ctx;
	struct done **heap;
	unsigned int nr, room;
	struct job *run;	/* by the time at which they can run */
	bool idle;
	uint64_t irq_time;	/* spent in interrupts, all in all */
	uint64_t rng;
};

/* struct request_queue, as far as tags touch it */
struct rqueue {
	unsigned int *flags;
	unsigned int *active;
};

static struct lcpu lcpus[SIM_CPUS];
static const struct load_cfg *cfg;
static const struct sbt_ops *ops;
static struct load_result *res;
static struct sbt *tags, *stags;
static struct rqueue *queues;
static unsigned int *wait_index;
static char *rqs, *requests;
static struct done *spare;
static uint64_t started, stopped;
static unsigned long nr_pairs;
static unsigned long gets, foreign, words, sleeps, calls;
static unsigned long per_node[64], jobs_on[64];
static uint64_t get_time, put_time, get_calls;
static uint64_t hist[64 * 16];
static uint64_t think, wakeup, sched;

static inline unsigned int cpu_now(void)
{
	return sim.cur->t & 0xff;
}

struct hs_ctx *load_ctx(void)
{
	return &lcpus[cpu_now()].ctx;
}

static uint32_t rnd(struct lcpu *c)
{
	uint64_t z = c->rng += 0x9e3779b97f4a7c15UL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
	return (z ^ (z >> 31)) >> 32;
}

/* ---- figures ---- */

static void hist_add(uint64_t ns)
{
	unsigned int e;

	if (ns < 16) {
		hist[ns]++;
		return;
	}
	e = 63 - __builtin_clzl(ns);
	hist[(e - 3) * 16 + (ns >> (e - 4) & 15)]++;
}

static double hist_at(double part)
{
	uint64_t sum = 0, want;
	unsigned int i, e;

	for (i = 0; i < 64 * 16; i++)
		sum += hist[i];
	want = sum * part;
	for (i = 0; i < 64 * 16 - 1; i++) {
		if (want < hist[i])
			break;
		want -= hist[i];
	}
	if (i < 16)
		return i;
	e = i / 16 + 3;
	return (double)((16UL + i % 16) << (e - 4)) + (1UL << (e - 4)) / 2.0;
}

static void count_from_here(void)
{
	memset(&sim.st, 0, sizeof(sim.st));
	memset(hist, 0, sizeof(hist));
	memset(per_node, 0, sizeof(per_node));
	gets = foreign = words = sleeps = calls = 0;
	get_time = put_time = get_calls = 0;
	started = sim_now();
}

/* ---- jobs on their CPUs ---- */

static void enqueue(struct lcpu *c, struct job *j, uint64_t t)
{
	struct job **pp = &c->run;

	t &= ~0xffUL;
	j->ready = t;
	while (*pp && (*pp)->ready <= t)
		pp = &(*pp)->next;
	j->next = *pp;
	*pp = j;
}

static void make_ready(struct job *j, uint64_t t)
{
	struct lcpu *c = &lcpus[j->cpu];

	enqueue(c, j, t);
	if (c->idle)
		sim_wake_at(j->cpu, t);
}

static void to_main(struct job *j)
{
	struct sim_cpu *c = sim.cur;

	c->cur = &c->main;
	ex_coro_switch(&j->co, &c->main);
}

/* schedule(), and what a wakeup does */
static void block(struct task_struct *t)
{
	struct job *j = t->priv;

	j->asleep = true;
	sleeps++;
	sim_work(sched);
	to_main(j);
}

static void kick(struct task_struct *t)
{
	struct job *j = t->priv;

	if (!j->asleep)
		return;
	j->asleep = false;
	make_ready(j, sim_now() + wakeup);
}

/* ---- completions ---- */

static void post(unsigned int cpu, struct done *d)
{
	struct lcpu *c = &lcpus[cpu];
	unsigned int i, up;

	if (c->nr == c->room) {
		c->room = c->room ? c->room * 2 : 64;
		c->heap = realloc(c->heap, c->room * sizeof(*c->heap));
		if (!c->heap)
			abort();
	}
	for (i = c->nr++; i; i = up) {
		up = (i - 1) / 2;
		if (c->heap[up]->t <= d->t)
			break;
		c->heap[i] = c->heap[up];
	}
	c->heap[i] = d;
	sim.cpu[cpu].irq_at = c->heap[0]->t;
	if (c->idle)
		sim_wake_at(cpu, d->t);
}

static struct done *first_done(struct lcpu *c)
{
	struct done *d = c->heap[0], *last = c->heap[--c->nr];
	unsigned int i = 0, k;

	while ((k = 2 * i + 1) < c->nr) {
		if (k + 1 < c->nr && c->heap[k + 1]->t < c->heap[k]->t)
			k++;
		if (last->t <= c->heap[k]->t)
			break;
		c->heap[i] = c->heap[k];
		i = k;
	}
	c->heap[i] = last;
	sim.cur->irq_at = c->nr ? c->heap[0]->t : SIM_NEVER;
	return d;
}

static void put_all(struct sbt *s, unsigned short *tag, unsigned int n,
		    unsigned int cpu)
{
	int list[MAX_BATCH];
	unsigned int i;

	if (cfg->batch > 1) {
		for (i = 0; i < n; i++)
			list[i] = tag[i];
		ops->clear_batch(s, 0, list, n);
		return;
	}
	for (i = 0; i < n; i++)
		ops->clear(s, tag[i], cpu);
}

static void complete(struct done *d)
{
	struct job *j = d->job;
	unsigned int i, n = d->n;
	uint64_t t;

	sim.cur->irqoff++;
	for (i = 0; i < n && cfg->lines; i++)
		sim_access((uintptr_t)requests +
			   d->tag[i] * cfg->lines * SIM_LINE, SIM_WRITE);
	t = sim_now();
	if (cfg->queues > 1) {
		unsigned int *a = queues[j->queue].active;

		sim_access((uintptr_t)a, SIM_RMW);
		*a -= n;
	}
	put_all(tags, d->tag, n, d->cpu);
	if (stags)
		put_all(stags, d->stag, n, d->cpu);
	put_time += sim_now() - t;
	per_node[sim.node[j->cpu]] += n;
	d->job = (void *)spare;
	spare = d;
	sim.cur->irqoff--;

	j->inflight -= n;
	if (j->full) {
		j->full = false;
		make_ready(j, sim_now());
	}
	for (i = 0; i < n; i++) {
		nr_pairs++;
		if (nr_pairs == cfg->warm)
			count_from_here();
		if (nr_pairs == cfg->warm + cfg->pairs) {
			stopped = sim_now();
			sim_stop();
		}
	}
}

/* Completions interrupt whatever runs, the bitmap's code too. */
static void interrupt(void)
{
	struct sim_cpu *me = sim.cur;
	struct lcpu *c = &lcpus[cpu_now()];
	struct sim_line *word = me->word, *last = me->last;
	unsigned int n = me->words;
	uint64_t from = me->t;

	me->irqoff++;
	while (c->nr && c->heap[0]->t <= me->t)
		complete(first_done(c));
	me->irqoff--;
	c->irq_time += me->t - from;
	me->word = word;
	me->last = last;
	me->words = n;
}

/* Work outside of the bitmap, which interrupts may interrupt. */
static void work(struct lcpu *c, uint64_t left)
{
	struct sim_cpu *me = sim.cur;

	left &= ~0xffUL;
	for (;;) {
		uint64_t until = me->t + left, from = me->t;

		if (c->nr && c->heap[0]->t < until)
			until = c->heap[0]->t;
		if (until > me->t) {
			c->idle = true;
			sim_wait_until(until);
			c->idle = false;
			left -= me->t - from < left ? me->t - from : left;
		}
		if (c->nr && c->heap[0]->t <= me->t)
			complete(first_done(c));
		else if (!left)
			return;
	}
}

static void cpu_main(void *arg)
{
	struct lcpu *c = arg;
	struct sim_cpu *me = sim.cur;
	uint64_t next;
	struct job *j;

	for (;;) {
		if (c->nr && c->heap[0]->t <= me->t) {
			complete(first_done(c));
			continue;
		}
		j = c->run;
		if (j && j->ready <= me->t) {
			c->run = j->next;
			c->ctx.task = j->task;
			me->cur = &j->co;
			ex_coro_switch(&me->main, &j->co);
			continue;
		}
		next = j ? j->ready : SIM_NEVER;
		if (c->nr && c->heap[0]->t < next)
			next = c->heap[0]->t;
		c->idle = true;
		sim_wait_until(next);
		c->idle = false;
	}
}

/* ---- taking tags ---- */

static int try_get(struct job *j, struct sbt *s)
{
	struct sim_cpu *c = sim.cur;
	struct lcpu *me = &lcpus[j->cpu];
	uint64_t t = c->t - me->irq_time;
	int nr;

	if (cfg->queues > 1 && s == tags) {
		/* hctx_may_queue() */
		struct rqueue *q = &queues[j->queue];
		unsigned int share = (cfg->depth + cfg->queues - 1) /
				     cfg->queues;

		sim_access((uintptr_t)q->flags, SIM_READ);
		sim_access((uintptr_t)tags & ~(uintptr_t)(SIM_LINE - 1),
			   SIM_READ);
		sim_access((uintptr_t)q->active, SIM_READ);
		if (share < 4)
			share = 4;
		if (*q->active >= share)
			return -1;
	}
	c->words = 0;
	c->word = NULL;
	c->last = NULL;
	nr = ops->get(s);
	/* less the interrupts in between */
	get_time += c->t - me->irq_time - t;
	get_calls++;
	if (s == tags) {
		words += c->words;
		calls++;
		if (nr >= 0) {
			gets++;
			foreign += c->last && c->last->home != sim.node[j->cpu];
		}
	}
	return nr;
}

/* blk_mq_get_tag() */
static int get_wait(struct job *j, struct sbt *s)
{
	unsigned int *index = &wait_index[(j->queue * sim.m.nr_cpus + j->cpu) *
					  (SIM_LINE / sizeof(*index))];
	unsigned int ws;
	int nr;

	nr = try_get(j, s);
	if (nr >= 0)
		return nr;
	do {
		sim_access((uintptr_t)index, SIM_READ);
		ws = *index;
		sim_access((uintptr_t)index, SIM_RMW);
		*index = (ws + 1) % ops->wait_queues;
		nr = try_get(j, s);
		if (nr >= 0)
			return nr;
		ops->prepare(s, j->waiter, ws);
		nr = try_get(j, s);
		if (nr < 0) {
			sim_access((uintptr_t)&j->task->__state, SIM_READ);
			if (j->task->__state != RUNNING)
				block(j->task);
		}
		ops->finish(s, j->waiter);
	} while (nr < 0);
	return nr;
}

static unsigned int get_some(struct job *j, struct sbt *s, unsigned int want,
			     unsigned short *out)
{
	struct sim_cpu *c = sim.cur;
	struct lcpu *me = &lcpus[j->cpu];
	unsigned long mask = 0;
	unsigned int off, n = 0;
	uint64_t t;

	if (want > 1 && (cfg->queues == 1 || s != tags)) {
		c->words = 0;
		c->word = NULL;
		c->last = NULL;
		t = c->t - me->irq_time;
		mask = ops->get_batch(s, want, &off);
		get_time += c->t - me->irq_time - t;
		get_calls++;
		if (s == tags) {
			words += c->words;
			calls++;
		}
	}
	if (!mask) {
		out[0] = get_wait(j, s);
		return 1;
	}
	for (; mask; mask &= mask - 1)
		out[n++] = off + __builtin_ctzl(mask);
	if (s == tags) {
		gets += n;
		if (c->last && c->last->home != sim.node[j->cpu])
			foreign += n;
	}
	return n;
}

static void submit(struct job *j, struct done *d)
{
	struct lcpu *c = &lcpus[j->cpu];
	unsigned int i, k, cpu = j->cpu, per = sim.m.complexes * sim.m.cores;
	double dev = cfg->device * (0.8 + 0.4 * rnd(c) / 4294967296.0);

	if (cfg->queues > 1) {
		unsigned int *a = queues[j->queue].active;

		sim_access((uintptr_t)a, SIM_RMW);
		*a += d->n;
	}
	for (i = 0; i < d->n && cfg->lines; i++) {
		sim_access((uintptr_t)rqs + d->tag[i] * 8, SIM_WRITE);
		for (k = 0; k < cfg->lines; k++)
			sim_access((uintptr_t)requests +
				   (d->tag[i] * cfg->lines + k) * SIM_LINE,
				   SIM_WRITE);
	}
	if (cfg->place == PLACE_NODE)
		cpu = cpu / per * per + rnd(c) % per;
	else if (cfg->place == PLACE_ANY)
		cpu = rnd(c) % sim.m.nr_cpus;
	d->job = j;
	d->cpu = j->cpu;
	d->t = (sim_now() + (uint64_t)(dev * SIM_NS)) & ~0xffUL;
	j->inflight += d->n;
	post(cpu, d);
}

static void job_main(void *arg)
{
	struct job *j = arg;

	for (;;) {
		unsigned int left = cfg->batch;

		while (j->inflight + cfg->batch > j->iodepth) {
			j->full = true;
			to_main(j);
		}
		work(&lcpus[j->cpu], think * cfg->batch);
		while (left) {
			struct done *d = spare;
			uint64_t t = sim_now();
			unsigned int i, n = left;

			if (d)
				spare = (void *)d->job;
			else
				d = malloc(sizeof(*d));
			if (!d)
				abort();
			if (stags)
				n = get_some(j, stags, n, d->stag);
			for (i = 0; i < n; i += d->n) {
				d->n = get_some(j, tags, n - i, d->tag);
				if (stags && d->n < n - i) {
					/* the rest gets tags of its own */
					for (; d->n < n - i; d->n++)
						d->tag[d->n] = get_wait(j, tags);
				}
				if (!stags) {
					n = d->n;
					break;
				}
			}
			hist_add((sim_now() - t) / SIM_NS);
			submit(j, d);
			left -= n;
		}
		make_ready(j, sim_now());
		to_main(j);
	}
}

/* ---- setting up ---- */

/* Put the kernel's memory where the ledger says that it lies. */
static void place_all(void)
{
	struct hs_alloc a;
	unsigned long n;
	unsigned int c;

	for (n = 0; hs_nth_live(n, &a); n++) {
		uintptr_t p = a.addr;

		if (a.kind == HS_PERCPU) {
			p -= HS_PCPU_BIAS;
			for (c = 0; c < sim.m.nr_cpus; c++)
				sim_place((void *)(p + c * HS_PCPU_STRIDE),
					  a.size, sim.node[c], SIM_K_HINT);
			continue;
		}
		sim_place((void *)p, a.size, a.got, -1);
	}
}

static struct sbt *bitmap(unsigned int depth, int numa)
{
	struct sbt_cfg c = {
		.queue = 1, .numa = numa, .depth = depth, .shift = cfg->shift,
		.alloc_hint = 1, .node = cfg->node,
	};
	struct hs_alloc a;
	unsigned long n, before = 0;
	struct sbt *s;
	uintptr_t p;
	int ret;

	while (hs_nth_live(before, &a))
		before++;
	/* Where bitmap_tags stands in struct blk_mq_tags, on 64 bit. */
	mrt_offset = 16;
	s = ops->create(1);
	mrt_offset = 0;
	ret = ops->init(s, &c);
	if (ret) {
		res->refused = true;
		return NULL;
	}
	place_all();
	p = (uintptr_t)s;
	sim_place(s, 48, cfg->node, SIM_K_QUEUE);
	sim_place((char *)s + 48, 16, cfg->node, SIM_K_COUNT);
	/* What the adapter keeps behind struct sbitmap_queue. */
	hs_find_alloc(p, &a);
	if (a.size > 64)
		sim_quiet((char *)s + 64, a.size - 64);
	for (n = before; hs_nth_live(n, &a); n++)
		if (a.kind == HS_KMALLOC && a.addr != p &&
		    a.size == ops->wait_queues * (unsigned long)SIM_LINE)
			sim_place((void *)a.addr, a.size, -1, SIM_K_WAIT);
	return s;
}

static void add_job(unsigned int cpu, unsigned int queue, unsigned int iodepth)
{
	struct job *j = calloc(1, sizeof(*j));
	struct lcpu *c = &lcpus[cpu];

	if (!j)
		abort();
	j->cpu = cpu;
	j->queue = queue;
	j->iodepth = iodepth;
	j->task = sim_alloc(sizeof(*j->task), SIM_LINE, sim.node[cpu],
			    SIM_K_WAIT);
	j->task->id = cpu;
	j->task->priv = j;
	j->waiter = ops->waiter(j->task);
	sim_place(j->waiter, SIM_LINE, sim.node[cpu], SIM_K_WAIT);
	sim_coro(&j->co, job_main, j);
	/* Not all at the same instant. */
	enqueue(c, j, (uint64_t)(cfg->device * SIM_NS / 4294967296.0 * rnd(c)));
	jobs_on[sim.node[cpu]]++;
}

/* One job a CPU; as many in flight together as @use asks for. */
static void jobs_by_use(void)
{
	unsigned int nodes = sim.m.nr_nodes, per = sim.m.nr_cpus / nodes;
	unsigned int total = cfg->use * cfg->depth + 0.5, n, i, have = 0;
	unsigned int weight[64], sum = 0, quota;

	total = total / cfg->batch;
	if (!total)
		total = 1;
	for (n = 0; n < nodes; n++) {
		weight[n] = cfg->only >= 0 ? n == (unsigned int)cfg->only :
			    n == 0 && cfg->hot ? cfg->hot : 1;
		sum += weight[n];
	}
	for (n = 0; n < nodes; n++) {
		unsigned int cut = 0;

		/* Rounded so that the sum is right. */
		for (i = 0; i <= n; i++)
			cut += weight[i];
		quota = (unsigned long)total * cut / sum - have;
		have += quota;
		for (i = 0; i < per; i++) {
			unsigned int k = (unsigned long)quota * (i + 1) / per -
					 (unsigned long)quota * i / per;

			if (k)
				add_job(n * per + i, 0, k * cfg->batch);
		}
	}
}

static void topology(const struct sim_machine *m)
{
	unsigned int a, b;

	memset(&hs_topo, 0, sizeof(hs_topo));
	hs_topo.name = m->name;
	hs_topo.what = m->what;
	hs_topo.nr_cpus = m->nr_cpus;
	hs_topo.nr_nodes = m->nr_nodes;
	hs_topo.possible = m->nr_nodes == 64 ? ~0UL : (1UL << m->nr_nodes) - 1;
	hs_topo.online = hs_topo.memory = hs_topo.possible;
	for (a = 0; a < m->nr_cpus; a++)
		hs_topo.cpu_node[a] = a / (m->complexes * m->cores);
	for (a = 0; a < m->nr_nodes; a++)
		for (b = 0; b < m->nr_nodes; b++)
			hs_topo.dist[a][b] = a == b ? 10 :
				a / m->nodes == b / m->nodes ?
				m->slit_socket : m->slit_cross;
}

/* ---- without a clock ---- */

/* Whose turn it is is not the model's to say. */
static void turn_of(unsigned int cpu)
{
	uint64_t t = sim.cur->t & ~0xffUL;

	sim.cur = &sim.cpu[cpu];
	sim.cur->t = t | cpu;
}

static int count_get(unsigned int cpu)
{
	struct sim_cpu *c = sim.cur;
	int nr;

	c->words = 0;
	c->word = NULL;
	c->last = NULL;
	nr = ops->get(tags);
	gets++;
	words += c->words;
	foreign += c->last && c->last->home != sim.node[cpu];
	return nr;
}

/*
 * Each CPU holds its part of the tags. Transfers are counted, not timed, so
 * that a policy's figures do not depend on how fast it is.
 */
static int untimed(const struct sim_machine *m)
{
	static unsigned int held[SIM_CPUS], share[SIM_CPUS];
	unsigned int per = m->nr_cpus / m->nr_nodes;
	unsigned int first = cfg->only >= 0 ? cfg->only * per : 0;
	unsigned int cpus = cfg->only >= 0 ? per : m->nr_cpus;
	unsigned int total = cfg->use * cfg->depth + 0.5, left = total, cpu, i;
	unsigned long n, end = cfg->warm + cfg->pairs;
	int *tag = calloc((size_t)cpus * cfg->depth, sizeof(*tag)), *mine, nr;

	if (!tag)
		abort();
	for (i = 0; i < cpus; i++) {
		held[i] = 0;
		share[i] = (unsigned long)total * (i + 1) / cpus -
			   (unsigned long)total * i / cpus;
	}
	sim.cur = &sim.cpu[0];
	sim.horizon = SIM_NEVER;
	for (n = 0; n < end;) {
		cpu = rnd(&lcpus[0]) % cpus;
		mine = tag + (size_t)cpu * cfg->depth;
		if (!share[cpu] || (left && held[cpu] == share[cpu]))
			continue;
		turn_of(first + cpu);
		if (!left) {
			if (n++ == cfg->warm && n > 1)
				count_from_here();
			i = rnd(&lcpus[0]) % held[cpu];
			nr = mine[i];
			mine[i] = mine[--held[cpu]];
			ops->clear(tags, nr, first + cpu);
		} else {
			left--;
		}
		nr = count_get(first + cpu);
		if (nr < 0) {
			fprintf(stderr, "model: a get fails with %u of %u tags in use\n",
				total, cfg->depth);
			return -1;
		}
		mine[held[cpu]++] = nr;
	}
	res->st = sim.st;
	res->pairs = cfg->pairs;
	res->words = (double)words / gets;
	res->nr_foreign = foreign;
	sim.cur = NULL;
	free(tag);
	return 0;
}

/**
 * load_prepare() - an empty machine, before the contender is loaded and boots
 * @c: the load
 * @m: the machine
 * @check: count transfers a second time
 */
void load_prepare(const struct load_cfg *c, const struct sim_machine *m,
		  bool check)
{
	sim_init(m, check);
	topology(m);
	mrt_seed(c->seed);
	hs_mem_forget();
	hs_bug_clear();
}

/**
 * load_run() - one load on one contender, after load_prepare()
 * @c: the load
 * @m: the machine
 * @who: the contender
 * @o: its functions
 * @r: filled
 *
 * Return: 0; -1 after one clear line.
 */
int load_run(const struct load_cfg *c, const struct sim_machine *m,
	     const struct contender *who, const struct sbt_ops *o,
	     struct load_result *r)
{
	unsigned int i, k, most = 0, least = ~0u;

	memset(r, 0, sizeof(*r));
	cfg = c;
	ops = o;
	res = r;
	sim.irq = interrupt;
	hs_sched.block = block;
	hs_sched.kick = kick;
	spare = NULL;
	nr_pairs = 0;
	memset(jobs_on, 0, sizeof(jobs_on));
	think = (uint64_t)(c->think * SIM_NS);
	wakeup = (uint64_t)(m->wakeup * SIM_NS) & ~0xffUL;
	sched = (uint64_t)(m->sched * SIM_NS);
	for (i = 0; i < m->nr_cpus; i++) {
		free(lcpus[i].heap);
		memset(&lcpus[i], 0, sizeof(lcpus[i]));
		lcpus[i].ctx.cpu = i;
		lcpus[i].ctx.id = i + 1;
		lcpus[i].ctx.rng = c->seed * 1000003 + i;
		lcpus[i].rng = c->seed * 7777777 + i * 131;
	}
	/* The default mode is the series with its key off: one node. */
	for (i = 0; !who->numa && ops->key_name && ops->key_name(i); i++)
		ops->key(ops->key_name(i), 0);
	stags = NULL;
	tags = bitmap(c->depth, who->numa);
	if (!tags)
		return 0;
	if (c->untimed)
		return untimed(m);
	if (c->sched) {
		stags = bitmap(c->depth, c->sched == 2 ? who->numa : 0);
		if (!stags)
			return 0;
	}
	queues = calloc(c->queues, sizeof(*queues));
	for (i = 0; i < c->queues; i++) {
		queues[i].flags = sim_alloc(4, 64, c->node, SIM_K_OTHER);
		queues[i].active = sim_alloc(4, 64, c->node, SIM_K_ACTIVE);
	}
	if (c->queues > 1)
		ops->recalc(tags, c->queues);
	wait_index = sim_alloc((size_t)c->queues * m->nr_cpus * SIM_LINE, 64,
			       c->node, SIM_K_WAIT);
	for (i = 0; i < c->queues * m->nr_cpus; i++)
		sim_place((char *)wait_index + i * SIM_LINE, SIM_LINE,
			  sim.node[i % m->nr_cpus], -1);
	if (c->lines) {
		rqs = sim_alloc(c->depth * 8, 64, c->node, SIM_K_REQUEST);
		requests = sim_alloc((size_t)c->depth * c->lines * SIM_LINE, 64,
				     c->node, SIM_K_REQUEST);
	}
	if (c->jobs) {
		for (i = 0; i < c->queues; i++)
			for (k = 0; k < c->jobs; k++)
				add_job((i * c->jobs + k) % m->nr_cpus, i,
					c->iodepth);
	} else {
		jobs_by_use();
	}
	memset(hist, 0, sizeof(hist));
	sim.cur = &sim.cpu[0];
	count_from_here();
	sim.cur = NULL;
	for (i = 0; i < m->nr_cpus; i++)
		sim_start(i, cpu_main, &lcpus[i]);
	if (sim_run()) {
		r->stalled = sim.stalled;
		return 0;
	}
	if (hs_bugs()) {
		fprintf(stderr, "model: %s: %s\n", who->name, hs_bug_text());
		return -1;
	}
	r->st = sim.st;
	r->pairs = c->pairs;
	r->seconds = (double)((stopped >> 8) - (started >> 8)) / 1e12;
	r->kiops = c->pairs / r->seconds / 1e3;
	r->get_ns = (double)get_time / SIM_NS / c->pairs;
	r->put_ns = (double)put_time / SIM_NS / c->pairs;
	r->p50 = hist_at(0.5);
	r->p99 = hist_at(0.99);
	r->words = (double)words / (gets ? gets : 1);
	r->foreign = (double)foreign / (gets ? gets : 1);
	r->sleeps = (double)sleeps / c->pairs;
	r->per_call = (double)gets / (calls ? calls : 1);
	for (i = 0; i < m->nr_nodes; i++) {
		if (!jobs_on[i])
			continue;
		if (per_node[i] > most)
			most = per_node[i];
		if (per_node[i] < least)
			least = per_node[i];
	}
	r->fair = most ? (double)least / most : 0;
	free(queues);
	return 0;
}
