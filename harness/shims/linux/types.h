/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_TYPES_H
#define SHIM_TYPES_H

#include <linux/compiler.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef unsigned int gfp_t;
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef unsigned long uintptr_t;
typedef _Bool bool;
#define true	1
#define false	0
#ifndef NULL
#define NULL	((void *)0)
#endif
#define offsetof(t, m)	__builtin_offsetof(t, m)
#define sizeof_field(t, m) sizeof(((t *)0)->m)
#define offsetofend(t, m) (offsetof(t, m) + sizeof_field(t, m))

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;
typedef struct { long counter; } atomic64_t;
#define ATOMIC_INIT(i)	{ (i) }
#define ATOMIC_LONG_INIT(i) { (i) }

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

#define BITS_PER_LONG	64
#define BITS_PER_BYTE	8
#define UINT_MAX	(~0U)
#define INT_MAX		((int)(~0U >> 1))
#define ULONG_MAX	(~0UL)
#define U32_MAX		(~0U)
#define U16_MAX		((u16)~0U)
#define U8_MAX		((u8)~0U)

#define ENOENT	2
#define ENOMEM	12
#define EBUSY	16
#define EINVAL	22
#define EOPNOTSUPP 95

#endif
