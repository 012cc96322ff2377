// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiled with each tree's own headers and linked with its lib/sbitmap.c: the
 * static inline functions of sbitmap.h that a test calls are the tree's too.
 */
#include <linux/sched.h>
#include <linux/random.h>
#include <linux/sbitmap.h>
#include <linux/seq_file.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/topology.h>

#include "sbt.h"

#ifdef SBT_TREE_HAS_NUMA
#include <linux/sbitmap_numa.h>
#include "adapter-numa.h"
#define IN_NUMA(s)	in_numa(s)
/* Also a bitmap in default mode can be used by way of the mode's functions. */
#define NUMA(s, mode, flat)	(IN_NUMA(s) || (s)->via ? (mode) : (flat))
#else
#define IN_NUMA(s)	(false)
#define NUMA(s, mode, flat)	(flat)
#endif
/* In the tree "numa" every queue asks for the mode. */
#if defined(SBT_MODE_NUMA) && defined(SBT_TREE_HAS_NUMA)
#define ALWAYS_NUMA	true
#else
#define ALWAYS_NUMA	false
#endif

struct sbt {
	struct sbitmap_queue q;
	bool queue;
	bool via;
	atomic_t wait_index;
};

#ifdef SBT_TREE_HAS_NUMA
/* The test's question, not the kernel's: no access that a model would price. */
#ifndef __clang__
__attribute__((noipa))
#endif
static noinline __attribute__((no_sanitize_thread)) bool in_numa(struct sbt *s)
{
	return s->queue && s->q.sb.map == SBITMAP_NUMA_MAP;
}
#endif

struct sbt_waiter {
	struct sbq_wait wait;
	struct sbq_wait_state *ws;
};

int strcmp(const char *a, const char *b);
void *malloc(size_t n);
void free(void *p);

/* One of each, so that both sections exist in every tree. */
DEFINE_STATIC_KEY_FALSE(adapter_key);

static int adapter_boots;

static int adapter_initcall(void)
{
	adapter_boots++;
	return 0;
}
early_initcall(adapter_initcall);

extern struct hs_key hs_keys_begin[] __asm__("__start_hs_keys")
	__attribute__((visibility("hidden")));
extern struct hs_key hs_keys_end[] __asm__("__stop_hs_keys")
	__attribute__((visibility("hidden")));
extern hs_initcall_t hs_initcalls_begin[] __asm__("__start_hs_initcalls")
	__attribute__((visibility("hidden")));
extern hs_initcall_t hs_initcalls_end[] __asm__("__stop_hs_initcalls")
	__attribute__((visibility("hidden")));

static int op_boot(void)
{
	hs_initcall_t *f;
	int ret = 0;

	for (f = hs_initcalls_begin; f < hs_initcalls_end; f++)
		ret |= (*f)();
	return ret;
}

static int op_key(const char *name, int on)
{
	struct hs_key *k;

	for (k = hs_keys_begin; k < hs_keys_end; k++) {
		if (strcmp(k->name, name))
			continue;
		WRITE_ONCE(k->key->enabled, on);
		return 0;
	}
	return -1;
}

/* As code sees it: through static_branch_unlikely(). */
static int op_key_is_on(const char *name)
{
	struct hs_key *k;

	if (!strcmp(name, "adapter_key"))
		return static_branch_unlikely(&adapter_key);
	for (k = hs_keys_begin; k < hs_keys_end; k++)
		if (!strcmp(k->name, name))
			return READ_ONCE(k->key->enabled);
	return -1;
}

static int op_boots(void)
{
	return adapter_boots;
}

static const char *op_key_name(unsigned int i)
{
	return hs_keys_begin + i < hs_keys_end ? hs_keys_begin[i].name : NULL;
}

/* Unless asked otherwise the struct is full of rubbish before init. */
static struct sbt *op_create(int zeroed)
{
	struct sbt *s = hs_alloc(sizeof(*s), 0, -1, HS_KMALLOC);

	memset(s, zeroed ? 0 : 0x5a, sizeof(*s));
	s->queue = false;
	s->via = false;
	atomic_set(&s->wait_index, 0);
	return s;
}

