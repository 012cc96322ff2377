/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP for the explorer's own tests; instrumented like the rest of a test. */
#ifndef HARNESS_EXPLORE_T_H
#define HARNESS_EXPLORE_T_H

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"

static int t_n, t_bad;

__attribute__((format(printf, 2, 3), unused))
static bool ok(bool cond, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", cond ? "" : "not ", ++t_n);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	if (!cond)
		t_bad++;
	return cond;
}

__attribute__((unused))
static int done_testing(void)
{
	printf("1..%d\n", t_n);
	return t_bad != 0;
}

#define ONCE(x)		(*(volatile __typeof__(x) *)&(x))

static inline void smp_mb(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void smp_wmb(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void smp_rmb(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

#endif
