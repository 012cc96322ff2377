/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_BUG_H
#define SHIM_BUG_H

#include <linux/types.h>

#define WARN_ON(c) ({							\
	bool __w = !!(c);						\
	if (unlikely(__w))						\
		hs_warn(#c, __FILE__, __LINE__);			\
	__w;								\
})
/* Every time, not once: a test may look more than once. */
#define WARN_ON_ONCE(c)		WARN_ON(c)
#define WARN(c, ...)		WARN_ON(c)
#define WARN_ONCE(c, ...)	WARN_ON(c)
#define VM_WARN_ON_ONCE(c)	WARN_ON(c)
#define BUG()		hs_bug(HS_BUG_BUG, "BUG at %s:%d", __FILE__, __LINE__)
#define BUG_ON(c)	do { if (unlikely(c)) BUG(); } while (0)

#endif
