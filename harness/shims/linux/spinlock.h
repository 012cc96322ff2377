/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * raw_spinlock_t spins everywhere. spinlock_t sleeps on PREEMPT_RT: taking
 * one where that cannot sleep is reported as HS_BUG_CONTEXT.
 * The word holds the owner's CPU + 1, so that an owner who takes it again is
 * reported and does not hang. The functions are in wait.c.
 */
#ifndef SHIM_SPINLOCK_H
#define SHIM_SPINLOCK_H

#include <linux/types.h>
#include <linux/preempt.h>
#include <linux/cleanup.h>
#include <asm/barrier.h>

typedef struct raw_spinlock {
	unsigned int owner;
} raw_spinlock_t;

typedef struct spinlock {
	raw_spinlock_t rlock;
} spinlock_t;

struct lock_class_key { };

#define __RAW_SPIN_LOCK_UNLOCKED(n)	{ 0 }
#define __SPIN_LOCK_UNLOCKED(n)		{ { 0 } }
#define DEFINE_RAW_SPINLOCK(n)	raw_spinlock_t n = __RAW_SPIN_LOCK_UNLOCKED(n)
#define DEFINE_SPINLOCK(n)	spinlock_t n = __SPIN_LOCK_UNLOCKED(n)

void hs_lock(unsigned int *owner, const char *what);
int hs_trylock(unsigned int *owner);
void hs_unlock(unsigned int *owner);
void hs_raw_lock(raw_spinlock_t *l, int irq);
void hs_raw_unlock(raw_spinlock_t *l, int irq);
void hs_spin_lock(spinlock_t *l);
void hs_spin_unlock(spinlock_t *l);

static inline bool hs_raw_is_locked(raw_spinlock_t *l)
{
	return READ_ONCE(l->owner) != 0;
}

#define raw_spin_lock_init(l)	do { (l)->owner = 0; } while (0)
#define raw_spin_is_locked(l)	hs_raw_is_locked(l)
#define raw_spin_lock(l)	hs_raw_lock(l, 0)
#define raw_spin_unlock(l)	hs_raw_unlock(l, 0)
#define raw_spin_lock_irqsave(l, f)	do { (f) = 0; hs_raw_lock(l, 1); } while (0)
#define raw_spin_unlock_irqrestore(l, f) \
	do { (void)(f); hs_raw_unlock(l, 1); } while (0)
#define raw_spin_lock_irq(l)	hs_raw_lock(l, 1)
#define raw_spin_unlock_irq(l)	hs_raw_unlock(l, 1)
bool hs_raw_trylock(raw_spinlock_t *l, int irq);
#define raw_spin_trylock(l)	hs_raw_trylock(l, 0)
#define raw_spin_trylock_irqsave(l, f)	({ (f) = 0; hs_raw_trylock(l, 1); })

#define spin_lock_init(l)	do { (l)->rlock.owner = 0; } while (0)
#define spin_lock(l)		hs_spin_lock(l)
#define spin_unlock(l)		hs_spin_unlock(l)
#define spin_lock_irq(l)	hs_spin_lock(l)
#define spin_unlock_irq(l)	hs_spin_unlock(l)
#define spin_lock_irqsave(l, f)	do { (f) = 0; hs_spin_lock(l); } while (0)
#define spin_unlock_irqrestore(l, f) do { (void)(f); hs_spin_unlock(l); } while (0)

#define lockdep_assert_held(l)	do { (void)(l); } while (0)

HS_DEFINE_GUARD(raw_spinlock, raw_spinlock_t,
		raw_spin_lock(_T->lock), raw_spin_unlock(_T->lock))
HS_DEFINE_GUARD(raw_spinlock_irqsave, raw_spinlock_t,
		raw_spin_lock_irqsave(_T->lock, _T->flags),
		raw_spin_unlock_irqrestore(_T->lock, _T->flags))
HS_DEFINE_GUARD(raw_spinlock_irq, raw_spinlock_t,
		raw_spin_lock_irq(_T->lock), raw_spin_unlock_irq(_T->lock))
HS_DEFINE_GUARD(spinlock, spinlock_t,
		spin_lock(_T->lock), spin_unlock(_T->lock))
HS_DEFINE_GUARD(spinlock_irqsave, spinlock_t,
		spin_lock_irqsave(_T->lock, _T->flags),
		spin_unlock_irqrestore(_T->lock, _T->flags))

#endif
