/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bit is cleared while a task goes to sleep for it. Stores reach memory late
 * and in any order, loads are performed at once; a full barrier waits for all
 * stores of its CPU. Without one of the barriers (-DNO_MB_CLEAR, -DNO_MB_WAIT)
 * the task sleeps for ever: an invalid end state.
 */
bit m_cleared, m_active, m_queued;	/* memory */
bit b_cleared, b_active, b_queued;	/* waits in a store buffer */
bit asleep;				/* task state; its own CPU sees it at once */

#define STORE(v)	b_##v = 1
#define SET(v)		d_step { b_##v -> m_##v = 1; b_##v = 0 }

active proctype memory()
{
end:	do
	:: SET(cleared)
	:: SET(active)
	:: SET(queued)
	od
}

active proctype clearer()
{
	STORE(cleared);
#ifndef NO_MB_CLEAR
	!b_cleared;			/* smp_mb__after_atomic() */
#endif
	if
	:: m_active ->
		if
		:: m_queued -> asleep = 0
		:: else		/* waitqueue_active() is false */
		fi
	:: else
	fi
}

active proctype waiter()
{
	STORE(active);
	STORE(queued);
	asleep = 1;
#ifndef NO_MB_WAIT
	!b_active && !b_queued;		/* set_current_state() */
#endif
	if
	:: m_cleared			/* the last get finds it */
	:: else -> !asleep		/* schedule() */
	fi
}
