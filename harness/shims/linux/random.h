/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_RANDOM_H
#define SHIM_RANDOM_H

#include <linux/types.h>

static inline u32 get_random_u32(void)
{
	return hs_random();
}

static inline u32 get_random_u32_below(u32 ceil)
{
	return ((u64)hs_random() * ceil) >> 32;
}

#define get_random_u32_inclusive(lo, hi) \
	((lo) + get_random_u32_below((hi) - (lo) + 1))

#endif