static void op_destroy(struct sbt *s)
{
	kfree(s);
}

static int op_init(struct sbt *s, const struct sbt_cfg *cfg)
{
	hs_call();
	s->queue = cfg->queue;
#ifdef SBT_TREE_HAS_NUMA
	if (cfg->queue && (cfg->numa || ALWAYS_NUMA)) {
		sbt_numa_boot();
		s->via = cfg->numa == 3;
		if (s->via)
			return sbitmap_queue_init_node(&s->q, cfg->depth,
						       cfg->shift,
						       cfg->round_robin,
						       GFP_KERNEL, cfg->node);
		return sbt_numa_init(&s->q, cfg->depth, cfg->shift,
				     cfg->round_robin, cfg->node, cfg->numa > 1);
	}
#endif
	if (cfg->numa)
		return -EOPNOTSUPP;
	if (cfg->queue)
		return sbitmap_queue_init_node(&s->q, cfg->depth, cfg->shift,
					       cfg->round_robin, GFP_KERNEL,
					       cfg->node);
	return sbitmap_init_node(&s->q.sb, cfg->depth, cfg->shift, GFP_KERNEL,
				 cfg->node, cfg->round_robin, cfg->alloc_hint);
}

static void op_free(struct sbt *s)
{
#ifdef SBT_TREE_HAS_NUMA
	if (s->queue) {
		sbitmap_numa_free(&s->q);
		return;
	}
#endif
	if (s->queue)
		sbitmap_queue_free(&s->q);
	else
		sbitmap_free(&s->q.sb);
}

static void op_resize(struct sbt *s, unsigned int depth)
{
	hs_call();
#ifdef SBT_TREE_HAS_NUMA
	if (IN_NUMA(s)) {
		sbitmap_numa_resize(&s->q, depth);
		return;
	}
#endif
	if (s->queue)
		sbitmap_queue_resize(&s->q, depth);
	else
		sbitmap_resize(&s->q.sb, depth);
}

static void op_recalc(struct sbt *s, unsigned int users)
{
	hs_call();
	sbitmap_queue_recalculate_wake_batch(&s->q, users);
}

static void op_min_shallow(struct sbt *s, unsigned int depth)
{
	hs_call();
	sbitmap_queue_min_shallow_depth(&s->q, depth);
}

static int op_get(struct sbt *s)
{
	hs_call();
	return NUMA(s, sbitmap_numa_get(&s->q), s->queue ?
		    __sbitmap_queue_get(&s->q) : sbitmap_get(&s->q.sb));
}

static int op_get_cpu(struct sbt *s, unsigned int *cpu)
{
	hs_call();
	if (IN_NUMA(s)) {
		*cpu = hs_cpu();
		return op_get(s);
	}
	return sbitmap_queue_get(&s->q, cpu);
}

static int op_get_shallow(struct sbt *s, unsigned int depth)
{
	hs_call();
	return sbitmap_queue_get_shallow(&s->q, depth);
}

static unsigned long op_get_batch(struct sbt *s, int nr, unsigned int *offset)
{
	hs_call();
	return NUMA(s, sbitmap_numa_get_batch(&s->q, nr, offset),
		    __sbitmap_queue_get_batch(&s->q, nr, offset));
}

static void op_clear(struct sbt *s, unsigned int nr, unsigned int cpu)
{
	hs_call();
	NUMA(s, sbitmap_numa_clear(&s->q, nr, cpu),
	     sbitmap_queue_clear(&s->q, nr, cpu));
}

/* For the bench: which functions are called is settled before the first call. */
static void op_pairs(struct sbt *s, unsigned long n, unsigned int cpu)
{
	struct sbitmap_queue *q = &s->q;
	int nr;

#ifdef SBT_TREE_HAS_NUMA
	if (NUMA(s, true, false)) {
		while (n--) {
			nr = sbitmap_numa_get(q);
			if (nr >= 0)
				sbitmap_numa_clear(q, nr, cpu);
		}
		return;
	}
#endif
	while (n--) {
		nr = __sbitmap_queue_get(q);
		if (nr >= 0)
			sbitmap_queue_clear(q, nr, cpu);
	}
}

