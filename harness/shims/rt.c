// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's half of the shims: memory with a ledger, reports, text, random
 * numbers, the current context.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hs.h"
#ifdef HS_EXPLORE
#include "explore/explore-prims.h"
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HS_ASAN 1
#endif
#endif
#ifdef HS_ASAN
#include <sanitizer/asan_interface.h>
#endif


#ifndef HS_EXPLORE
__thread struct hs_ctx *hs_ctx_cur;

static struct hs_ctx boot_ctx;
static struct task_struct boot_task;

/* A thread that was given no context runs as CPU 0. */
static __attribute__((constructor)) void boot(void)
{
	boot_ctx.task = &boot_task;
	boot_ctx.id = 1;
	hs_ctx_cur = &boot_ctx;
}
#endif

struct hs_sched hs_sched;
int hs_bug_abort;

/* ---- reports ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long nr_bugs, nr_warns;
static char bug_text[256];

/**
 * hs_bug() - a shim saw the code under test do something wrong
 * @kind: what sort of thing
 * @fmt: one line
 */
void hs_bug(enum hs_bug_kind kind, const char *fmt, ...)
{
	char text[sizeof(bug_text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&lock);
	if (!nr_bugs++)
		memcpy(bug_text, text, sizeof(text));
	pthread_mutex_unlock(&lock);
	if (hs_bug_abort) {
		fprintf(stderr, "hs_bug(%d): %s\n", kind, text);
		abort();
	}
}

/** hs_bugs() - reports since hs_bug_clear(). */
unsigned long hs_bugs(void)
{
	return __atomic_load_n(&nr_bugs, __ATOMIC_RELAXED);
}

/** hs_bug_text() - the first report since hs_bug_clear(). */
const char *hs_bug_text(void)
{
	return bug_text;
}

/** hs_bug_clear() - forget the reports. */
void hs_bug_clear(void)
{
	nr_bugs = 0;
	bug_text[0] = 0;
}

/** hs_warn() - WARN_ON() hit. */
void hs_warn(const char *cond, const char *file, int line)
{
	(void)cond;
	(void)file;
	(void)line;
	__atomic_fetch_add(&nr_warns, 1, __ATOMIC_RELAXED);
}

/** hs_warns() - how often since hs_warn_clear(). */
unsigned long hs_warns(void)
{
	return __atomic_load_n(&nr_warns, __ATOMIC_RELAXED);
}

/** hs_warn_clear() - forget the warnings. */
void hs_warn_clear(void)
{
	__atomic_store_n(&nr_warns, 0, __ATOMIC_RELAXED);
}

/** hs_count_wakeup() - a wakeup found @t asleep. */
void hs_count_wakeup(struct task_struct *t)
{
	__atomic_fetch_add(&t->wakeups, 1, __ATOMIC_RELAXED);
}

/** hs_random() - 32 bits of the current context's own generator. */
unsigned int hs_random(void)
{
	struct hs_ctx *c = hs_this();
	unsigned long z = c->rng += 0x9e3779b97f4a7c15UL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
	return (z ^ (z >> 31)) >> 32;
}

/* ---- memory ---- */

struct entry {
	struct entry *next;
	struct hs_alloc a;
	void *mem;
	unsigned long room;
};

#define BUCKETS 1024
static struct entry *table[BUCKETS];
static unsigned long nr_live, nr_allocs, fail_at;
static int has_failed;

#ifdef HS_EXPLORE
/* At the same addresses in every schedule, watched by the explorer. */
static void *mem_get(unsigned long room)
{
	return ex_alloc(room, 128, "kernel memory");
}

static void mem_put(void *mem)
{
	ex_free(mem);
}
#else
static void *mem_get(unsigned long room)
{
	void *mem;

	if (posix_memalign(&mem, 128, room ? room : 1))
		abort();
	return mem;
}

static void mem_put(void *mem)
{
	free(mem);
}
#endif

static struct entry **bucket(unsigned long addr)
{
	return &table[(addr >> 6) % BUCKETS];
}

/**
 * hs_fail_nth() - let an allocation fail
 * @n: the n-th from now (1 is the next), 0 for none
 */
void hs_fail_nth(unsigned long n)
{
	fail_at = n ? nr_allocs + n : 0;
	has_failed = 0;
}

/** hs_failed() - has the allocation that hs_fail_nth() chose come? */
int hs_failed(void)
{
	return has_failed;
}

/** hs_live() - number of objects that are allocated and not freed. */
unsigned long hs_live(void)
{
	return nr_live;
}

/** hs_allocs() - number of allocations tried so far. */
unsigned long hs_allocs(void)
{
	return nr_allocs;
}

/**
 * hs_alloc() - every allocator of the shims
 * @size: bytes, per CPU for HS_PERCPU
 * @flags: gfp flags; __GFP_ZERO and __GFP_THISNODE have an effect
 * @node: node asked for, or -1
 * @kind: which allocator, so that the matching free is used
 *
 * Return: the object, for HS_PERCPU a pointer for per_cpu_ptr() only; NULL if
 * this is the call that is to fail or the node cannot be.
 */
void *hs_alloc(unsigned long size, unsigned int flags, int node,
	       enum hs_kind kind)
{
	unsigned long room = size, i;
	struct entry *e = NULL;
	int got;

	pthread_mutex_lock(&lock);
	nr_allocs++;
	if (fail_at && nr_allocs == fail_at) {
		has_failed = 1;
		goto out;
	}
	if (node < -1 || node >= (int)hs_topo.nr_nodes ||
	    (node >= 0 && !(hs_topo.possible >> node & 1))) {
		pthread_mutex_unlock(&lock);
		hs_bug(HS_BUG_MEM, "memory asked for on node %d of %u", node,
		       hs_topo.nr_nodes);
		return NULL;
	}
	got = hs_node_mem(node);
	if ((flags & 0x800) && got != node)	/* __GFP_THISNODE */
		goto out;
	if (kind == HS_PERCPU) {
		if (size > HS_PCPU_STRIDE) {
			fprintf(stderr, "shims: per-CPU object of %lu bytes, raise HS_PCPU_STRIDE\n",
				size);
			abort();
		}
		room = hs_topo.nr_cpus * (unsigned long)HS_PCPU_STRIDE;
	}
	e = calloc(1, sizeof(*e));
	if (!e)
		abort();
	e->mem = mem_get(room);
	if ((flags & 0x100) || kind == HS_PERCPU)	/* __GFP_ZERO */
		memset(e->mem, 0, room);
	else
		memset(e->mem, 0xa5, room);
	e->room = room;
	e->a.addr = (unsigned long)e->mem;
	if (kind == HS_PERCPU) {
		e->a.addr += HS_PCPU_BIAS;
#ifdef HS_ASAN
		for (i = 0; i < hs_topo.nr_cpus; i++)
			ASAN_POISON_MEMORY_REGION((char *)e->mem +
				i * HS_PCPU_STRIDE + size, HS_PCPU_STRIDE - size);
#endif
	}
	(void)i;
	e->a.size = size;
	e->a.node = node;
	e->a.got = got;
	e->a.flags = flags;
	e->a.kind = kind;
	e->a.serial = nr_allocs;
	e->next = *bucket(e->a.addr);
	*bucket(e->a.addr) = e;
	nr_live++;
out:
	pthread_mutex_unlock(&lock);
	return e ? (void *)e->a.addr : NULL;
}

/**
 * hs_free() - every free of the shims
 * @p: the object, NULL is fine
 * @kind: which function; kvfree() may free what kmalloc() gave
 */
void hs_free(const void *p, enum hs_kind kind)
{
	unsigned long addr = (unsigned long)p;
	struct entry **pp, *e;

	if (!p)
		return;
	pthread_mutex_lock(&lock);
	for (pp = bucket(addr); (e = *pp); pp = &e->next)
		if (e->a.addr == addr)
			break;
	if (e) {
		*pp = e->next;
		nr_live--;
	}
	pthread_mutex_unlock(&lock);
	if (!e) {
		hs_bug(HS_BUG_MEM, "free of %p: not an allocation that is live", p);
		return;
	}
	if (kind != e->a.kind &&
	    !(kind == HS_KVMALLOC && e->a.kind == HS_KMALLOC))
		hs_bug(HS_BUG_MEM, "free of %p: wrong function for its kind", p);
#ifdef HS_ASAN
	ASAN_UNPOISON_MEMORY_REGION(e->mem, e->room);
#endif
	memset(e->mem, 0x6b, e->room);
	mem_put(e->mem);
	free(e);
}

/** hs_mem_forget() - empty the ledger: the memory itself is gone already. */
void hs_mem_forget(void)
{
	struct entry *e;
	unsigned int i;

	for (i = 0; i < BUCKETS; i++) {
		while ((e = table[i])) {
			table[i] = e->next;
			free(e);
		}
	}
	nr_live = 0;
	nr_allocs = 0;
	fail_at = 0;
}

/**
 * hs_find_alloc() - which live object holds an address
 * @addr: the address, or a per-CPU pointer
 * @out: filled if found
 *
 * Return: 1 if found.
 */
int hs_find_alloc(unsigned long addr, struct hs_alloc *out)
{
	struct entry *e;
	unsigned int i;
	int found = 0;

	pthread_mutex_lock(&lock);
	for (i = 0; i < BUCKETS && !found; i++) {
		for (e = table[i]; e; e = e->next) {
			unsigned long mem = (unsigned long)e->mem;

			if ((addr >= mem && addr < mem + e->room) ||
			    addr == e->a.addr) {
				*out = e->a;
				found = 1;
				break;
			}
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/**
 * hs_nth_live() - walk the live objects in the order of allocation
 * @n: 0 for the oldest
 * @out: filled if there is one
 *
 * Return: 1 if there is one.
 */
int hs_nth_live(unsigned long n, struct hs_alloc *out)
{
	unsigned long after = 0;
	struct entry *e, *best;
	unsigned int i;

	pthread_mutex_lock(&lock);
	do {
		best = NULL;
		for (i = 0; i < BUCKETS; i++)
			for (e = table[i]; e; e = e->next)
				if (e->a.serial > after &&
				    (!best || e->a.serial < best->a.serial))
					best = e;
		if (best)
			after = best->a.serial;
	} while (best && n--);
	if (best)
		*out = best->a;
	pthread_mutex_unlock(&lock);
	return !!best;
}

/* ---- text ---- */

static void room(struct hs_text *t, unsigned long more)
{
	if (t->len + more + 1 <= t->cap)
		return;
	t->cap = (t->len + more + 1) * 2;
	t->buf = realloc(t->buf, t->cap);
	if (!t->buf)
		abort();
}

/** hs_text_add() - append as printf() would. */
void hs_text_add(struct hs_text *t, const char *fmt, ...)
{
	char tmp[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(tmp, sizeof(tmp), fmt, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof(tmp))
		abort();
	room(t, n);
	memcpy(t->buf + t->len, tmp, n + 1);
	t->len += n;
}

/** hs_text_char() - append one character. */
void hs_text_char(struct hs_text *t, char c)
{
	room(t, 1);
	t->buf[t->len++] = c;
	t->buf[t->len] = 0;
}

/** hs_text_free() - give the buffer back. */
void hs_text_free(struct hs_text *t)
{
	free(t->buf);
	memset(t, 0, sizeof(*t));
}
