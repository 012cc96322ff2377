/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One getter swaps ->cleared into ->word under the lock; another looks, without
 * the lock, whether the word is full. A bit is free all the time, so it must
 * not come out as full. The loads of the second one happen in any order that
 * its barriers leave: -DNO_RMB1, -DNO_RMB2; -DNO_LOCK does not look at the lock
 * (fault 16).
 */
bit cleared = 1, word = 1, locked;

active proctype swapper()
{
	locked = 1;			/* acquire */
	cleared = 0;			/* xchg(), fully ordered */
	word = 0;
	locked = 0;			/* release: after the two above */
}

active proctype looker()
{
	bit did_c, did_l, did_w, r_cleared, r_locked, r_word;

#ifdef NO_LOCK
	did_l = 1;
#endif
	do
	:: atomic { !did_c -> r_cleared = cleared; did_c = 1 }
#ifdef NO_RMB1
	:: atomic { !did_l -> r_locked = locked; did_l = 1 }
#else
	:: atomic { did_c && !did_l -> r_locked = locked; did_l = 1 }
#endif
#ifdef NO_RMB2
	:: atomic { !did_w -> r_word = word; did_w = 1 }
#else
	:: atomic { did_c && did_l && !did_w -> r_word = word; did_w = 1 }
#endif
	:: did_c && did_l && did_w -> break
	od;
	assert(!(r_cleared == 0 && r_locked == 0 && r_word == 1))
}
