/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One copy per simulated CPU, HS_PCPU_STRIDE apart. The pointer that the
 * allocator hands out is not an address: only per_cpu_ptr() makes it one.
 */
#ifndef SHIM_PERCPU_H
#define SHIM_PERCPU_H

#include <linux/types.h>
#include <linux/bug.h>
#include <linux/smp.h>
#include <linux/gfp.h>

static __always_inline unsigned long hs_pcpu(unsigned long p, unsigned int cpu)
{
#ifdef HS_CHECKS
	if (cpu >= hs_topo.nr_cpus) {
		hs_bug(HS_BUG_CPU, "per-CPU data of CPU %u of %u", cpu,
		       hs_topo.nr_cpus);
		cpu = 0;
	}
#endif
	return p - HS_PCPU_BIAS + (unsigned long)cpu * HS_PCPU_STRIDE;
}

#define per_cpu_ptr(p, cpu) \
	((typeof(p))hs_pcpu((unsigned long)(p), (cpu)))
#define raw_cpu_ptr(p)	per_cpu_ptr(p, hs_cpu())
#define this_cpu_ptr(p)	per_cpu_ptr(p, hs_cpu())

/* One instruction on x86, not torn and not seen by KCSAN: marked here. */
#define this_cpu_read(v)	READ_ONCE(*this_cpu_ptr(&(v)))
#define this_cpu_write(v, x)	WRITE_ONCE(*this_cpu_ptr(&(v)), (x))
#define raw_cpu_read(v)		this_cpu_read(v)
#define raw_cpu_write(v, x)	this_cpu_write(v, x)
#define __this_cpu_read(v)	this_cpu_read(v)
#define __this_cpu_write(v, x)	this_cpu_write(v, x)
#define this_cpu_add(v, x) \
	((void)__atomic_fetch_add(this_cpu_ptr(&(v)), (x), __ATOMIC_RELAXED))
#define this_cpu_inc(v)		this_cpu_add(v, 1)
#define this_cpu_inc_return(v) \
	__atomic_add_fetch(this_cpu_ptr(&(v)), 1, __ATOMIC_RELAXED)
#define this_cpu_add_return(v, x) \
	__atomic_add_fetch(this_cpu_ptr(&(v)), (x), __ATOMIC_RELAXED)

#define alloc_percpu_gfp(type, flags) \
	((type __percpu *)hs_alloc(sizeof(type), (flags), -1, HS_PERCPU))
#define alloc_percpu(type)	alloc_percpu_gfp(type, GFP_KERNEL)
#define free_percpu(p)		hs_free((p), HS_PERCPU)

#endif
