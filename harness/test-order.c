// SPDX-License-Identifier: GPL-2.0-only
/*
 * The orders that the shims' primitives really have: order-prims.c is compiled
 * with -fsanitize=thread, the entry points of that are here and write down
 * what comes. Compared with the table in shims/ORDER.md.
 */
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shims/hs.h"

struct prim {
	const char *name;
	void (*fn)(void);
};

extern const struct prim order_prims[];
void order_percpu(unsigned long p);

static char ops[256], orders[256];

static void note(const char *op, int order)
{
	static const char *const names[] = {
		[__ATOMIC_RELAXED] = "relaxed", [__ATOMIC_CONSUME] = "consume",
		[__ATOMIC_ACQUIRE] = "acquire", [__ATOMIC_RELEASE] = "release",
		[__ATOMIC_ACQ_REL] = "acq_rel", [__ATOMIC_SEQ_CST] = "seq_cst",
	};

	if (ops[0]) {
		strcat(ops, ", ");
		strcat(orders, ", ");
	}
	strcat(ops, op);
	strcat(orders, names[order & 0xff]);
}

#define BITS(n, t)							\
t __tsan_atomic##n##_load(const volatile t *p, int mo);			\
t __tsan_atomic##n##_load(const volatile t *p, int mo)			\
{ note("load", mo); return *p; }					\
void __tsan_atomic##n##_store(volatile t *p, t v, int mo);		\
void __tsan_atomic##n##_store(volatile t *p, t v, int mo)		\
{ note("store", mo); *p = v; }						\
RMW(n, t, exchange, v)							\
RMW(n, t, fetch_add, *p + v)						\
RMW(n, t, fetch_sub, *p - v)						\
RMW(n, t, fetch_and, *p & v)						\
RMW(n, t, fetch_or, *p | v)						\
RMW(n, t, fetch_xor, *p ^ v)						\
int __tsan_atomic##n##_compare_exchange_strong(volatile t *p, t *o, t v, \
					       int mo, int f);		\
int __tsan_atomic##n##_compare_exchange_strong(volatile t *p, t *o, t v, \
					       int mo, int f)		\
{									\
	t old = *p;							\
									\
	(void)f;							\
	note("rmw", mo);						\
	if (old == *o) {						\
		*p = v;							\
		return 1;						\
	}								\
	*o = old;							\
	return 0;							\
}									\
t __tsan_atomic##n##_compare_exchange_val(volatile t *p, t o, t v,	\
					  int mo, int f);		\
t __tsan_atomic##n##_compare_exchange_val(volatile t *p, t o, t v,	\
					  int mo, int f)		\
{									\
	__tsan_atomic##n##_compare_exchange_strong(p, &o, v, mo, f);	\
	return o;							\
}

#define RMW(n, t, name, expr)						\
t __tsan_atomic##n##_##name(volatile t *p, t v, int mo);		\
t __tsan_atomic##n##_##name(volatile t *p, t v, int mo)			\
{ t old = *p; note("rmw", mo); *p = expr; return old; }

BITS(8, uint8_t)
BITS(32, uint32_t)
BITS(64, uint64_t)

void __tsan_atomic_thread_fence(int mo);
void __tsan_atomic_thread_fence(int mo)
{
	note("fence", mo);
}

#define NOTHING(f) void f(void *p); void f(void *p) { (void)p; }
NOTHING(__tsan_init)
NOTHING(__tsan_read1)
NOTHING(__tsan_read2)
NOTHING(__tsan_read4)
NOTHING(__tsan_read8)
NOTHING(__tsan_write1)
NOTHING(__tsan_write2)
NOTHING(__tsan_write4)
NOTHING(__tsan_write8)
NOTHING(__tsan_func_entry)
NOTHING(__tsan_func_exit)

int main(int argc, char **argv)
{
	char line[256], name[64], op[64], order[64];
	int n = 0, bad = 0, i, seen[128] = { 0 };
	FILE *f = fopen(argc > 1 ? argv[1] : "harness/shims/ORDER.md", "r");

	if (!f) {
		fprintf(stderr, "test-order: %s: no such table\n",
			argc > 1 ? argv[1] : "harness/shims/ORDER.md");
		return 2;
	}
	hs_topo_set("up");
	order_percpu((unsigned long)hs_alloc(4, 1, -1, HS_PERCPU));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "| %63[A-Za-z_0-9] | %63[a-z, ] | %63[a-z_, ] |",
			   name, op, order) != 3 || !strcmp(name, "primitive"))
			continue;
		op[strcspn(op, "|")] = 0;
		while (op[strlen(op) - 1] == ' ')
			op[strlen(op) - 1] = 0;
		while (order[strlen(order) - 1] == ' ')
			order[strlen(order) - 1] = 0;
		for (i = 0; order_prims[i].name; i++)
			if (!strcmp(order_prims[i].name, name))
				break;
		ops[0] = orders[0] = 0;
		if (order_prims[i].name) {
			seen[i] = 1;
			order_prims[i].fn();
		}
		if (strcmp(ops, op) || strcmp(orders, order)) {
			bad++;
			printf("not ");
		}
		printf("ok %d - %s is %s, %s\n", ++n, name, op, order);
		if (strcmp(ops, op) || strcmp(orders, order))
			printf("# it is: %s, %s\n", ops, orders);
	}
	fclose(f);
	for (i = 0; order_prims[i].name; i++) {
		if (seen[i])
			continue;
		bad++;
		printf("not ok %d - %s has a line in the table\n", ++n,
		       order_prims[i].name);
	}
	printf("1..%d\n", n);
	return bad || n < 30;
}
