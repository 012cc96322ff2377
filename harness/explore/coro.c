// SPDX-License-Identifier: GPL-2.0-only
/*
 * Coroutines: a switch saves what a call must preserve, nothing else. With
 * -DEX_UCONTEXT, or on a machine other than x86-64, ucontext does it.
 */
#include <stdlib.h>
#include <string.h>

#include "explore-int.h"

#if defined(__x86_64__) && !defined(EX_UCONTEXT)

void ex_coro_jump(void **save, void *sp);
void ex_coro_entry(void);

__asm__(
"	.text\n"
"	.globl ex_coro_jump\n"
"	.type ex_coro_jump, @function\n"
"ex_coro_jump:\n"
"	pushq %rbp\n"
"	pushq %rbx\n"
"	pushq %r12\n"
"	pushq %r13\n"
"	pushq %r14\n"
"	pushq %r15\n"
"	movq %rsp, (%rdi)\n"
"	movq %rsi, %rsp\n"
"	popq %r15\n"
"	popq %r14\n"
"	popq %r13\n"
"	popq %r12\n"
"	popq %rbx\n"
"	popq %rbp\n"
"	ret\n"
"	.size ex_coro_jump, . - ex_coro_jump\n"
"	.globl ex_coro_entry\n"
"	.type ex_coro_entry, @function\n"
"ex_coro_entry:\n"		/* r12: function, r13: argument */
"	movq %r13, %rdi\n"
"	call *%r12\n"
"	ud2\n"
"	.size ex_coro_entry, . - ex_coro_entry\n"
);

void ex_coro_init(struct ex_coro *co, char *stack, size_t size,
		  void (*fn)(void *arg), void *arg)
{
	uintptr_t *sp = (uintptr_t *)(stack + size);

	*--sp = 0;
	*--sp = 0;
	*--sp = (uintptr_t)ex_coro_entry;
	*--sp = 0;			/* rbp */
	*--sp = 0;			/* rbx */
	*--sp = (uintptr_t)fn;		/* r12 */
	*--sp = (uintptr_t)arg;		/* r13 */
	*--sp = 0;			/* r14 */
	*--sp = 0;			/* r15 */
	co->sp = sp;
	co->stack = stack;
	co->size = size;
}

void ex_coro_switch(struct ex_coro *from, struct ex_coro *to)
{
	ex_coro_jump(&from->sp, to->sp);
}

#else

#include <ucontext.h>

static void entry(unsigned int hi, unsigned int lo)
{
	struct ex_coro *co = (void *)((uintptr_t)hi << 32 | lo);

	co->fn(co->arg);
	abort();
}

static ucontext_t *context(struct ex_coro *co)
{
	if (!co->sp)
		co->sp = calloc(1, sizeof(ucontext_t));
	if (!co->sp)
		abort();
	return co->sp;
}

void ex_coro_init(struct ex_coro *co, char *stack, size_t size,
		  void (*fn)(void *arg), void *arg)
{
	ucontext_t *uc = context(co);

	co->stack = stack;
	co->size = size;
	co->fn = fn;
	co->arg = arg;
	getcontext(uc);
	uc->uc_stack.ss_sp = stack;
	uc->uc_stack.ss_size = size;
	uc->uc_link = NULL;
	makecontext(uc, (void (*)(void))entry, 2,
		    (unsigned int)((uintptr_t)co >> 32),
		    (unsigned int)(uintptr_t)co);
}

void ex_coro_switch(struct ex_coro *from, struct ex_coro *to)
{
	swapcontext(context(from), context(to));
}

#endif
