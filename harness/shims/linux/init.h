/* SPDX-License-Identifier: GPL-2.0-only */
/* Initcalls are collected; the adapter's boot() runs them. */
#ifndef SHIM_INIT_H
#define SHIM_INIT_H

#include <linux/types.h>

typedef int (*hs_initcall_t)(void);

#define HS_INITCALL(fn) \
	static hs_initcall_t __PASTE(hs_initcall_, fn)			\
		__attribute__((section("hs_initcalls"), used)) = fn
#define early_initcall(fn)	HS_INITCALL(fn)
#define pure_initcall(fn)	HS_INITCALL(fn)
#define core_initcall(fn)	HS_INITCALL(fn)
#define postcore_initcall(fn)	HS_INITCALL(fn)
#define arch_initcall(fn)	HS_INITCALL(fn)
#define subsys_initcall(fn)	HS_INITCALL(fn)
#define device_initcall(fn)	HS_INITCALL(fn)
#define late_initcall(fn)	HS_INITCALL(fn)

#endif
