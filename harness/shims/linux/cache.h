/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_CACHE_H
#define SHIM_CACHE_H

#include <linux/compiler.h>

#define L1_CACHE_SHIFT	6
#define L1_CACHE_BYTES	64
#define SMP_CACHE_BYTES	64
#define ____cacheline_aligned		__attribute__((aligned(64)))
#define ____cacheline_aligned_in_smp	__attribute__((aligned(64)))
#define __cacheline_aligned_in_smp	__attribute__((aligned(64)))
#define L1_CACHE_ALIGN(x)	(((x) + 63) & ~63UL)

#endif
