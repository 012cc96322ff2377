// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixture of masks.t: the structures that hold line numbers, as the
 * kernel's headers make them on each machine. LINE is the line everywhere,
 * the other macros change what must not be masked.
 */
#ifndef LINE
#define LINE 100
#endif
#ifndef FILE_NAME
#define FILE_NAME "lib/fixture.c"
#endif
#ifndef FLAGS
#define FLAGS 0x901
#endif
#ifndef FORMAT
#define FORMAT "format"
#endif
#ifndef SLEEP_ARG
#define SLEEP_ARG LINE
#endif
#ifndef RESCHED_ARG
#define RESCHED_ARG 7
#endif
#define str(x) str2(x)
#define str2(x) #x

extern int cond(int), use(const void *);

/* __bug_table: arch/.../include/asm/bug.h */
int bug(int x)
{
	if (cond(x)) {
#if defined(__powerpc64__) || defined(__s390x__)
		asm volatile("1: nop\n"
			     ".section .rodata.str,\"aMS\",@progbits,1\n"
			     "3: .asciz \"" FILE_NAME "\"\n"
			     "4: .asciz \"" FORMAT "\"\n"
			     ".previous\n"
			     ".section __bug_table,\"aw\"\n"
			     "2: .long 1b - .\n"
#if defined(__s390x__)
			     ".long 4b - .\n"
#endif
			     ".long 3b - .\n"
			     ".short %0, %1\n"
			     ".previous" : : "i" (LINE), "i" (FLAGS));
#elif defined(__aarch64__)
		asm volatile(".pushsection .rodata.str,\"aMS\",@progbits,1\n"
			     "2: .string \"" FILE_NAME "\"\n"
			     ".popsection\n"
			     ".pushsection __bug_table,\"aw\"\n"
			     ".align 2\n"
			     "0: .long 1f - .\n"
			     ".long 2b - .\n"
			     ".short " str(LINE) "\n"
			     ".short " str(FLAGS) "\n"
			     ".align 2\n"
			     ".popsection\n"
			     "1: brk 0x800");
#elif defined(__x86_64__)
		asm volatile("1: ud2\n"
			     ".pushsection __bug_table,\"aw\"\n"
			     "2: .long 1b - .\n"
			     ".long %c0 - .\n"
			     ".long %c1 - .\n"
			     ".word %c2\n.word %c3\n"
			     ".popsection" : : "i" (FORMAT), "i" (FILE_NAME),
			     "i" (LINE), "i" (FLAGS));
#else
		asm volatile("1: ud2\n"
			     ".pushsection __bug_table,\"aw\"\n"
			     "2: .long 1b - .\n"
			     ".long %c0 - .\n"
			     ".word %c1\n.word %c2\n"
			     ".popsection" : : "i" (FILE_NAME), "i" (LINE),
			     "i" (FLAGS));
#endif
	}
	return x;
}

/* include/linux/kernel.h: might_sleep() */
void __might_sleep(const char *file, int line);
void __not_sleep(const char *file, int line);

int sleeps(int x)
{
	__might_sleep("lib/fixture.c", SLEEP_ARG);
	return cond(x);
}

int sleeps_elsewhere(int x)
{
	__not_sleep("lib/fixture.c", RESCHED_ARG);
	return cond(x);
}

/* include/linux/codetag.h, include/linux/alloc_tag.h */
struct codetag {
	unsigned int flags;
	unsigned int lineno;
	const char *modname;
	const char *function;
	const char *filename;
} __attribute__((aligned(8)));
struct alloc_tag {
	struct codetag ct;
	void *counters;
} __attribute__((aligned(8)));
#ifndef TAG_FLAGS
#define TAG_FLAGS 0
#endif
extern int counters[];

int tagged(void)
{
	static struct alloc_tag _alloc_tag __attribute__((used,
			section("alloc_tags"))) = {
		{ TAG_FLAGS, LINE, 0, __func__, FILE_NAME }, counters
	};

	return use(&_alloc_tag);
}

/* not a line of any known structure */
#ifndef PLAIN
#define PLAIN 5
#endif
struct { const char *file; int line, column; } looks_alike = {
	"lib/fixture.c", PLAIN, 1
};