/* sbitmap_put() never meets a queue in NUMA mode, nor do the bit operations. */
static void op_put(struct sbt *s, unsigned int nr)
{
	if (IN_NUMA(s)) {
		op_clear(s, nr, hs_cpu());
		return;
	}
	hs_call();
	sbitmap_put(&s->q.sb, nr);
}

static void op_clear_batch(struct sbt *s, int offset, int *tags, int nr)
{
	hs_call();
	NUMA(s, sbitmap_numa_clear_batch(&s->q, offset, tags, nr),
	     sbitmap_queue_clear_batch(&s->q, offset, tags, nr));
}

/* Not by way of sb.map: a comparator has another kind of table there. */
static struct sbitmap_word *map_word(struct sbt *s, unsigned int i)
{
#ifdef SBT_TREE_HAS_NUMA
	if (IN_NUMA(s))
		return sbt_numa_word(&s->q, i);
#endif
	return container_of(__sbitmap_word(&s->q.sb, i << s->q.sb.shift),
			    struct sbitmap_word, word);
}

static void op_set_bit(struct sbt *s, unsigned int nr)
{
	if (IN_NUMA(s))
		set_bit(SB_NR_TO_BIT(&s->q.sb, nr),
			&map_word(s, SB_NR_TO_INDEX(&s->q.sb, nr))->word);
	else
		sbitmap_set_bit(&s->q.sb, nr);
}

static void op_clear_bit(struct sbt *s, unsigned int nr)
{
	if (IN_NUMA(s))
		clear_bit(SB_NR_TO_BIT(&s->q.sb, nr),
			  &map_word(s, SB_NR_TO_INDEX(&s->q.sb, nr))->word);
	else
		sbitmap_clear_bit(&s->q.sb, nr);
}

static int op_test_bit(struct sbt *s, unsigned int nr)
{
	if (IN_NUMA(s))
		return test_bit(SB_NR_TO_BIT(&s->q.sb, nr),
				&map_word(s, SB_NR_TO_INDEX(&s->q.sb, nr))->word);
	return sbitmap_test_bit(&s->q.sb, nr);
}

static unsigned int op_weight(struct sbt *s)
{
	unsigned int i, bits, n = 0;

	hs_call();
	if (!IN_NUMA(s))
		return sbitmap_weight(&s->q.sb);
	for (i = 0; i < s->q.sb.map_nr; i++) {
		bits = __map_depth(&s->q.sb, i);
		n += hweight_long(READ_ONCE(map_word(s, i)->word) &
				  ~READ_ONCE(map_word(s, i)->cleared) &
				  (~0UL >> (BITS_PER_LONG - bits)));
	}
	return n;
}

static int op_any_set(struct sbt *s)
{
	return IN_NUMA(s) ? !!op_weight(s) : sbitmap_any_bit_set(&s->q.sb);
}

struct each {
	sbt_each_fn fn;
	void *data;
	unsigned int from;	/* NUMA mode: these bits only */
	unsigned int to;
	bool stopped;
};

static bool each(struct sbitmap *sb, unsigned int nr, void *data)
{
	struct each *e = data;

	(void)sb;
	if (nr < e->from || nr >= e->to)
		return true;
	e->stopped = !e->fn(nr, e->data);
	return !e->stopped;
}

static void op_for_each(struct sbt *s, unsigned int start, sbt_each_fn fn,
			void *data)
{
	struct each e = { fn, data, 0, ~0U, false };

	hs_call();
#ifdef SBT_TREE_HAS_NUMA
	if (IN_NUMA(s)) {
		/* The mode begins at 0, as blk-mq does. */
		e.from = start < s->q.sb.depth ? start : 0;
		sbitmap_numa_walk(&s->q, each, &e);
		e.to = e.from;
		e.from = 0;
		if (!e.stopped && e.to)
			sbitmap_numa_walk(&s->q, each, &e);
		return;
	}
#endif
	if (start)
		__sbitmap_for_each_set(&s->q.sb, start, each, &e);
	else
		sbitmap_for_each_set(&s->q.sb, each, &e);
}

