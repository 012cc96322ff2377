// SPDX-License-Identifier: GPL-2.0-only
/*
 * Under the kernel's code: what -fsanitize=thread calls, and what the shims
 * ask for (the names that the explorer has too, so that the same shims serve).
 * The compiler announces a plain access just before it; an atomic is done
 * here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "load.h"
#include "../shims/hs.h"
#include "../explore/explore-prims.h"

static struct task_struct host_task;
static struct hs_ctx host_ctx = { .id = 1, .task = &host_task };

/* Where the kernel memory that is being allocated starts in its line. */
unsigned int mrt_offset;

static void is_word(uintptr_t a)
{
	struct sim_cpu *c = sim.cur;
	struct sim_line *l;

	if (!c || !sim_holds(a))
		return;
	l = sim_line_of(a);
	if (l->kind == SIM_K_OTHER)
		l->kind = SIM_K_WORD;
	if (l->kind == SIM_K_WORD)
		c->last = l;
}

static void is_cleared(uintptr_t a)
{
	if (sim.cur && sim_holds(a) && sim_line_of(a)->kind == SIM_K_OTHER)
		sim_line_of(a)->kind = SIM_K_CLEARED;
}

/* ---- plain accesses ---- */

#define ONE(name, op)							\
	void __tsan_##name(void *a);					\
	void __tsan_##name(void *a) { sim_access((uintptr_t)a, op); }

