/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_MATH64_H
#define SHIM_MATH64_H

#include <linux/types.h>

/* The 64-bit dividend is replaced by the quotient, the remainder returned. */
#define do_div(n, d) ({							\
	u32 __d = (d);							\
	u32 __rem = (u64)(n) % __d;					\
									\
	(n) = (u64)(n) / __d;						\
	__rem;								\
})
#define div_u64(n, d)	((u64)(n) / (u32)(d))
#define mul_u32_u32(a, b) ((u64)(a) * (b))

#endif
