// SPDX-License-Identifier: GPL-2.0-only
/*
 * Comparator: a cache of free tags for each CPU, over a common stack of free
 * tags; the idea of percpu_ida, which blk-mq once used for tags. Written from
 * the idea, for harness/model only: what a get and a put touch, who steals
 * from whom, and how one waits. No resize, no iteration.
 */
#include <linux/sched.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/percpu.h>
#include <linux/topology.h>
#include <linux/wait.h>

#include "sbt.h"

#define CACHE_MAX	24	/* fits a per-CPU object of the shims */
#define WAIT_QUEUES	8

struct cache {
	raw_spinlock_t lock;
	unsigned int nr;
	unsigned short tag[CACHE_MAX];
};

struct tags {
	unsigned int depth, max, batch;
	struct cache __percpu *cache;
	unsigned short *free;
	struct wait_queue_head *wq;
	/* CPUs whose cache may hold tags */
	unsigned long have[HS_MASK_LONGS] ____cacheline_aligned_in_smp;
	raw_spinlock_t lock ____cacheline_aligned_in_smp;
	unsigned int nr_free;
	unsigned int last;	/* victim of the last theft */
	atomic_t waiting ____cacheline_aligned_in_smp;
};

struct sbt {
	struct tags t;
};

struct sbt_waiter {
	struct wait_queue_entry wait;
	struct wait_queue_head *wq;
	bool counted;
};

void *malloc(size_t n);

static int op_boot(void)
{
	return 0;
}

static struct sbt *op_create(int zeroed)
{
	struct sbt *s = hs_alloc(sizeof(*s), 0, -1, HS_KMALLOC);

	(void)zeroed;
	memset(s, 0, sizeof(*s));
	return s;
}

static int op_init(struct sbt *s, const struct sbt_cfg *cfg)
{
	struct tags *t = &s->t;
	unsigned int i, cpus = hs_topo.nr_cpus;

	t->depth = cfg->depth;
	/* Half of the tags at most rest in caches. */
	t->max = clamp_val(cfg->depth / 2 / cpus, 1, CACHE_MAX);
	t->batch = max(t->max / 2, 1u);
	t->cache = alloc_percpu(struct cache);
	t->free = kvzalloc_node(cfg->depth * sizeof(*t->free), GFP_KERNEL,
				cfg->node);
	t->wq = kzalloc_node(WAIT_QUEUES * 64, GFP_KERNEL, cfg->node);
	if (!t->cache || !t->free || !t->wq)
		return -ENOMEM;
	for (i = 0; i < cfg->depth; i++)
		t->free[i] = cfg->depth - 1 - i;
	t->nr_free = cfg->depth;
	raw_spin_lock_init(&t->lock);
	for (i = 0; i < WAIT_QUEUES; i++)
		init_waitqueue_head((void *)((char *)t->wq + i * 64));
	atomic_set(&t->waiting, 0);
	return 0;
}

static struct wait_queue_head *wq(struct tags *t, unsigned int i)
{
	return (void *)((char *)t->wq + i * 64);
}

/* Everything that another CPU's cache holds; 0 if there was nothing. */
static unsigned int steal(struct tags *t, struct cache *mine)
{
	unsigned int cpus = hs_topo.nr_cpus, i, n;

	for (i = 0; i < cpus; i++) {
		struct cache *c;

		t->last = (t->last + 1) % cpus;
		if (!test_bit(t->last, t->have))
			continue;
		clear_bit(t->last, t->have);
		c = per_cpu_ptr(t->cache, t->last);
		if (c == mine)
			continue;
		raw_spin_lock(&c->lock);
		n = c->nr;
		memcpy(mine->tag, c->tag, n * sizeof(*c->tag));
		mine->nr = n;
		c->nr = 0;
		raw_spin_unlock(&c->lock);
		if (n)
			return n;
	}
	return 0;
}

