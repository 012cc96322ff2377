/* SPDX-License-Identifier: GPL-2.0-only */
/* Barriers. Which became which order: shims/ORDER.md */
#ifndef SHIM_BARRIER_H
#define SHIM_BARRIER_H

#include <linux/compiler.h>

#define smp_mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) \
	do { __atomic_store_n((p), (v), __ATOMIC_RELEASE); } while (0)
#define smp_store_mb(x, v) \
	do { WRITE_ONCE(x, v); smp_mb(); } while (0)
#define smp_mb__after_spinlock()	smp_mb()

#ifdef HS_EXPLORE
#include <explore/explore-prims.h>
void hs_mb_before_atomic(void);
void hs_mb_after_atomic(void);
void hs_rmw_before(void);
void hs_rmw_after(int order);
#define smp_mb__before_atomic()	hs_mb_before_atomic()
#define smp_mb__after_atomic()	hs_mb_after_atomic()
#else
#define smp_mb__before_atomic()	smp_mb()
#define smp_mb__after_atomic()	smp_mb()
#define hs_rmw_before()		do { } while (0)
#define hs_rmw_after(order)	do { } while (0)
#endif

#endif
