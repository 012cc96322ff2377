/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_BITOPS_H
#define SHIM_BITOPS_H

#include <linux/types.h>
#include <linux/atomic.h>

#define BIT(n)		(1UL << (n))
#define BIT_MASK(n)	(1UL << ((n) % BITS_PER_LONG))
#define BIT_WORD(n)	((n) / BITS_PER_LONG)
#define GENMASK(h, l)	((~0UL << (l)) & (~0UL >> (BITS_PER_LONG - 1 - (h))))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define BITS_TO_LONGS(n)	DIV_ROUND_UP(n, BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]
#define BITMAP_FIRST_WORD_MASK(s) (~0UL << ((s) & (BITS_PER_LONG - 1)))
#define BITMAP_LAST_WORD_MASK(n) (~0UL >> (-(n) & (BITS_PER_LONG - 1)))

static __always_inline void set_bit(long nr, volatile unsigned long *addr)
{
	HS_RMW_VOID(addr + BIT_WORD(nr), or, OR, BIT_MASK(nr));
}

static __always_inline void clear_bit(long nr, volatile unsigned long *addr)
{
	HS_RMW_VOID(addr + BIT_WORD(nr), and, AND, ~BIT_MASK(nr));
}

static __always_inline void clear_bit_unlock(long nr,
					     volatile unsigned long *addr)
{
	(void)HS_RMW(__ATOMIC_RELEASE, __atomic_fetch_and(addr + BIT_WORD(nr),
					~BIT_MASK(nr), __ATOMIC_RELEASE));
}

static __always_inline bool test_and_set_bit(long nr,
					     volatile unsigned long *addr)
{
	return HS_RMW(__ATOMIC_SEQ_CST,
		      __atomic_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr),
					__ATOMIC_SEQ_CST)) & BIT_MASK(nr);
}

static __always_inline bool test_and_clear_bit(long nr,
					       volatile unsigned long *addr)
{
	return HS_RMW(__ATOMIC_SEQ_CST,
		      __atomic_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr),
					 __ATOMIC_SEQ_CST)) & BIT_MASK(nr);
}

static __always_inline bool test_and_set_bit_lock(long nr,
						  volatile unsigned long *addr)
{
	return HS_RMW(__ATOMIC_ACQUIRE,
		      __atomic_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr),
					__ATOMIC_ACQUIRE)) & BIT_MASK(nr);
}

static __always_inline bool test_bit(long nr,
				     const volatile unsigned long *addr)
{
	return READ_ONCE(addr[BIT_WORD(nr)]) >> (nr % BITS_PER_LONG) & 1;
}

static __always_inline bool test_bit_acquire(long nr,
					     const volatile unsigned long *addr)
{
	return smp_load_acquire(&addr[BIT_WORD(nr)]) >> (nr % BITS_PER_LONG) & 1;
}

static __always_inline void __set_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] |= BIT_MASK(nr);
}

static __always_inline void __clear_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] &= ~BIT_MASK(nr);
}

static __always_inline unsigned long __ffs(unsigned long w)
{
	return __builtin_ctzl(w);
}

static __always_inline unsigned long ffz(unsigned long w)
{
	return __builtin_ctzl(~w);
}

static __always_inline unsigned long __fls(unsigned long w)
{
	return BITS_PER_LONG - 1 - __builtin_clzl(w);
}

static __always_inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static __always_inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static __always_inline unsigned int fls_long(unsigned long w)
{
	return fls64(w);
}

static __always_inline int ffs(int x)
{
	return __builtin_ffs(x);
}

static __always_inline unsigned int hweight_long(unsigned long w)
{
	return __builtin_popcountl(w);
}
#define hweight32(w)	((unsigned int)__builtin_popcount(w))
#define hweight64(w)	((unsigned int)__builtin_popcountll(w))

/*
 * Searches read the words with plain loads, as the kernel's lib/find_bit.c
 * does: where a word is written at the same time, that is a race and shows.
 */
static noinline __maybe_unused unsigned long
hs_find(const unsigned long *a, unsigned long inv,
	unsigned long size, unsigned long from)
{
	unsigned long i, w;

	if (from >= size)
		return size;
	i = from / BITS_PER_LONG;
	w = (a[i] ^ inv) & (~0UL << (from % BITS_PER_LONG));
	while (!w) {
		if (++i * BITS_PER_LONG >= size)
			return size;
		w = a[i] ^ inv;
	}
	i = i * BITS_PER_LONG + __ffs(w);
	return i < size ? i : size;
}

static inline unsigned long find_next_bit(const unsigned long *a,
					  unsigned long size, unsigned long from)
{
	return hs_find(a, 0, size, from);
}

static inline unsigned long find_next_zero_bit(const unsigned long *a,
					       unsigned long size,
					       unsigned long from)
{
	return hs_find(a, ~0UL, size, from);
}

static inline unsigned long find_first_bit(const unsigned long *a,
					   unsigned long size)
{
	return hs_find(a, 0, size, 0);
}

static inline unsigned long find_first_zero_bit(const unsigned long *a,
						unsigned long size)
{
	return hs_find(a, ~0UL, size, 0);
}

#define for_each_set_bit(bit, a, size)					\
	for ((bit) = find_first_bit((a), (size)); (bit) < (size);	\
	     (bit) = find_next_bit((a), (size), (bit) + 1))

static inline unsigned int bitmap_weight(const unsigned long *a,
					 unsigned int n)
{
	unsigned int i, w = 0;

	for (i = 0; i < n / BITS_PER_LONG; i++)
		w += hweight_long(a[i]);
	if (n % BITS_PER_LONG)
		w += hweight_long(a[i] & BITMAP_LAST_WORD_MASK(n));
	return w;
}

#endif
