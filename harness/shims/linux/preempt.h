/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_PREEMPT_H
#define SHIM_PREEMPT_H

#include <linux/types.h>

#ifdef HS_EXPLORE
void hs_preempt(int by);
void hs_irq(int by);
void hs_soft(int by);
void hs_raw(int by);
#else
static __always_inline void hs_preempt(int by) { hs_this()->preempt += by; }
static __always_inline void hs_irq(int by) { hs_this()->irqoff += by; }
static __always_inline void hs_soft(int by) { hs_this()->soft += by; }
static __always_inline void hs_raw(int by) { hs_this()->raw += by; }
#endif

#define preempt_disable()	hs_preempt(1)
#define preempt_enable()	hs_preempt(-1)
#define migrate_disable()	do { } while (0)
#define migrate_enable()	do { } while (0)
#define local_irq_save(f)	do { (f) = 0; hs_irq(1); } while (0)
#define local_irq_restore(f)	do { (void)(f); hs_irq(-1); } while (0)
#define local_irq_disable()	hs_irq(1)
#define local_irq_enable()	hs_irq(-1)

#endif
