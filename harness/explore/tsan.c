// SPDX-License-Identifier: GPL-2.0-only
/*
 * What -fsanitize=thread calls. A callback of a plain access comes just before
 * the access, one of an atomic performs it.
 */
#include <string.h>

#include "explore-int.h"

#define PC	((uintptr_t)__builtin_return_address(0))

static void record(uintptr_t a, uint32_t size)
{
	int i;

	if (a - EX_ARENA_BASE >= EX_ARENA_SIZE && !ex_mem_registered(a, size))
		return;
	for (i = 0; i < ex.nrec; i++)
		if (ex.rec[i].addr == a && ex.rec[i].size >= size)
			return;
	if (ex.nrec == EX_NRANGES) {
		ex.rec_over = true;
		return;
	}
	ex.rec[ex.nrec++] = (struct ex_range){ a, size };
}

static bool unusual(struct ex_proc *p, uintptr_t a, uint32_t size, bool write,
		    uintptr_t pc)
{
	int owner;

	if (ex_mem_registered(a, size))
		return true;
	if (a - (uintptr_t)p->co.stack < p->co.size)
		return false;
	owner = ex_stack_owner(a);
	ex.bad_pc = pc;
	if (owner >= 0)
		ex_fail("%s of %u bytes on the stack of %s %d, not registered by ex_shared()",
			write ? "write" : "read", size,
			owner < ex.nt ? "thread" : "interrupt",
			owner < ex.nt ? owner : owner - ex.nt);
	ex.bad_pc = 0;
	if (write && !ex.r->stray_writes++)
		ex.r->stray_pc = pc;
	return false;
}

static inline bool is_shared(uintptr_t a, uint32_t size, bool write,
			     uintptr_t pc)
{
	struct ex_proc *p = ex.cur;
	uintptr_t off = a - EX_ARENA_BASE;

	if (!p) {
		if (ex.rec)
			record(a, size);
		return false;
	}
	if (off < EX_ARENA_SIZE) {
		if (unlikely(ex_shadow[off >> 3] != 8 || (off & 7) + size > 8)) {
			ex.bad_pc = pc;
			ex_mem_bad(a, size, write);
			ex.bad_pc = 0;
		}
		return true;
	}
	if (a - (uintptr_t)p->co.stack < p->co.size && !p->stack_shared)
		return false;
	return unusual(p, a, size, write, pc);
}

