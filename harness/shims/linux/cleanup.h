/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_CLEANUP_H
#define SHIM_CLEANUP_H

#include <linux/compiler.h>

#define __cleanup(f)	__attribute__((cleanup(f)))

/* Guards: a class is a type, a constructor and a destructor. */
#define HS_DEFINE_GUARD(name, lock_t, lock_expr, unlock_expr)		\
typedef struct { lock_t *lock; unsigned long flags; } class_##name##_t;	\
static inline class_##name##_t class_##name##_ctor(lock_t *l)		\
{									\
	class_##name##_t _t = { .lock = l, .flags = 0 }, *_T = &_t;	\
									\
	lock_expr;							\
	return _t;							\
}									\
static inline void class_##name##_dtor(class_##name##_t *_T)		\
{									\
	unlock_expr;							\
}

#define HS_GUARD(name, var) \
	class_##name##_t var __cleanup(class_##name##_dtor)		\
	__attribute__((unused)) = class_##name##_ctor
#define guard(name)	HS_GUARD(name, __UNIQUE_ID(guard))


#define scoped_guard(name, args...)					\
	for (HS_GUARD(name, scope)(args), *__done = NULL; !__done;	\
	     __done = (void *)8)

#define DEFINE_FREE(name, type, free)					\
	static inline void __free_##name(void *p)			\
	{								\
		type _T = *(type *)p;					\
									\
		free;							\
	}
#define __free(name)	__cleanup(__free_##name)
#define no_free_ptr(p) ({						\
	__auto_type __p = (p);						\
									\
	(p) = NULL;							\
	__p;								\
})
#define return_ptr(p)	return no_free_ptr(p)

#endif