static int op_get(struct sbt *s)
{
	struct tags *t = &s->t;
	struct cache *c = this_cpu_ptr(t->cache);
	unsigned long flags;
	int nr = -1;

	local_irq_save(flags);
	raw_spin_lock(&c->lock);
	if (c->nr)
		nr = c->tag[--c->nr];
	raw_spin_unlock(&c->lock);
	if (nr < 0) {
		raw_spin_lock(&t->lock);
		/* Interrupts are off: nobody but a thief touched the cache. */
		while (t->nr_free && c->nr < t->batch)
			c->tag[c->nr++] = t->free[--t->nr_free];
		if (!c->nr)
			steal(t, c);
		if (c->nr) {
			nr = c->tag[--c->nr];
			if (c->nr)
				set_bit(hs_cpu(), t->have);
		}
		raw_spin_unlock(&t->lock);
	}
	local_irq_restore(flags);
	return nr;
}

/* Everybody, as percpu_ida did: who wakes up has no claim on the tag. */
static void wake(struct tags *t)
{
	int i;

	if (!atomic_read(&t->waiting))
		return;
	for (i = 0; i < WAIT_QUEUES; i++)
		if (waitqueue_active(wq(t, i)))
			wake_up_all(wq(t, i));
}

static void op_clear(struct sbt *s, unsigned int nr, unsigned int cpu)
{
	struct tags *t = &s->t;
	struct cache *c = this_cpu_ptr(t->cache);
	unsigned long flags;
	unsigned short over[CACHE_MAX];
	unsigned int n, moved = 0;
	bool news = false;

	(void)cpu;
	local_irq_save(flags);
	raw_spin_lock(&c->lock);
	if (c->nr == t->max)
		for (moved = 0; moved < t->batch; moved++)
			over[moved] = c->tag[--c->nr];
	c->tag[c->nr++] = nr;
	n = c->nr;
	raw_spin_unlock(&c->lock);
	/* A thief takes the common lock first: not inside the other one. */
	if (moved) {
		raw_spin_lock(&t->lock);
		while (moved)
			t->free[t->nr_free++] = over[--moved];
		raw_spin_unlock(&t->lock);
		news = true;
	}
	if (n == 1) {
		set_bit(hs_cpu(), t->have);
		news = true;
	}
	local_irq_restore(flags);
	if (news) {
		smp_mb();
		wake(t);
	}
}

static unsigned long op_get_batch(struct sbt *s, int nr, unsigned int *offset)
{
	(void)s;
	(void)nr;
	(void)offset;
	return 0;
}

static void op_clear_batch(struct sbt *s, int offset, int *list, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		op_clear(s, list[i] - offset, 0);
}

static void op_recalc(struct sbt *s, unsigned int users)
{
	(void)s;
	(void)users;
}

static struct sbt_waiter *op_waiter(struct task_struct *task)
{
	struct sbt_waiter *w = malloc(sizeof(*w));

	memset(w, 0, sizeof(*w));
	w->wait.private = task;
	w->wait.func = autoremove_wake_function;
	INIT_LIST_HEAD(&w->wait.entry);
	return w;
}

static void op_prepare(struct sbt *s, struct sbt_waiter *w, unsigned int ws)
{
	if (!w->counted) {
		w->counted = true;
		atomic_inc(&s->t.waiting);
	}
	w->wq = wq(&s->t, ws);
	prepare_to_wait(w->wq, &w->wait, TASK_UNINTERRUPTIBLE);
}

static void op_finish(struct sbt *s, struct sbt_waiter *w)
{
	finish_wait(w->wq, &w->wait);
	if (w->counted) {
		w->counted = false;
		atomic_dec(&s->t.waiting);
	}
}

__attribute__((visibility("default")))
const struct sbt_ops sbt_ops = {
	.wait_queues = WAIT_QUEUES,
	.batch_max = 1,
	.boot = op_boot,
	.create = op_create,
	.init = op_init,
	.recalc = op_recalc,
	.get = op_get,
	.get_batch = op_get_batch,
	.clear = op_clear,
	.clear_batch = op_clear_batch,
	.waiter = op_waiter,
	.prepare = op_prepare,
	.finish = op_finish,
};
