/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_OVERFLOW_H
#define SHIM_OVERFLOW_H

#include <linux/types.h>

static __always_inline size_t size_mul(size_t a, size_t b)
{
	size_t r;

	return __builtin_mul_overflow(a, b, &r) ? ~(size_t)0 : r;
}

static __always_inline size_t size_add(size_t a, size_t b)
{
	size_t r;

	return __builtin_add_overflow(a, b, &r) ? ~(size_t)0 : r;
}

#define array_size(a, b)	size_mul(a, b)
#define flex_array_size(p, m, n) size_mul(n, sizeof(*(p)->m))
#define struct_size(p, m, n)	size_add(sizeof(*(p)), flex_array_size(p, m, n))
#define struct_size_t(t, m, n)	struct_size((t *)NULL, m, n)
#define check_add_overflow(a, b, d)	__builtin_add_overflow(a, b, d)
#define check_mul_overflow(a, b, d)	__builtin_mul_overflow(a, b, d)

#endif