static inline void plain(const void *addr, uint32_t size, bool write,
			 unsigned int flags, uintptr_t pc)
{
	uintptr_t a = (uintptr_t)addr;

	if (is_shared(a, size, write, pc))
		ex_access(a, size, write, flags, pc);
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

#define ONE(name, size, write, flags)					\
	void __tsan_##name(void *a);					\
	void __tsan_##name(void *a)					\
	{								\
		plain(a, size, write, flags, PC);			\
	}

#define BOTH(name, size)						\
	void __tsan_##name(void *a);					\
	void __tsan_##name(void *a)					\
	{								\
		plain(a, size, false, 0, PC);				\
		plain(a, size, true, 0, PC);				\
	}

#define SIZED(size)							\
	ONE(read##size, size, false, 0)					\
	ONE(write##size, size, true, 0)					\
	ONE(unaligned_read##size, size, false, 0)			\
	ONE(unaligned_write##size, size, true, 0)			\
	ONE(volatile_read##size, size, false, EX_F_VOLATILE)		\
	ONE(volatile_write##size, size, true, EX_F_VOLATILE)		\
	ONE(unaligned_volatile_read##size, size, false, EX_F_VOLATILE)	\
	ONE(unaligned_volatile_write##size, size, true, EX_F_VOLATILE)	\
	BOTH(read_write##size, size)					\
	BOTH(unaligned_read_write##size, size)

SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

void __tsan_vptr_update(void *a, void *v);
void __tsan_vptr_update(void *a, void *v)
{
	(void)v;
	plain(a, 8, true, 0, PC);
}

void __tsan_vptr_read(void *a);
void __tsan_vptr_read(void *a)
{
	plain(a, 8, false, 0, PC);
}

/* A range is a step for each word; the caller reads or writes it later */
static void range(const char *a, size_t n, bool write, uintptr_t pc)
{
	while (n) {
		size_t k = 8 - ((uintptr_t)a & 7);

		if (k > n)
			k = n;
		plain(a, k, write, 0, pc);
		a += k;
		n -= k;
	}
}

void __tsan_read_range(void *a, unsigned long n);
void __tsan_read_range(void *a, unsigned long n)
{
	range(a, n, false, PC);
}

void __tsan_write_range(void *a, unsigned long n);
void __tsan_write_range(void *a, unsigned long n)
{
	range(a, n, true, PC);
}

/* Word by word, so that a torn copy shows */
static void *copy(void *dst, const void *src, size_t n, bool down,
		  uintptr_t pc)
{
	char *d = dst;
	const char *s = src;
	uint64_t tmp;

	while (n) {
		size_t k = 8;

		if (down) {
			k = (uintptr_t)(d + n) & 7;
			if (!k)
				k = 8;
			if (k > n)
				k = n;
			plain(s + n - k, k, false, 0, pc);
			memcpy(&tmp, s + n - k, k);
			plain(d + n - k, k, true, 0, pc);
			memcpy(d + n - k, &tmp, k);
			n -= k;
			continue;
		}
		k = 8 - ((uintptr_t)d & 7);
		if (k > n)
			k = n;
		plain(s, k, false, 0, pc);
		memcpy(&tmp, s, k);
		plain(d, k, true, 0, pc);
		memcpy(d, &tmp, k);
		d += k;
		s += k;
		n -= k;
	}
	return dst;
}

void *__tsan_memcpy(void *dst, const void *src, unsigned long n);
void *__tsan_memcpy(void *dst, const void *src, unsigned long n)
{
	return copy(dst, src, n, false, PC);
}

void *__tsan_memmove(void *dst, const void *src, unsigned long n);
void *__tsan_memmove(void *dst, const void *src, unsigned long n)
{
	return copy(dst, src, n, dst > src, PC);
}

void *__tsan_memset(void *dst, int c, unsigned long n);
void *__tsan_memset(void *dst, int c, unsigned long n)
{
	char *d = dst;

	while (n) {
		size_t k = 8 - ((uintptr_t)d & 7);

		if (k > n)
			k = n;
		plain(d, k, true, 0, PC);
		memset(d, c, k);
		d += k;
		n -= k;
	}
	return dst;
}

/* Atomics ---------------------------------------------------------------- */

static uint64_t alone(uintptr_t a, uint32_t size, int what, uint64_t val,
		      uint64_t *cmp)
{
	uint64_t old = ex_peek(a, size);

	switch (what) {
	case EX_A_LOAD:
		return old;
	case EX_A_STORE:
	case EX_RMW_SET:
		break;
	case EX_A_CAS:
		if (old != *cmp)
			return old;
		break;
	case EX_RMW_ADD:
		val = old + val;
		break;
	case EX_RMW_SUB:
		val = old - val;
		break;
	case EX_RMW_AND:
		val = old & val;
		break;
	case EX_RMW_OR:
		val = old | val;
		break;
	case EX_RMW_XOR:
		val = old ^ val;
		break;
	case EX_RMW_NAND:
		val = ~(old & val);
		break;
	}
	ex_poke(a, size, val);
	return old;
}

static inline uint64_t atomic(const volatile void *addr, uint32_t size,
			      int what, uint64_t val, uint64_t *cmp, int order,
			      uintptr_t pc)
{
	uintptr_t a = (uintptr_t)addr;

	if (is_shared(a, size, what != EX_A_LOAD, pc))
		return ex_atomic(a, size, what, val, cmp, order, pc);
	return alone(a, size, what, val, cmp);
}

#define FETCH(bits, type, name, what)					\
	type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo); \
	type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo) \
	{								\
		return atomic(a, sizeof(type), what, v, NULL, mo, PC);	\
	}

#define CAS(bits, type, name)						\
	int __tsan_atomic##bits##_##name(volatile type *a, type *c, type v, \
					 int mo, int fmo);		\
	int __tsan_atomic##bits##_##name(volatile type *a, type *c, type v, \
					 int mo, int fmo)		\
	{								\
		uint64_t cmp = *c, old;					\
									\
		(void)fmo;						\
		old = atomic(a, sizeof(type), EX_A_CAS, v, &cmp, mo, PC); \
		if (old == cmp)						\
			return 1;					\
		*c = old;						\
		return 0;						\
	}

#define ATOMIC(bits, type)						\
	type __tsan_atomic##bits##_load(const volatile type *a, int mo); \
	type __tsan_atomic##bits##_load(const volatile type *a, int mo)	\
	{								\
		return atomic(a, sizeof(type), EX_A_LOAD, 0, NULL, mo, PC); \
	}								\
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo); \
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo) \
	{								\
		atomic(a, sizeof(type), EX_A_STORE, v, NULL, mo, PC);	\
	}								\
	FETCH(bits, type, exchange, EX_RMW_SET)				\
	FETCH(bits, type, fetch_add, EX_RMW_ADD)			\
	FETCH(bits, type, fetch_sub, EX_RMW_SUB)			\
	FETCH(bits, type, fetch_and, EX_RMW_AND)			\
	FETCH(bits, type, fetch_or, EX_RMW_OR)				\
	FETCH(bits, type, fetch_xor, EX_RMW_XOR)			\
	FETCH(bits, type, fetch_nand, EX_RMW_NAND)			\
	CAS(bits, type, compare_exchange_strong)			\
	CAS(bits, type, compare_exchange_weak)				\
	type __tsan_atomic##bits##_compare_exchange_val(		\
		volatile type *a, type c, type v, int mo, int fmo);	\
	type __tsan_atomic##bits##_compare_exchange_val(		\
		volatile type *a, type c, type v, int mo, int fmo)	\
	{								\
		uint64_t cmp = c;					\
									\
		(void)fmo;						\
		return atomic(a, sizeof(type), EX_A_CAS, v, &cmp, mo, PC); \
	}

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(int mo);
void __tsan_atomic_thread_fence(int mo)
{
	ex_do_fence(mo, PC);
}

void __tsan_atomic_signal_fence(int mo);
void __tsan_atomic_signal_fence(int mo)
{
	(void)mo;
}

void ex_fence(int order)
{
	ex_do_fence(order, PC);
}

unsigned long ex_load(const void *addr, int size, int order)
{
	return atomic(addr, size, EX_A_LOAD, 0, NULL, order, PC);
}

void ex_store(void *addr, int size, unsigned long val, int order)
{
	atomic(addr, size, EX_A_STORE, val, NULL, order, PC);
}