static void op_show(struct sbt *s, struct hs_text *t)
{
	struct seq_file m = { *t, NULL };

	hs_call();
	if (s->queue)
		NUMA(s, sbitmap_numa_show(&s->q, &m),
		     sbitmap_queue_show(&s->q, &m));
	else
		sbitmap_show(&s->q.sb, &m);
	*t = m.text;
}

static void op_bitmap_show(struct sbt *s, struct hs_text *t)
{
	struct seq_file m = { *t, NULL };

	hs_call();
	NUMA(s, sbitmap_numa_bitmap_show(&s->q, &m),
	     sbitmap_bitmap_show(&s->q.sb, &m));
	*t = m.text;
}

static struct sbt_waiter *op_waiter(struct task_struct *t)
{
	struct sbt_waiter *w = malloc(sizeof(*w));

	memset(w, 0, sizeof(*w));
	w->wait.wait.private = t;
	w->wait.wait.func = autoremove_wake_function;
	INIT_LIST_HEAD(&w->wait.wait.entry);
	return w;
}

static void op_waiter_free(struct sbt_waiter *w)
{
	free(w);
}

static void op_prepare(struct sbt *s, struct sbt_waiter *w, unsigned int ws)
{
	hs_call();
	w->ws = &s->q.ws[ws];
	sbitmap_prepare_to_wait(&s->q, w->ws, &w->wait, TASK_UNINTERRUPTIBLE);
}

static void op_finish(struct sbt *s, struct sbt_waiter *w)
{
	hs_call();
	sbitmap_finish_wait(&s->q, w->ws, &w->wait);
}

/* As blk_mq_mark_tag_wait() does: not exclusive, the owner takes it off. */
static void op_add(struct sbt *s, struct sbt_waiter *w, unsigned int ws)
{
	hs_call();
	w->ws = &s->q.ws[ws];
	set_current_state(TASK_UNINTERRUPTIBLE);
	sbitmap_add_wait_queue(&s->q, w->ws, &w->wait);
}

static void op_del(struct sbt_waiter *w)
{
	hs_call();
	spin_lock_irq(&w->ws->wait.lock);
	sbitmap_del_wait_queue(&w->wait);
	spin_unlock_irq(&w->ws->wait.lock);
}

static int op_queued(struct sbt_waiter *w)
{
	return !list_empty_careful(&w->wait.wait.entry);
}

/* The loop of blk_mq_get_tag(): try, queue, try again, sleep. */
static int op_get_wait(struct sbt *s, struct sbt_waiter *w)
{
	int nr = op_get(s);

	if (nr >= 0)
		return nr;
	w->wait.wait.private = current;
	do {
		w->ws = sbq_wait_ptr(&s->q, &s->wait_index);
		nr = op_get(s);
		if (nr >= 0)
			break;
		sbitmap_prepare_to_wait(&s->q, w->ws, &w->wait,
					TASK_UNINTERRUPTIBLE);
		nr = op_get(s);
		if (nr >= 0)
			break;
		schedule();
		sbitmap_finish_wait(&s->q, w->ws, &w->wait);
	} while (1);
	sbitmap_finish_wait(&s->q, w->ws, &w->wait);
	return nr;
}

static void op_wake_up(struct sbt *s, int nr)
{
	hs_call();
	sbitmap_queue_wake_up(&s->q, nr);
}

static void op_wake_all(struct sbt *s)
{
	hs_call();
	sbitmap_queue_wake_all(&s->q);
}

static unsigned int op_depth(struct sbt *s)
{
	return s->q.sb.depth;
}

static unsigned int op_shift(struct sbt *s)
{
	return s->q.sb.shift;
}

static unsigned int op_map_nr(struct sbt *s)
{
	return s->q.sb.map_nr;
}

static unsigned long op_word(struct sbt *s, unsigned int i)
{
	return READ_ONCE(map_word(s, i)->word);
}

static unsigned long op_cleared(struct sbt *s, unsigned int i)
{
	return READ_ONCE(map_word(s, i)->cleared);
}

static void *op_word_addr(struct sbt *s, unsigned int i)
{
	return map_word(s, i);
}

static unsigned int op_hint(struct sbt *s, unsigned int cpu)
{
	return READ_ONCE(*per_cpu_ptr(s->q.sb.alloc_hint, cpu));
}

