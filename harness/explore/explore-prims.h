/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What code under test, and the kernel shims below it, may call.
 *
 * This header includes nothing and defines no common type names, so that a
 * shim of <linux/types.h> can stand beside it. Everything works outside a
 * schedule too (in setup, final or a plain program): there the caller runs
 * alone, so a free lock is taken, a condition must hold at once.
 */
#ifndef HARNESS_EXPLORE_PRIMS_H
#define HARNESS_EXPLORE_PRIMS_H

/* Where am I? ------------------------------------------------------------ */

/**
 * ex_active() - Is the caller a simulated thread or interrupt?
 *
 * Return: 1 inside a thread or interrupt body, 0 in setup(), final(),
 * invariant(), a condition of ex_block(), or outside ex_run().
 */
int ex_active(void);

/**
 * ex_cpu() - Number of the simulated CPU that the caller runs on
 *
 * Outside a schedule it is what ex_set_cpu() set last, 0 at first.
 */
int ex_cpu(void);

/**
 * ex_set_cpu() - Migrate the calling thread to @cpu
 * @cpu: the CPU that ex_cpu() returns from now on
 *
 * A thread is the unit of scheduling, a CPU only a label: two threads with
 * the same label interleave at every shared access, as preemptible tasks do.
 * The store buffer belongs to the thread, so it is drained here.
 */
void ex_set_cpu(int cpu);

/**
 * ex_thread() - Index of the calling thread; in an interrupt, of the one that
 * it interrupted ("current"). -1 outside a schedule.
 */
int ex_thread(void);

/** ex_in_irq() - 1 if the caller is an interrupt body */
int ex_in_irq(void);

/* Spin locks ------------------------------------------------------------- */

/*
 * A lock is one 32-bit word in memory that the caller owns: 0 is free. It may
 * sit inside any object; it need not be registered. An acquisition is an
 * acquire RMW that is schedulable only while the word is 0, so that nobody
 * spins; a release is a release store (buffered in store-buffer modes).
 */

/**
 * ex_lock() - Acquire a spin lock, blocking
 * @word: the lock
 */
void ex_lock(unsigned int *word);

/**
 * ex_trylock() - Acquire a spin lock if it is free
 * @word: the lock
 *
 * Return: 1 if taken.
 */
int ex_trylock(unsigned int *word);

/**
 * ex_unlock() - Release a spin lock
 * @word: the lock; releasing one that the caller does not hold is a failure
 */
void ex_unlock(unsigned int *word);

/**
 * ex_lock_is_held() - Is the lock held by anybody (spin_is_locked())?
 * @word: the lock
 *
 * A shared load: a scheduling point.
 */
int ex_lock_is_held(const unsigned int *word);

/* Interrupts ------------------------------------------------------------- */

/**
 * ex_irq_disable() - Keep interrupts of this thread's CPU away; nests
 *
 * local_irq_save(flags) maps to this with flags unused, local_irq_restore()
 * to ex_irq_enable(); raw_spin_lock_irqsave() is ex_irq_disable(), ex_lock().
 */
void ex_irq_disable(void);
/** ex_irq_enable() - Undo one ex_irq_disable() */
void ex_irq_enable(void);
/** ex_irqs_disabled() - 1 if interrupts are off, or the caller is one */
int ex_irqs_disabled(void);

/* Sleeping --------------------------------------------------------------- */

/**
 * ex_block() - Sleep until a condition holds
 * @cond: evaluated by the scheduler, must have no side effects; the shared
 *        memory that it reads (at most 8 words) is what may wake the caller.
 *        Compile it with the instrumentation, like the code under test
 * @arg: passed to @cond
 * @what: for reports ("waits for a tag"); may be NULL
 *
 * Implies a full barrier, as schedule() does. If nobody is left to make the
 * condition true, the schedule ends as a deadlock (lost wakeup).
 */
void ex_block(int (*cond)(void *arg), void *arg, const char *what);

/*
 * A task state per thread, with the rules of set_current_state(), schedule()
 * and wake_up_process(). schedule() in the shim is ex_sleep().
 */

/** ex_prepare_sleep() - set_current_state(TASK_UNINTERRUPTIBLE): store, smp_mb */
void ex_prepare_sleep(void);
/** ex_set_running() - __set_current_state(TASK_RUNNING) */
void ex_set_running(void);
/**
 * ex_sleep() - schedule(): return at once if running, else when woken
 * @what: for reports; may be NULL
 */
