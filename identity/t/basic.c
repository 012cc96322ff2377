// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixture of one-difference.t: every -DCHANGE_x makes one difference to
 * what is built without, the -DPASS_x none that counts.
 */
#ifdef PASS_LINES



#endif
extern int ext_a(int), ext_b(int);
extern int data[];

#if defined(CHANGE_RODATA)
static const int table[8] = { 3, 1, 4, 1, 5, 9, 2, 7 };
#else
static const int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
#endif

#ifdef PASS_MOVED
int moved(int x)
{
	return x * 77 + ext_b(x);
}
#endif

int first(int x)
{
	return ext_b(x) + data[x & 3];
}

/* one instruction, one operand, one order: told to the assembler */
int instruction(int x)
{
#if defined(__x86_64__)
#if defined(CHANGE_INSN)
	asm volatile("sub $5, %0" : "+r" (x));
#elif defined(CHANGE_IMM)
	asm volatile("add $6, %0" : "+r" (x));
#else
	asm volatile("add $5, %0" : "+r" (x));
#endif
#if defined(CHANGE_REG)
	asm volatile("mov %%r9d, %%r10d" : : : "r8", "r9", "r10");
#else
	asm volatile("mov %%r8d, %%r10d" : : : "r8", "r9", "r10");
#endif
#if defined(CHANGE_ORDER)
	asm volatile("mov $2, %%r9d\n\tmov $1, %%r8d" : : : "r8", "r9");
#else
	asm volatile("mov $1, %%r8d\n\tmov $2, %%r9d" : : : "r8", "r9");
#endif
#if defined(CHANGE_MEM)
	asm volatile("mov 16(%%rsp), %%r8d" : : : "r8");
#else
	asm volatile("mov 8(%%rsp), %%r8d" : : : "r8");
#endif
#elif defined(__aarch64__)
#if defined(CHANGE_INSN)
	asm volatile("sub %w0, %w0, #5" : "+r" (x));
#elif defined(CHANGE_IMM)
	asm volatile("add %w0, %w0, #6" : "+r" (x));
#else
	asm volatile("add %w0, %w0, #5" : "+r" (x));
#endif
#if defined(CHANGE_REG)
	asm volatile("mov w10, w9" : : : "x8", "x9", "x10");
#else
	asm volatile("mov w10, w8" : : : "x8", "x9", "x10");
#endif
#if defined(CHANGE_ORDER)
	asm volatile("mov w9, #2\n\tmov w8, #1" : : : "x8", "x9");
#else
	asm volatile("mov w8, #1\n\tmov w9, #2" : : : "x8", "x9");
#endif
#if defined(CHANGE_MEM)
	asm volatile("ldr w8, [sp, #16]" : : : "x8");
#else
	asm volatile("ldr w8, [sp, #8]" : : : "x8");
#endif
#endif
	return x;
}

int branches(int x)
{
#ifdef CHANGE_POLARITY
#if defined(__x86_64__)
	asm goto("test %0, %0\n\tjz %l1" : : "r" (x) : "cc" : out);
#else
	asm goto("cbz %w0, %l1" : : "r" (x) : : out);
#endif
#else
#if defined(__x86_64__)
	asm goto("test %0, %0\n\tjnz %l1" : : "r" (x) : "cc" : out);
#else
	asm goto("cbnz %w0, %l1" : : "r" (x) : : out);
#endif
#endif
	x = ext_a(x);
out:
	return x + 1;
}

int relocation(int x)
{
#ifdef CHANGE_RELOC
	return ext_b(x) + 1;
#else
	return ext_a(x) + 1;
#endif
}

int addend(int x)
{
#ifdef CHANGE_ADDEND
	return data[5] + x;
#else
	return data[4] + x;
#endif
}

int rodata(int x)
{
	return table[x & 7];
}

const char *strings(void)
{
#ifdef CHANGE_STRING
	return "one string or anotheR";
#else
	return "one string or another";
#endif
}

int local_a(int x);
static __attribute__((noinline)) int callee_a(int x)
{
	return x * 3 + data[x];
}

static __attribute__((noinline)) int callee_b(int x)
{
	return x * 5 + data[x];
}

/* calls that the assembler resolves: no relocation tells */
int resolved(int x)
{
#ifdef CHANGE_RESOLVED
	return callee_b(x + 1) + callee_b(x);
#else
	return callee_b(x + 1) + callee_a(x);
#endif
}

int keeps_both(int x)
{
	return callee_a(x) - callee_b(x);
}

int initialised =
#ifdef CHANGE_DATA
	43;
#else
	42;
#endif

void *pointer =
#ifdef CHANGE_POINTER
	&data[1];
#else
	&data[0];
#endif

#ifndef PASS_MOVED
int moved(int x)
{
	return x * 77 + ext_b(x);
}
#endif

#ifdef CHANGE_SECTION
#define UNLISTED 2
#else
#define UNLISTED 1
#endif
static const int unlisted __attribute__((used, section("some_table"))) = UNLISTED;

#ifdef CHANGE_BINDING
static
#endif
int __attribute__((used)) bound(int x)
{
	return x + 9;
}

#ifdef CHANGE_GONE
#define NAME_GONE other
#else
#define NAME_GONE gone
#endif
int NAME_GONE(int x)
{
	return x - 9;
}
