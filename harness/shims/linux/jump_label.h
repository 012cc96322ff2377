/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A static key is a word that is read relaxed. Every key is listed with its
 * name, so that the host can have it off, on, or switch it while code runs.
 */
#ifndef SHIM_JUMP_LABEL_H
#define SHIM_JUMP_LABEL_H

#include <linux/types.h>

struct static_key {
	int enabled;
};

struct static_key_false {
	struct static_key key;
};

struct static_key_true {
	struct static_key key;
};

struct hs_key {
	const char *name;
	struct static_key *key;
};

#define HS_KEY(n) \
	static struct hs_key __PASTE(hs_key_, n)			\
		__attribute__((section("hs_keys"), used)) = { #n, &n.key }
#define DEFINE_STATIC_KEY_FALSE(n) \
	struct static_key_false n = { { 0 } }; HS_KEY(n)
#define DEFINE_STATIC_KEY_FALSE_RO(n)	DEFINE_STATIC_KEY_FALSE(n)
#define DEFINE_STATIC_KEY_TRUE(n) \
	struct static_key_true n = { { 1 } }; HS_KEY(n)
#define DECLARE_STATIC_KEY_FALSE(n)	extern struct static_key_false n
#define DECLARE_STATIC_KEY_TRUE(n)	extern struct static_key_true n
#define static_key_enabled(k)	(READ_ONCE((k)->key.enabled) != 0)
#define static_branch_unlikely(k)	unlikely(static_key_enabled(k))
#define static_branch_likely(k)		likely(static_key_enabled(k))
#define static_branch_enable(k)		WRITE_ONCE((k)->key.enabled, 1)
#define static_branch_disable(k)	WRITE_ONCE((k)->key.enabled, 0)

#endif
