/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_SMP_H
#define SHIM_SMP_H

#include <linux/types.h>
#include <linux/preempt.h>
#include <linux/cpumask.h>

#ifdef HS_EXPLORE
int hs_cpu(void);
#else
static __always_inline int hs_cpu(void) { return hs_this()->cpu; }
#endif

#define raw_smp_processor_id()	hs_cpu()
#define smp_processor_id()	hs_cpu()
#define get_cpu()	({ preempt_disable(); hs_cpu(); })
#define put_cpu()	preempt_enable()

#endif
