/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's compiler.h, compiler_types.h, as far as the files need them. */
#ifndef SHIM_COMPILER_H
#define SHIM_COMPILER_H

#include <hs.h>

#undef inline
#define __always_inline	inline __attribute__((always_inline))
#define noinline	__attribute__((noinline))
#define __maybe_unused	__attribute__((unused))
#define __always_unused	__attribute__((unused))
#define __must_check	__attribute__((warn_unused_result))
#define __cold		__attribute__((cold))
#define __pure		__attribute__((pure))
#define __packed	__attribute__((packed))
#define __aligned(x)	__attribute__((aligned(x)))
#define __printf(a, b)	__attribute__((format(printf, a, b)))
#define __section(s)	__attribute__((section(s)))
#define __used		__attribute__((used))
#define __counted_by(m)
#define __user
#define __percpu
#define __rcu
#define __force
#define __iomem
#define __init
#define __initdata
#define __exit
#define __ro_after_init
#define __read_mostly
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __guarded_by(x)
#define __context_unsafe(x)
#define __attribute_const__	__attribute__((const))
#define __no_kcsan
#define fallthrough	__attribute__((fallthrough))
#define auto		__auto_type

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define barrier()	__asm__ __volatile__("" ::: "memory")
#define unreachable()	__builtin_unreachable()

#define __stringify_1(x...)	#x
#define __stringify(x...)	__stringify_1(x)
#define ___PASTE(a, b)	a##b
#define __PASTE(a, b)	___PASTE(a, b)
#define __UNIQUE_ID(p)	__PASTE(__PASTE(uid_, p), __COUNTER__)

#define __same_type(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define is_signed_type(t) ((t)-1 < (t)1)
#define is_unsigned_type(t) (!is_signed_type(t))
#define statically_true(x) (__builtin_constant_p(x) && (x))
#define __is_constexpr(x) __builtin_constant_p(x)
#define compiletime_assert(cond, msg) \
	do { if (!(cond)) __builtin_trap(); } while (0)
#define __BUILD_BUG_ON_ZERO_MSG(e, msg, ...) \
	((int)sizeof(struct { int: (-!!(e)); }))
#define __must_be_array(a) __BUILD_BUG_ON_ZERO_MSG(__same_type((a), &(a)[0]), "")

#define IS_ENABLED(x)	0

/* Marked accesses. Ordering: shims/ORDER.md */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) \
	do { __atomic_store_n(&(x), (v), __ATOMIC_RELAXED); } while (0)

#if defined(__SANITIZE_THREAD__) && !defined(HS_EXPLORE)
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
/* An intended race: what KCSAN is told, tell TSan. */
#define data_race(expr) ({						\
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);			\
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);			\
	__auto_type __dr = (expr);					\
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);			\
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);			\
	__dr;								\
})
#else
#define data_race(expr)	({ __auto_type __dr = (expr); __dr; })
#endif
#define ASSERT_EXCLUSIVE_WRITER(x)	do { } while (0)
#define ASSERT_EXCLUSIVE_ACCESS(x)	do { } while (0)
#define __no_sanitize_address
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r" (v) : "0" (v))

#endif
