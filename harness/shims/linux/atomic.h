/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Atomics as __atomic builtins, so that sanitizers and the explorer see them.
 * Which primitive became which order: shims/ORDER.md, checked by t/order.t.
 *
 * smp_mb__before_atomic() and smp_mb__after_atomic() order an atomic RMW and
 * nothing else. Where that can be seen (the explorer's store buffer), the
 * fence belongs to the RMW: hs_rmw_before() and hs_rmw_after().
 */
#ifndef SHIM_ATOMIC_H
#define SHIM_ATOMIC_H

#include <linux/types.h>
#include <asm/barrier.h>

#define HS_RMW(order, expr) ({						\
	hs_rmw_before();						\
	__auto_type __rmw = (expr);					\
	hs_rmw_after(order);						\
	__rmw;								\
})

/* A relaxed RMW whose old value nobody looks at. */
#ifdef HS_EXPLORE
#define HS_RMW_VOID(ptr, op, exop, val) do {				\
	hs_rmw_before();						\
	ex_rmw_void((void *)(ptr), sizeof(*(ptr)), EX_RMW_##exop, (val));	\
	hs_rmw_after(__ATOMIC_RELAXED);					\
} while (0)
#else
#define HS_RMW_VOID(ptr, op, exop, val) \
	((void)__atomic_fetch_##op((ptr), (val), __ATOMIC_RELAXED))
#endif

#define HS_ATOMIC(pfx, type, ctype)					\
static __always_inline ctype pfx##_read(const type *v)			\
{									\
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);		\
}									\
static __always_inline ctype pfx##_read_acquire(const type *v)		\
{									\
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE);		\
}									\
static __always_inline void pfx##_set(type *v, ctype i)			\
{									\
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);		\
}									\
static __always_inline void pfx##_set_release(type *v, ctype i)		\
{									\
	__atomic_store_n(&v->counter, i, __ATOMIC_RELEASE);		\
}									\
HS_ATOMIC_OP(pfx, type, ctype, add, ADD)				\
HS_ATOMIC_OP(pfx, type, ctype, sub, SUB)				\
HS_ATOMIC_LOGIC(pfx, type, ctype, and, and, AND, i)			\
HS_ATOMIC_LOGIC(pfx, type, ctype, andnot, and, AND, ~i)			\
HS_ATOMIC_LOGIC(pfx, type, ctype, or, or, OR, i)			\
HS_ATOMIC_LOGIC(pfx, type, ctype, xor, xor, XOR, i)			\
static __always_inline void pfx##_inc(type *v) { pfx##_add(1, v); }	\
static __always_inline void pfx##_dec(type *v) { pfx##_sub(1, v); }	\
static __always_inline ctype pfx##_inc_return(type *v)			\
{									\
	return pfx##_add_return(1, v);					\
}									\
static __always_inline ctype pfx##_dec_return(type *v)			\
{									\
	return pfx##_sub_return(1, v);					\
}									\
static __always_inline ctype pfx##_fetch_inc(type *v)			\
{									\
	return pfx##_fetch_add(1, v);					\
}									\
static __always_inline bool pfx##_dec_and_test(type *v)			\
{									\
	return pfx##_sub_return(1, v) == 0;				\
}									\
static __always_inline ctype pfx##_xchg(type *v, ctype i)		\
{									\
	return HS_RMW(__ATOMIC_SEQ_CST, __atomic_exchange_n(&v->counter,\
					i, __ATOMIC_SEQ_CST));		\
}									\
static __always_inline bool pfx##_try_cmpxchg(type *v, ctype *old,	\
					      ctype new)		\
{									\
	return HS_RMW(__ATOMIC_SEQ_CST,					\
		__atomic_compare_exchange_n(&v->counter, old, new, 0,	\
				__ATOMIC_SEQ_CST, __ATOMIC_RELAXED));	\
}									\
static __always_inline ctype pfx##_cmpxchg(type *v, ctype old, ctype new) \
{									\
	pfx##_try_cmpxchg(v, &old, new);				\
	return old;							\
}									\
static __always_inline bool pfx##_add_unless(type *v, ctype a, ctype u)	\
{									\
	ctype old = pfx##_read(v);					\
									\
	do {								\
		if (old == u)						\
			return 0;					\
	} while (!pfx##_try_cmpxchg(v, &old, old + a));			\
	return 1;							\
}									\
static __always_inline bool pfx##_inc_not_zero(type *v)			\
{									\
	return pfx##_add_unless(v, 1, 0);				\
}

#define HS_ATOMIC_OP(pfx, type, ctype, op, exop)			\
static __always_inline void pfx##_##op(ctype i, type *v)		\
{									\
	HS_RMW_VOID(&v->counter, op, exop, i);				\
}									\
static __always_inline ctype pfx##_##op##_return(ctype i, type *v)	\
{									\
	return HS_RMW(__ATOMIC_SEQ_CST, __atomic_##op##_fetch(&v->counter,\
					i, __ATOMIC_SEQ_CST));		\
}									\
static __always_inline ctype pfx##_fetch_##op(ctype i, type *v)		\
{									\
	return HS_RMW(__ATOMIC_SEQ_CST, __atomic_fetch_##op(&v->counter,\
					i, __ATOMIC_SEQ_CST));		\
}

#define HS_ATOMIC_LOGIC(pfx, type, ctype, op, builtin, exop, val)	\
static __always_inline void pfx##_##op(ctype i, type *v)		\
{									\
	HS_RMW_VOID(&v->counter, builtin, exop, (val));			\
}									\
static __always_inline ctype pfx##_fetch_##op(ctype i, type *v)		\
{									\
	return HS_RMW(__ATOMIC_SEQ_CST, __atomic_fetch_##builtin(	\
			&v->counter, (val), __ATOMIC_SEQ_CST));		\
}

HS_ATOMIC(atomic, atomic_t, int)
HS_ATOMIC(atomic_long, atomic_long_t, long)
HS_ATOMIC(atomic64, atomic64_t, long)

#define xchg(p, v) \
	HS_RMW(__ATOMIC_SEQ_CST, __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST))
#define cmpxchg(p, o, n) ({						\
	typeof(*(p)) __o = (o);						\
	HS_RMW(__ATOMIC_SEQ_CST, __atomic_compare_exchange_n((p), &__o, (n), \
			0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));	\
	__o;								\
})
#define try_cmpxchg(p, po, n) \
	HS_RMW(__ATOMIC_SEQ_CST, __atomic_compare_exchange_n((p), (po), (n), \
			0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
#define cmpxchg_relaxed(p, o, n) ({					\
	typeof(*(p)) __o = (o);						\
	HS_RMW(__ATOMIC_RELAXED, __atomic_compare_exchange_n((p), &__o, (n), \
			0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));	\
	__o;								\
})

#endif
