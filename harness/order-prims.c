// SPDX-License-Identifier: GPL-2.0-only
/* Each primitive of shims/ORDER.md in a function, for test-order.c. */
#include <linux/sched.h>
#include <linux/percpu.h>
#include <linux/jump_label.h>
#include <linux/wait.h>

static unsigned long w, w2;
static atomic_t a;
static atomic_long_t l;
static raw_spinlock_t lock;
static struct list_head head = { &head, &head };
static struct wait_queue_head q = { { { 0 } }, { &q.head, &q.head } };
static struct static_key_false key;
static unsigned int __percpu *pc;
static volatile long sink;

void order_percpu(unsigned long p);
void order_percpu(unsigned long p)
{
	pc = (unsigned int __percpu *)p;
}

#define F(name, stmt) \
	static void p_##name(void) { int one = 1; long lone = 1; \
		(void)one; (void)lone; stmt; }

F(READ_ONCE, sink = READ_ONCE(w))
F(WRITE_ONCE, WRITE_ONCE(w, 1))
F(smp_load_acquire, sink = smp_load_acquire(&w))
F(smp_store_release, smp_store_release(&w, 1))
F(smp_store_mb, smp_store_mb(w, 1))
F(smp_mb, smp_mb())
F(smp_rmb, smp_rmb())
F(smp_wmb, smp_wmb())
F(smp_mb__before_atomic, smp_mb__before_atomic())
F(smp_mb__after_atomic, smp_mb__after_atomic())
F(smp_mb__after_spinlock, smp_mb__after_spinlock())
F(atomic_read, sink = atomic_read(&a))
F(atomic_set, atomic_set(&a, 1))
F(atomic_inc, atomic_inc(&a))
F(atomic_dec, atomic_dec(&a))
F(atomic_add, atomic_add(2, &a))
F(atomic_add_return, sink = atomic_add_return(2, &a))
F(atomic_try_cmpxchg, sink = atomic_try_cmpxchg(&a, &one, 2))
F(atomic_cmpxchg, sink = atomic_cmpxchg(&a, 1, 2))
F(atomic_long_andnot, atomic_long_andnot(3, &l))
F(atomic_long_or, atomic_long_or(3, &l))
F(atomic_long_try_cmpxchg, sink = atomic_long_try_cmpxchg(&l, &lone, 2))
F(xchg, sink = xchg(&w, 0))
F(cmpxchg, sink = cmpxchg(&w, 0, 1))
F(set_bit, set_bit(1, &w))
F(clear_bit, clear_bit(1, &w))
F(clear_bit_unlock, clear_bit_unlock(1, &w))
F(test_bit, sink = test_bit(1, &w2))
F(test_bit_acquire, sink = test_bit_acquire(1, &w2))
F(test_and_set_bit, sink = test_and_set_bit(1, &w))
F(test_and_clear_bit, sink = test_and_clear_bit(1, &w))
F(test_and_set_bit_lock, sink = test_and_set_bit_lock(2, &w))
F(this_cpu_read, sink = this_cpu_read(*pc))
F(this_cpu_write, this_cpu_write(*pc, 1))
F(static_branch_unlikely, sink = static_branch_unlikely(&key))
F(set_current_state, set_current_state(TASK_RUNNING))
F(raw_spin_lock, raw_spin_lock(&lock))
F(raw_spin_unlock, raw_spin_unlock(&lock))
F(list_empty, sink = list_empty(&head))
F(waitqueue_active, sink = waitqueue_active(&q))

struct prim {
	const char *name;
	void (*fn)(void);
};

#define P(name) { #name, p_##name }
const struct prim order_prims[] = {
	P(READ_ONCE), P(WRITE_ONCE), P(smp_load_acquire), P(smp_store_release),
	P(smp_store_mb), P(smp_mb), P(smp_rmb), P(smp_wmb),
	P(smp_mb__before_atomic), P(smp_mb__after_atomic),
	P(smp_mb__after_spinlock), P(atomic_read), P(atomic_set),
	P(atomic_inc), P(atomic_dec), P(atomic_add), P(atomic_add_return),
	P(atomic_try_cmpxchg), P(atomic_cmpxchg), P(atomic_long_andnot),
	P(atomic_long_or), P(atomic_long_try_cmpxchg), P(xchg), P(cmpxchg),
	P(set_bit), P(clear_bit), P(clear_bit_unlock), P(test_bit),
	P(test_bit_acquire), P(test_and_set_bit), P(test_and_clear_bit),
	P(test_and_set_bit_lock), P(this_cpu_read), P(this_cpu_write),
	P(static_branch_unlikely), P(set_current_state), P(raw_spin_lock),
	P(raw_spin_unlock), P(list_empty), P(waitqueue_active),
	{ NULL, NULL },
};