#define SIZED(size)							\
	ONE(read##size, SIM_READ)					\
	ONE(write##size, SIM_WRITE)					\
	ONE(unaligned_read##size, SIM_READ)				\
	ONE(unaligned_write##size, SIM_WRITE)				\
	ONE(volatile_read##size, SIM_READ)				\
	ONE(volatile_write##size, SIM_WRITE)				\
	ONE(read_write##size, SIM_WRITE)				\
	ONE(unaligned_read_write##size, SIM_WRITE)

SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

static void range(uintptr_t a, unsigned long n, enum sim_op op)
{
	uintptr_t end = a + n;

	for (; a < end; a = (a | (SIM_LINE - 1)) + 1)
		sim_access(a, op);
}

void __tsan_read_range(void *a, unsigned long n);
void __tsan_read_range(void *a, unsigned long n)
{
	range((uintptr_t)a, n, SIM_READ);
}

void __tsan_write_range(void *a, unsigned long n);
void __tsan_write_range(void *a, unsigned long n)
{
	range((uintptr_t)a, n, SIM_WRITE);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
	(void)pc;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

/* ---- atomics: one CPU runs at a time, so a plain operation does it ---- */

#define FETCH(bits, type, name, expr, mark)				\
	type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo); \
	type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo) \
	{								\
		type old;						\
									\
		(void)mo;						\
		if (bits == 64)						\
			mark((uintptr_t)a);				\
		sim_access((uintptr_t)a, SIM_RMW);			\
		old = *a;						\
		*a = (type)(expr);					\
		return old;						\
	}

#define CAS(bits, type, name)						\
	int __tsan_atomic##bits##_##name(volatile type *a, type *c, type v, \
					 int mo, int fmo);		\
	int __tsan_atomic##bits##_##name(volatile type *a, type *c, type v, \
					 int mo, int fmo)		\
	{								\
		(void)mo;						\
		(void)fmo;						\
		if (bits == 64)						\
			is_word((uintptr_t)a);				\
		sim_access((uintptr_t)a, SIM_RMW);			\
		if (*a == *c) {						\
			*a = v;						\
			return 1;					\
		}							\
		*c = *a;						\
		return 0;						\
	}

#define ATOMIC(bits, type)						\
	type __tsan_atomic##bits##_load(const volatile type *a, int mo); \
	type __tsan_atomic##bits##_load(const volatile type *a, int mo)	\
	{								\
		(void)mo;						\
		sim_access((uintptr_t)a, SIM_READ);			\
		return *a;						\
	}								\
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo); \
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo) \
	{								\
		sim_access((uintptr_t)a, SIM_WRITE);			\
		*a = v;							\
		if (mo == __ATOMIC_SEQ_CST)				\
			sim_fence();					\
	}								\
	FETCH(bits, type, exchange, v, is_cleared)			\
	FETCH(bits, type, fetch_add, old + v, is_word)			\
	FETCH(bits, type, fetch_sub, old - v, is_word)			\
	FETCH(bits, type, fetch_and, old & v, is_word)			\
	FETCH(bits, type, fetch_or, old | v, is_word)			\
	FETCH(bits, type, fetch_xor, old ^ v, is_word)			\
	CAS(bits, type, compare_exchange_strong)			\
	CAS(bits, type, compare_exchange_weak)

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(int mo);
void __tsan_atomic_thread_fence(int mo)
{
	if (mo == __ATOMIC_SEQ_CST)
		sim_fence();
}

void __tsan_atomic_signal_fence(int mo);
void __tsan_atomic_signal_fence(int mo)
{
	(void)mo;
}

void ex_fence(int order)
{
	__tsan_atomic_thread_fence(order);
}

void ex_rmw_void(void *p, int size, enum ex_rmw op, unsigned long v)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t w = 0;

	if (size == 8) {
		if (op == EX_RMW_OR)
			is_cleared(a);
		else if (op == EX_RMW_AND)
			is_word(a);
	}
	sim_access(a, SIM_RMW);
	memcpy(&w, p, size);
	switch (op) {
	case EX_RMW_ADD:
		w += v;
		break;
	case EX_RMW_SUB:
		w -= v;
		break;
	case EX_RMW_AND:
		w &= v;
		break;
	case EX_RMW_OR:
		w |= v;
		break;
	case EX_RMW_XOR:
		w ^= v;
		break;
	default:
		fprintf(stderr, "model: read-modify-write %d is not known\n", op);
		abort();
	}
	memcpy(p, &w, size);
}

/* ---- memory ---- */

void *ex_alloc(size_t size, size_t align, const char *name)
{
	char *p;

	(void)name;
	p = sim_alloc(size + mrt_offset, align, 0, SIM_K_OTHER);
	return p + mrt_offset;
}

void ex_free(void *p)
{
	(void)p;
}

void *sim_waiter_alloc(size_t size);
void *sim_waiter_alloc(size_t size)
{
	return sim_alloc(size, SIM_LINE, 0, SIM_K_WAIT);
}

/* ---- context ---- */

struct hs_ctx *hs_ctx_now(void)
{
	return sim.cur ? load_ctx() : &host_ctx;
}

void hs_call(void)
{
}

int hs_cpu(void);
int hs_cpu(void)
{
	return sim.cur ? (int)(sim.cur->t & 0xff) : 0;
}

struct task_struct *hs_current(void);
struct task_struct *hs_current(void)
{
	return hs_ctx_now()->task;
}

void hs_preempt(int by);
void hs_preempt(int by)
{
	(void)by;
}

void hs_irq(int by);
void hs_irq(int by)
{
	if (sim.cur)
		sim.cur->irqoff += by;
}

void hs_soft(int by);
void hs_soft(int by)
{
	/* taken with interrupts off wherever the kernel's code takes one */
	if (sim.cur)
		sim.cur->irqoff += by;
}

void hs_raw(int by);
void hs_raw(int by)
{
	(void)by;
}

int hs_atomic_context(int soft_too);
int hs_atomic_context(int soft_too)
{
	(void)soft_too;
	return 0;
}

void hs_lock(unsigned int *owner, const char *what);
void hs_lock(unsigned int *owner, const char *what)
{
	(void)what;
	sim_lock(owner);
}

int hs_trylock(unsigned int *owner);
int hs_trylock(unsigned int *owner)
{
	return sim_trylock(owner);
}

void hs_unlock(unsigned int *owner);
void hs_unlock(unsigned int *owner)
{
	sim_unlock(owner);
}

void cpu_relax(void);
void cpu_relax(void)
{
	if (sim.cur)
		sim_wait_until(sim_now() + 20 * SIM_NS);
}

/*
 * Full barriers around an atomic RMW are the RMW itself (x86, and AL forms on
 * arm64).
 */
void hs_mb_before_atomic(void);
void hs_mb_before_atomic(void)
{
}

void hs_rmw_before(void);
void hs_rmw_before(void)
{
}

void hs_rmw_after(int order);
void hs_rmw_after(int order)
{
	(void)order;
}

void hs_mb_after_atomic(void);
void hs_mb_after_atomic(void)
{
}

/** mrt_seed() - of what the shims draw outside of the simulation */
void mrt_seed(unsigned long seed)
{
	host_ctx.rng = seed;
}
