// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixture of keys.t: branch sites as include/linux/jump_label.h and
 * arch/.../include/asm/jump_label.h of x86 and arm64 make them.
 */
typedef _Bool bool;
struct static_key { int enabled; void *entries; };
extern struct static_key our_key, other_key, third_key;
extern int cond(int), many(int), flat(int), numa(int), tail(int), last(int);

#if defined(__x86_64__)
#if defined(HACK)		/* CONFIG_HAVE_JUMP_LABEL_HACK */
#define NOP "jmp %l2\n"
#define PLUS " + 2"
#else
#define NOP ".byte 0x0f,0x1f,0x44,0x00,0x00\n"
#define PLUS ""
#endif
#define JUMP "jmp %l2\n"
#define ENTRY ".pushsection __jump_table, \"aw\"\n.balign 8\n"	\
	".long 1b - ., %l2 - .\n.quad %c0 + %c1"
#define END " - .\n.popsection"
#else
#define NOP "nop\n"
#define JUMP "b %l2\n"
#define PLUS ""
#define ENTRY ".pushsection __jump_table, \"aw\"\n.align 3\n"	\
	".long 1b - ., %l2 - .\n.quad %c0 + %c1"
#define END " - .\n.popsection"
#endif

static inline __attribute__((always_inline))
bool nop_site(struct static_key *const key, const bool branch)
{
	asm goto("1: " NOP ENTRY PLUS END : : "i" (key), "i" (branch) : : yes);
	return 0;
yes:
	return 1;
}

static inline __attribute__((always_inline))
bool jump_site(struct static_key *const key, const bool branch)
{
	asm goto("1: " JUMP ENTRY END : : "i" (key), "i" (branch) : : yes);
	return 0;
yes:
	return 1;
}

/* the four forms of jump_label.h */
#define unlikely_false(key) nop_site(key, 0)
#define likely_false(key) (!jump_site(key, 1))
#define likely_true(key) (!nop_site(key, 1))
#define unlikely_true(key) jump_site(key, 0)

/* the patched call */
int get(int x)
{
	x = cond(x);
#if defined(GAINED)
	if (unlikely_false(&our_key))
		x = numa(x);
	else
#elif defined(GAINED_LIKELY)
	if (!jump_site(&our_key, 1)) {
		x = numa(x);
	} else
#elif defined(WRONG_KEY)
	if (unlikely_false(&third_key))
		x = numa(x);
	else
#elif defined(WRONG_WAY)
	if (!unlikely_false(&our_key))
		x = numa(x);
	else
#elif defined(DEFAULT_ON)
	if (unlikely_true(&our_key))
		x = numa(x);
	else
#elif defined(CODE_BEFORE)
	x ^= 3;
	if (unlikely_false(&our_key))
		x = numa(x);
	else
#endif
		x = flat(x);
	return tail(x) + 1;
}

int moves(int x)
{
	int i;

	for (i = 0; i < x; i++)
		x += many(x) + cond(i);
	return x;
}

/* somebody else's key */
int other(int x)
{
#if defined(OTHER_DROPPED)
	if (0)
#elif defined(OTHER_TURNED)
	if (!unlikely_false(&other_key))
#elif defined(OTHER_ON)
	if (unlikely_true(&other_key))
#elif defined(OTHER_CHANGED)
	if (unlikely_false(&third_key))
#else
	if (unlikely_false(&other_key))
#endif
		return last(many(x) + 2) + 4;
#if defined(OTHER_TARGET)
	return last(x) * 2 + 5;
#else
	return last(x) * 2 + 4;
#endif
}

/* a body that is reached through the site only */
int behind(int x)
{
	if (unlikely_false(&other_key)) {
#if defined(BEHIND)
		x = many(x) + 8;
#else
		x = many(x) + 7;
#endif
	}
	return last(x) + 1;
}
#if defined(NEW_FUNCTION)
int brand_new(int x)
{
	return unlikely_false(&our_key) ? many(x) : last(x) * 3;
}
#endif