void ex_sleep(const char *what);
/**
 * ex_wake() - wake_up_process()
 * @thread: index of the thread
 *
 * Return: 1 if it was asleep, or about to be, and is running now.
 */
int ex_wake(int thread);

/**
 * ex_yield() - cpu_relax(): let others go first
 *
 * The caller is not scheduled again before another thread made a step, unless
 * no other can. Schedules in which a spinner spins for nothing are not
 * explored. Prefer ex_block().
 */
void ex_yield(void);

/* Choices, orderings ----------------------------------------------------- */

/**
 * ex_choose() - Any of 0 .. @n - 1; every one is explored
 * @n: number of alternatives, at least 1
 */
int ex_choose(int n);

/**
 * ex_fence() - A fence, for code that is not instrumented
 * @order: __ATOMIC_SEQ_CST is smp_mb(), __ATOMIC_RELEASE is smp_wmb(),
 *         __ATOMIC_ACQUIRE is smp_rmb()
 *
 * Instrumented code uses __atomic_thread_fence(), which arrives here too. An
 * asm volatile is not seen.
 */
void ex_fence(int order);

enum ex_rmw {
	EX_RMW_SET,		/* exchange */
	EX_RMW_ADD,
	EX_RMW_SUB,
	EX_RMW_AND,
	EX_RMW_OR,
	EX_RMW_XOR,
	EX_RMW_NAND,
};

/**
 * ex_rmw_void() - A relaxed atomic whose old value nobody looks at
 * @addr: naturally aligned
 * @size: 1, 2, 4 or 8
 * @op: what to do
 * @val: with what
 *
 * The kernel's set_bit(), clear_bit(), atomic_inc(), atomic_or() ...: no
 * ordering at all. The instrumentation cannot tell them from fetch-and-op,
 * hence this call: in EX_PSO it goes through the store buffer and is late for
 * loads that follow, so that a missing smp_mb__after_atomic() shows.
 */
void ex_rmw_void(void *addr, int size, enum ex_rmw op, unsigned long val);

/**
 * ex_load() / ex_store() - A relaxed access for code that is not instrumented
 * @addr: naturally aligned
 * @size: 1, 2, 4 or 8
 * @order: __ATOMIC_*
 */
unsigned long ex_load(const void *addr, int size, int order);
void ex_store(void *addr, int size, unsigned long val, int order);

/* Memory ----------------------------------------------------------------- */

/**
 * ex_shared() - Accesses to this memory are scheduling points
 * @ptr: start; a global, a heap object of malloc(), or part of a thread's own
 *       stack (a wait queue entry that others reach)
 * @size: in bytes
 * @name: for reports; the string must stay
 *
 * Ranges registered in setup() last until the schedule ends, then all are
 * dropped. Touching another thread's stack outside a registered range is a
 * failure.
 */
void ex_shared(const void *ptr, unsigned long size, const char *name);
/** ex_unshare() - Forget a range that ex_shared() registered at @ptr */
void ex_unshare(const void *ptr);

/**
 * ex_alloc() - Shared memory that is the same address in every schedule
 * @size: in bytes, 0 is allowed
 * @align: a power of two, 0 for 16; 64 for a cache line
 * @name: for reports; the string must stay
 *
 * Filled with 0xa5. Out of bounds accesses and accesses after ex_free() by
 * instrumented code are failures. Everything still allocated at the end of a
 * schedule is dropped; ex_alloc_live() tells how much that is.
 */
void *ex_alloc(unsigned long size, unsigned long align, const char *name);
/** ex_free() - Free memory of ex_alloc(); twice is a failure; NULL is allowed */
void ex_free(void *ptr);
/** ex_alloc_live() - How many objects of ex_alloc() are not freed */
int ex_alloc_live(void);
/** ex_alloc_owns() - 1 if @ptr points into memory of ex_alloc() */
int ex_alloc_owns(const void *ptr);

/* Failing ---------------------------------------------------------------- */

/** ex_fail() - End this schedule as failed; does not return */
void ex_fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/** ex_assert() - End this schedule as failed unless @cond */
#define ex_assert(cond, ...)						\
	do {								\
		if (!(cond))						\
			ex_fail(__VA_ARGS__);				\
	} while (0)

/** ex_note() - A line in the printed steps of a failing schedule */
void ex_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
