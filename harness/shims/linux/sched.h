/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_SCHED_H
#define SHIM_SCHED_H

#include <linux/types.h>
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#define TASK_RUNNING		0
#define TASK_INTERRUPTIBLE	1
#define TASK_UNINTERRUPTIBLE	2
#define TASK_NORMAL		3

#ifdef HS_EXPLORE
struct task_struct *hs_current(void);
#define current		hs_current()
#else
#define current		(hs_this()->task)
#endif

#define __set_current_state(s)	WRITE_ONCE(current->__state, (s))
#define set_current_state(s)	smp_store_mb(current->__state, (s))

void schedule(void);
#define io_schedule()	schedule()
int wake_up_process(struct task_struct *t);
int hs_try_to_wake_up(struct task_struct *t, unsigned int mode);
void cpu_relax(void);
#define cond_resched()	do { } while (0)
#define might_sleep()	do { } while (0)

#endif
