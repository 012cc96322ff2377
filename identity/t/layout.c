// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixture of layout.t: what level 1 must follow. -DMOVE puts code in
 * front and a function in between, so that every place and every distance
 * changes; the -DCHANGE_x differ where only a path through a table leads.
 */
extern int ext(int), cond(int), other(int), slow(int);
extern void stop(void) __attribute__((noreturn));
#define str(x) str2(x)
#define str2(x) #x

#ifdef MOVE
int in_front(int x)
{
	return ext(x) * other(x) - slow(x) + ext(x + 3);
}
#endif

/* a jump table in .rodata, where the compiler makes one */
int switches(int x)
{
	switch (x) {
	case 0: return ext(3);
	case 1: return other(7);
	case 2: return slow(x) + 9;
	case 3: return cond(x) - 4;
	case 4: return ext(x) * 3;
	case 5: return other(x) ^ 5;
#ifdef CHANGE_CASE
	case 6: return slow(x) | 17;
#else
	case 6: return slow(x) | 16;
#endif
	case 7: return ext(x) & 99;
	}
	return x;
}

/* a part that is split off */
int cold_part(int x)
{
	if (__builtin_expect(cond(x), 0)) {
		asm volatile("" : : : "memory");
#ifdef CHANGE_COLD
		other(x + 2);
#else
		other(x + 1);
#endif
		slow(x);
	}
	return ext(x) + 1;
}

/* a branch whose distance is near the limit of its short form */
int distance(int x)
{
#if defined(__x86_64__)
	asm goto("test %0, %0\n\tjnz %l1" : : "r" (x) : "cc" : out);
	asm volatile(".rept 20\n\tmov %%r8, %%r9\n\t.endr" : : : "r8", "r9");
#ifdef FAR
	/* off: jumps over what only a key that is on runs */
	asm volatile("1: jmp 2f\n"
		     ".pushsection __jump_table, \"aw\"\n.balign 8\n"
		     ".long 1b - ., 2f - .\n.quad our_key + 1 - .\n.popsection\n"
		     ".rept 60\n\tmov %%r9, %%r8\n\t.endr\n2:"
		     : : : "r8", "r9");
#endif
#endif
out:
	return ext(x) + 2;
}

#ifdef CHANGE_ONLY_WARN
#define ONLY_WARN 12
#else
#define ONLY_WARN 11
#endif
/* a warning goes on, a bug does not; a fixup is reached by its table only */
int tables(int x)
{
#if defined(__x86_64__)
	asm volatile("1: mov (%%rsp), %%r8\n"
		     "2:\n"
		     ".pushsection .text.unlikely, \"ax\"\n"
#ifdef CHANGE_FIXUP
		     "3: mov $2, %%r8\n"
#else
		     "3: mov $1, %%r8\n"
#endif
		     "jmp 2b\n.popsection\n"
		     ".pushsection __ex_table, \"a\"\n.balign 4\n"
		     ".long 1b - ., 3b - ., 3\n.popsection" : : : "r8");
	if (cond(x)) {
		asm volatile("1: ud2\n"
			     ".pushsection __bug_table, \"aw\"\n"
			     ".long 1b - .\n.long %c0 - .\n.long %c1 - .\n"
			     ".word 5\n"
#ifdef CHANGE_FLAGS
			     ".word 0x903\n"
#else
			     ".word 0x901\n"
#endif
			     ".popsection" : : "i" ("format"),
			     "i" ("lib/fixture.c"));
		other(x + ONLY_WARN);
	}
	asm volatile("1: mov $1, %%r9d\n2:\n"
		     ".pushsection .altinstr_replacement, \"ax\"\n"
#ifdef CHANGE_ALTERNATIVE
		     "3: mov $3, %%r9d\n4:\n.popsection\n"
#else
		     "3: mov $2, %%r9d\n4:\n.popsection\n"
#endif
		     ".pushsection .altinstructions, \"a\"\n"
		     ".long 1b - ., 3b - .\n"
#ifdef CHANGE_FEATURE
		     ".long 6\n"
#else
		     ".long 5\n"
#endif
		     ".byte 2b - 1b, 4b - 3b\n.popsection" : : : "r9");
#elif defined(__aarch64__)
	asm volatile("1: ldr x8, [sp]\n2:\n"
		     ".pushsection .fixup, \"ax\"\n"
#ifdef CHANGE_FIXUP
		     "3: mov x8, #2\n"
#else
		     "3: mov x8, #1\n"
#endif
		     "b 2b\n.popsection\n"
		     ".pushsection __ex_table, \"a\"\n.align 2\n"
		     ".long 1b - ., 3b - .\n.short 2, 0\n.popsection"
		     : : : "x8");
	if (cond(x)) {
		asm volatile(".pushsection .rodata.str,\"aMS\",@progbits,1\n"
			     "2: .string \"lib/fixture.c\"\n.popsection\n"
			     ".pushsection __bug_table, \"aw\"\n.align 2\n"
			     ".long 1f - .\n.long 2b - .\n.short 5\n"
#ifdef CHANGE_FLAGS
			     ".short 0x903\n"
#else
			     ".short 0x901\n"
#endif
			     ".align 2\n.popsection\n1: brk 0x800");
		other(x + ONLY_WARN);
	}
	asm volatile("1: mov w9, #1\n2:\n"
		     ".pushsection .altinstructions, \"a\"\n"
		     ".long 1b - ., 3f - .\n"
#ifdef CHANGE_FEATURE
		     ".hword 6\n"
#else
		     ".hword 5\n"
#endif
		     ".byte 2b - 1b, 4f - 3f\n.popsection\n"
		     ".subsection 1\n"
#ifdef CHANGE_ALTERNATIVE
		     "3: mov w9, #3\n4:\n"
#else
		     "3: mov w9, #2\n4:\n"
#endif
		     ".previous" : : : "x9");
#endif
#ifdef CHANGE_AFTER_WARN
	return ext(x) + 6;
#else
	return ext(x) + 5;
#endif
}

int ends(int x)
{
	if (cond(x))
		stop();
	return ext(x);
}

/* gcc for arm64 reaches several of these from one anchor */
static struct { int a, b, c; } state1, state2;
static int count1 = 4, count2 =
#ifdef CHANGE_STATIC
	9;
#else
	8;
#endif
int anchors(int x)
{
	state1.a ^= x;
	state2.a -= x;
	state1.b += x;
	state2.c += count1;
	count1 += x;
	count2 += state1.b;
#ifdef CHANGE_WHICH
	return state2.a + count2;
#else
	return state1.a + count2;
#endif
}

/* the atomics that old disassemblers do not know */
int atomics(int *p)
{
#if defined(__aarch64__)
	asm volatile(".arch_extension lse\n"
#ifdef CHANGE_LSE
		     "ldaddal w1, w2, [%0]" : : "r" (p) : "x1", "x2", "memory");
#else
		     "ldaddal w2, w1, [%0]" : : "r" (p) : "x1", "x2", "memory");
#endif
#else
#ifdef CHANGE_LSE
	asm volatile("lock xadd %%r8d, (%0)" : : "r" (p) : "r8", "memory");
#else
	asm volatile("lock xadd %%r9d, (%0)" : : "r" (p) : "r9", "memory");
#endif
#endif
	return ext(*p);
}