static void op_set_hint(struct sbt *s, unsigned int cpu, unsigned int hint)
{
	WRITE_ONCE(*per_cpu_ptr(s->q.sb.alloc_hint, cpu), hint);
}

static void *op_map(struct sbt *s)
{
	return s->q.sb.map;
}

static int op_numa(struct sbt *s)
{
	return IN_NUMA(s);
}

static unsigned int op_slots(struct sbt *s)
{
	return NUMA(s, sbt_numa_slots(&s->q), 1);
}

static unsigned int op_slot(struct sbt *s, unsigned int nr)
{
	(void)nr;
	return NUMA(s, sbt_numa_slot(&s->q, nr), 0);
}

static int op_node(struct sbt *s, unsigned int nr)
{
	(void)nr;
	return NUMA(s, sbt_numa_node(&s->q, nr), NUMA_NO_NODE);
}

static unsigned int op_cpu_slot(struct sbt *s, unsigned int cpu)
{
	(void)cpu;
	return NUMA(s, sbt_numa_cpu_slot(&s->q, cpu), 0);
}

static int op_ws_active(struct sbt *s)
{
	return atomic_read(&s->q.ws_active);
}

static unsigned int op_wake_batch(struct sbt *s)
{
	return READ_ONCE(s->q.wake_batch);
}

static int op_wake_index(struct sbt *s)
{
	return atomic_read(&s->q.wake_index);
}

static unsigned int op_waiters(struct sbt *s, unsigned int ws)
{
	struct list_head *p;
	unsigned int n = 0;

	spin_lock(&s->q.ws[ws].wait.lock);
	list_for_each(p, &s->q.ws[ws].wait.head)
		n++;
	spin_unlock(&s->q.ws[ws].wait.lock);
	return n;
}

static int op_pending(struct sbt *s)
{
	return atomic_read(&s->q.completion_cnt) - atomic_read(&s->q.wakeup_cnt);
}

__attribute__((visibility("default")))
const struct sbt_ops sbt_ops = {
	.has = ALWAYS_NUMA ? SBT_HAS_NUMA : 0,
	.wait_queues = SBQ_WAIT_QUEUES,
	.batch_max = SBQ_WAKE_BATCH,
	.boot = op_boot,
	.key = op_key,
	.key_is_on = op_key_is_on,
	.key_name = op_key_name,
	.boots = op_boots,
	.create = op_create,
	.destroy = op_destroy,
	.init = op_init,
	.free = op_free,
	.resize = op_resize,
	.recalc = op_recalc,
	.min_shallow = op_min_shallow,
	.get = op_get,
	.get_cpu = op_get_cpu,
	.pairs = op_pairs,
	.get_shallow = op_get_shallow,
	.get_batch = op_get_batch,
	.put = op_put,
	.clear = op_clear,
	.clear_batch = op_clear_batch,
	.set_bit = op_set_bit,
	.clear_bit = op_clear_bit,
	.test_bit = op_test_bit,
	.any_set = op_any_set,
	.weight = op_weight,
	.for_each = op_for_each,
	.show = op_show,
	.bitmap_show = op_bitmap_show,
	.waiter = op_waiter,
	.waiter_free = op_waiter_free,
	.prepare = op_prepare,
	.finish = op_finish,
	.add = op_add,
	.del = op_del,
	.queued = op_queued,
	.get_wait = op_get_wait,
	.wake_up = op_wake_up,
	.wake_all = op_wake_all,
	.depth = op_depth,
	.shift = op_shift,
	.map_nr = op_map_nr,
	.word = op_word,
	.cleared = op_cleared,
	.word_addr = op_word_addr,
	.hint = op_hint,
	.set_hint = op_set_hint,
	.map = op_map,
	.numa = op_numa,
	.slots = op_slots,
	.slot = op_slot,
	.node = op_node,
	.cpu_slot = op_cpu_slot,
	.ws_active = op_ws_active,
	.wake_batch = op_wake_batch,
	.wake_index = op_wake_index,
	.waiters = op_waiters,
	.pending = op_pending,
};
