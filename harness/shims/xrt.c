// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shims over the explorer's primitives: a context per simulated thread and
 * per interrupt, locks, interrupts, barriers that belong to an atomic. Not
 * instrumented: what is touched here is private to its thread.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hs.h"
#include "explore/explore-prims.h"

#define THREADS 64

struct priv {
	struct hs_ctx ctx;
	int pending_mb;		/* smp_mb__before_atomic(), RMW to come */
	int after_rmw;		/* an RMW that smp_mb__after_atomic() may order */
};

static struct priv privs[2][THREADS + 1];
static struct task_struct tasks[THREADS + 1];

static struct priv *priv_now(void)
{
	return &privs[ex_in_irq()][ex_active() ? ex_thread() + 1 : 0];
}

/** hs_explore_begin() - put the shims' own state back; call in setup(). */
void hs_explore_begin(void)
{
	unsigned int i;

	memset(privs, 0, sizeof(privs));
	memset(tasks, 0, sizeof(tasks));
	for (i = 0; i <= THREADS; i++) {
		privs[0][i].ctx.task = privs[1][i].ctx.task = &tasks[i];
		privs[0][i].ctx.rng = privs[1][i].ctx.rng = i;
		tasks[i].id = i - 1;
	}
	hs_mem_forget();
	hs_bug_clear();
	hs_warn_clear();
	ex_shared(tasks, sizeof(tasks), "task state");
}

/** hs_ctx_now() - of the calling thread or interrupt. */
struct hs_ctx *hs_ctx_now(void)
{
	struct priv *p = priv_now();

	p->ctx.cpu = ex_cpu();
	return &p->ctx;
}

void hs_call(void)
{
	priv_now()->ctx.calls++;
}

int hs_cpu(void);
int hs_cpu(void)
{
	return ex_cpu();
}

struct task_struct *hs_current(void);
struct task_struct *hs_current(void)
{
	return hs_ctx_now()->task;
}

void hs_preempt(int by);
void hs_preempt(int by)
{
	hs_ctx_now()->preempt += by;
}

static void irqs(int by)
{
	if (by > 0)
		ex_irq_disable();
	else
		ex_irq_enable();
}

void hs_irq(int by);
void hs_irq(int by)
{
	hs_ctx_now()->irqoff += by;
	irqs(by);
}

void hs_soft(int by);
void hs_soft(int by)
{
	hs_ctx_now()->soft += by;
	irqs(by);
}

void hs_raw(int by);
void hs_raw(int by)
{
	hs_ctx_now()->raw += by;
}

/** hs_atomic_context() - see wait.c */
int hs_atomic_context(int soft_too)
{
	struct hs_ctx *c = hs_ctx_now();

	return c->preempt || c->irqoff || c->raw || (soft_too && c->soft);
}

void hs_lock(unsigned int *owner, const char *what);
void hs_lock(unsigned int *owner, const char *what)
{
	(void)what;
	ex_lock(owner);
}

int hs_trylock(unsigned int *owner);
int hs_trylock(unsigned int *owner)
{
	return ex_trylock(owner);
}

void hs_unlock(unsigned int *owner);
void hs_unlock(unsigned int *owner)
{
	ex_unlock(owner);
}

void cpu_relax(void);
void cpu_relax(void)
{
	ex_yield();
}

/*
 * smp_mb__before_atomic() is nothing until its RMW comes: before a plain store
 * it orders nothing (faults.md, row 20). The same after.
 */
void hs_mb_before_atomic(void);
void hs_mb_before_atomic(void)
{
	priv_now()->pending_mb = 1;
}

void hs_rmw_before(void);
void hs_rmw_before(void)
{
	struct priv *p = priv_now();

	if (p->pending_mb) {
		p->pending_mb = 0;
		ex_fence(__ATOMIC_SEQ_CST);
	}
}

void hs_rmw_after(int order);
void hs_rmw_after(int order)
{
	(void)order;
	priv_now()->after_rmw = 1;
}

void hs_mb_after_atomic(void);
void hs_mb_after_atomic(void)
{
	struct priv *p = priv_now();

	if (p->after_rmw) {
		p->after_rmw = 0;
		ex_fence(__ATOMIC_SEQ_CST);
	}
}
