// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks, wait queues and sleeping, for the code under test and for the
 * waiters that the tests write. Linked into every shared object, compiled as
 * the kernel's file is, so that sanitizers and the explorer see it.
 */
#include <linux/wait.h>

/* ---- locks ---- */

#ifndef HS_EXPLORE
int hs_trylock(unsigned int *owner)
{
	unsigned int free = 0;

	return __atomic_compare_exchange_n(owner, &free, hs_this()->id, 0,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void hs_lock(unsigned int *owner, const char *what)
{
	while (!hs_trylock(owner)) {
		if (READ_ONCE(*owner) == (unsigned int)hs_this()->id) {
			hs_bug(HS_BUG_LOCK, "%s taken again by its owner", what);
			return;
		}
		cpu_relax();
	}
}

void hs_unlock(unsigned int *owner)
{
	if (READ_ONCE(*owner) != (unsigned int)hs_this()->id)
		hs_bug(HS_BUG_LOCK, "unlock of a lock that is not held");
	smp_store_release(owner, 0);
}

void cpu_relax(void)
{
	if (hs_sched.relax)
		hs_sched.relax();
	barrier();
}
#endif

void hs_raw_lock(raw_spinlock_t *l, int irq)
{
	if (irq)
		hs_irq(1);
	hs_lock(&l->owner, "raw spinlock");
	hs_raw(1);
}

bool hs_raw_trylock(raw_spinlock_t *l, int irq)
{
	if (!hs_trylock(&l->owner))
		return false;
	if (irq)
		hs_irq(1);
	hs_raw(1);
	return true;
}

void hs_raw_unlock(raw_spinlock_t *l, int irq)
{
	hs_raw(-1);
	hs_unlock(&l->owner);
	if (irq)
		hs_irq(-1);
}

#ifdef HS_EXPLORE
#define atomic_context()	hs_atomic_context(0)
#define may_not_sleep()		hs_atomic_context(1)
#else
static bool atomic_context(void)
{
	struct hs_ctx *c = hs_this();

	return c->preempt || c->irqoff || c->raw;
}

static bool may_not_sleep(void)
{
	return atomic_context() || hs_this()->soft;
}
#endif

void hs_spin_lock(spinlock_t *l)
{
	if (atomic_context())
		hs_bug(HS_BUG_CONTEXT,
		       "spinlock_t, which sleeps on PREEMPT_RT, taken in atomic context");
	hs_soft(1);
	hs_lock(&l->rlock.owner, "spinlock");
}

void hs_spin_unlock(spinlock_t *l)
{
	hs_unlock(&l->rlock.owner);
	hs_soft(-1);
}

/* ---- sleeping ---- */

void schedule(void)
{
	struct task_struct *t = current;

	if (may_not_sleep())
		hs_bug(HS_BUG_CONTEXT, "schedule() in atomic context");
	if (READ_ONCE(t->__state) == TASK_RUNNING)
		return;
	if (hs_sched.block)
		hs_sched.block(t);
}

int hs_try_to_wake_up(struct task_struct *t, unsigned int mode)
{
	unsigned int old;

	smp_mb();
	old = READ_ONCE(t->__state);
	do {
		if (!(old & mode))
			return 0;
	} while (!try_cmpxchg(&t->__state, &old, TASK_RUNNING));
	hs_count_wakeup(t);
	if (hs_sched.kick)
		hs_sched.kick(t);
	return 1;
}

int wake_up_process(struct task_struct *t)
{
	return hs_try_to_wake_up(t, TASK_NORMAL);
}

/* ---- wait queues ---- */

int default_wake_function(struct wait_queue_entry *e, unsigned int mode,
			  int flags, void *key)
{
	(void)flags;
	(void)key;
	return hs_try_to_wake_up(e->private, mode);
}

int autoremove_wake_function(struct wait_queue_entry *e, unsigned int mode,
			     int flags, void *key)
{
	if (!default_wake_function(e, mode, flags, key))
		return 0;
	list_del_init_careful(&e->entry);
	return 1;
}

/* Those without the exclusive flag stand in front of those with it. */
void add_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	e->flags &= ~WQ_FLAG_EXCLUSIVE;
	spin_lock(&q->lock);
	list_add(&e->entry, &q->head);
	spin_unlock(&q->lock);
}

void remove_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	spin_lock(&q->lock);
	list_del(&e->entry);
	spin_unlock(&q->lock);
}

static bool enqueue(struct wait_queue_head *q, struct wait_queue_entry *e,
		    int state)
{
	bool first = false;

	spin_lock(&q->lock);
	if (list_empty(&e->entry)) {
		first = list_empty(&q->head);
		if (e->flags & WQ_FLAG_EXCLUSIVE)
			list_add_tail(&e->entry, &q->head);
		else
			list_add(&e->entry, &q->head);
	}
	/* After the entry is queued: pairs with waitqueue_active(). */
	set_current_state(state);
	spin_unlock(&q->lock);
	return first;
}

void prepare_to_wait(struct wait_queue_head *q, struct wait_queue_entry *e,
		     int state)
{
	e->flags &= ~WQ_FLAG_EXCLUSIVE;
	enqueue(q, e, state);
}

bool prepare_to_wait_exclusive(struct wait_queue_head *q,
			       struct wait_queue_entry *e, int state)
{
	e->flags |= WQ_FLAG_EXCLUSIVE;
	return enqueue(q, e, state);
}

void finish_wait(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	__set_current_state(TASK_RUNNING);
	if (!list_empty_careful(&e->entry)) {
		spin_lock(&q->lock);
		list_del_init(&e->entry);
		spin_unlock(&q->lock);
	}
}

/* Returns how many exclusive entries were woken; the others do not count. */
int __wake_up(struct wait_queue_head *q, unsigned int mode, int nr, void *key)
{
	struct list_head *pos, *next;
	int left = nr;

	spin_lock(&q->lock);
	for (pos = q->head.next; pos != &q->head; pos = next) {
		struct wait_queue_entry *e =
			container_of(pos, struct wait_queue_entry, entry);
		unsigned int flags = e->flags;
		int ret;

		next = pos->next;
		ret = e->func(e, mode, 0, key);
		if (ret < 0)
			break;
		if (ret && (flags & WQ_FLAG_EXCLUSIVE) && !--left)
			break;
	}
	spin_unlock(&q->lock);
	return nr - left;
}
