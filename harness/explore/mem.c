// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which memory is shared: an arena whose addresses are the same in every
 * schedule and every process, and ranges that a test registers.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "explore-int.h"

#define REDZONE		16
#define FREED		0xff

struct object {
	uintptr_t addr;
	uint64_t size;
	const char *name;
	bool freed;
};

struct shared {
	uintptr_t addr;
	uint64_t size;
	const char *name;
	int owner;		/* proc whose stack it is in, or -1 */
};

/* One byte for eight: how many of them are valid, 0 none, FREED */
uint8_t *ex_shadow;
uintptr_t ex_stacks_lo, ex_stacks_len;

static char *arena;
static uint64_t top, mark;
static struct object *objs;
static int nobjs, objs_cap, mark_objs, live, mark_live;
static struct shared *shared;	/* sorted by address */
static int nshared, shared_cap;
static struct shared *keep;	/* those from before ex_run() */
static int nkeep;
static int hit;
static uint64_t end_top;
static int end_shared;

static void *reserve(void *at, size_t size, int flags)
{
	void *p = mmap(at, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags,
		       -1, 0);

	if (p == MAP_FAILED)
		ex_die(1, "cannot map %zu bytes of memory", size);
	return p;
}

void ex_mem_init(void)
{
	if (arena)
		return;
	arena = reserve((void *)EX_ARENA_BASE, EX_ARENA_SIZE,
			MAP_FIXED_NOREPLACE);
	ex_shadow = reserve(NULL, EX_ARENA_SIZE / 8, 0);
	top = 64;
}

char *ex_stacks(int n)
{
	size_t one = EX_STACK + EX_GUARD, want = n * one + EX_GUARD;
	static size_t have;
	char *p;
	int i;

	if (want > have) {
		if (have)
			munmap((void *)ex_stacks_lo, have);
		p = reserve(NULL, want, 0);
		for (i = 0; i <= n; i++)
			mprotect(p + i * one, EX_GUARD, PROT_NONE);
		ex_stacks_lo = (uintptr_t)p;
		ex_stacks_len = have = want;
	}
	return (char *)ex_stacks_lo;
}

/* Whose stack or guard page? -1: nobody's */
int ex_stack_owner(uintptr_t addr)
{
	if (addr - ex_stacks_lo >= ex_stacks_len)
		return -1;
	return (addr - ex_stacks_lo) / (EX_STACK + EX_GUARD);
}

/*
 * What is there now stays for all schedules of this run; but not what the last
 * schedule of the run before it left behind for its caller to look at.
 */
void ex_mem_begin(void)
{
	ex_mem_init();
	if (end_top == top && end_shared == nshared)
		ex_mem_reset();
	mark = top;
	mark_objs = nobjs;
	mark_live = live;
	keep = realloc(keep, (nshared + 1) * sizeof(*keep));
	if (!keep)
		ex_die(1, "out of memory");
	memcpy(keep, shared, nshared * sizeof(*keep));
	nkeep = nshared;
}

void ex_mem_end(void)
{
	end_top = top;
	end_shared = nshared;
}

void ex_mem_reset(void)
{
	memset(ex_shadow + mark / 8, 0, (top - mark) / 8 + 1);
	top = mark;
	nobjs = mark_objs;
	live = mark_live;
	if (nkeep)
		memcpy(shared, keep, nkeep * sizeof(*keep));
	nshared = nkeep;
	hit = 0;
}

static struct object *find_object(uintptr_t addr)
{
	int lo = 0, hi = nobjs;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (objs[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &objs[lo - 1] : NULL;
}

void *ex_alloc(unsigned long size, unsigned long align, const char *name)
{
	uint64_t at, i;

	ex_mem_init();
	if (align < 16)
		align = 16;
	if (align & (align - 1))
		ex_fail("ex_alloc: alignment %lu is no power of two", align);
	at = (top + align - 1) & ~(align - 1);
	if (size > EX_ARENA_SIZE || at + size + 2 * REDZONE > EX_ARENA_SIZE)
		ex_die(1, "the arena of %lu MiB is full",
		       EX_ARENA_SIZE >> 20);
	top = (at + size + REDZONE + 7) & ~7ul;
	memset(ex_shadow + at / 8, 8, size / 8);
	i = size & 7;
	if (i)
		ex_shadow[(at + size) / 8] = i;
	memset(arena + at, 0xa5, size);
	if (nobjs == objs_cap) {
		objs_cap = objs_cap ? 2 * objs_cap : 64;
		objs = realloc(objs, objs_cap * sizeof(*objs));
		if (!objs)
			ex_die(1, "out of memory");
	}
	objs[nobjs++] = (struct object){
		.addr = EX_ARENA_BASE + at, .size = size,
		.name = name ? name : "object",
	};
	live++;
	return arena + at;
}

int ex_alloc_owns(const void *ptr)
{
	return (uintptr_t)ptr - EX_ARENA_BASE < EX_ARENA_SIZE;
}

void ex_free(void *ptr)
{
	struct object *o;

	if (!ptr)
		return;
	o = ex_alloc_owns(ptr) ? find_object((uintptr_t)ptr) : NULL;
	if (!o || o->addr != (uintptr_t)ptr)
		ex_fail("ex_free: %p is not the start of an object", ptr);
	if (ex.cur) {
		struct ex_op op = {
			.kind = EX_FREE, .addr = o->addr, .size = o->size,
			.drain = ex.memory != EX_SC,
			.pc = (uintptr_t)__builtin_return_address(0),
		};

		if (!op.size)
			op.size = 1;
		ex_step(ex.cur, &op);
		o = find_object((uintptr_t)ptr);
	}
	if (o->freed)
		ex_fail("%s is freed twice", o->name);
	o->freed = true;
	live--;
	memset(ex_shadow + (o->addr - EX_ARENA_BASE) / 8, FREED,
	       (o->size + 7) / 8);
}

int ex_alloc_live(void)
{
	return live;
}

static int find_shared(uintptr_t addr)
{
	int lo = 0, hi = nshared;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (shared[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - 1;
}

void ex_shared(const void *ptr, unsigned long size, const char *name)
{
	uintptr_t addr = (uintptr_t)ptr;
	int i, owner = ex_stack_owner(addr);

	ex_mem_init();
	if (!size)
		return;
	i = find_shared(addr);
	if (i >= 0 && shared[i].addr == addr) {
		if (shared[i].size < size)
			shared[i].size = size;
		return;
	}
	if (nshared == shared_cap) {
		shared_cap = shared_cap ? 2 * shared_cap : 64;
		shared = realloc(shared, shared_cap * sizeof(*shared));
		if (!shared)
			ex_die(1, "out of memory");
	}
	memmove(&shared[i + 2], &shared[i + 1],
		(nshared - i - 1) * sizeof(*shared));
	nshared++;
	shared[i + 1] = (struct shared){
		.addr = addr, .size = size, .owner = owner,
		.name = name ? name : "shared",
	};
	if (owner >= 0 && ex.procs && owner < ex.nt + ex.ni)
		ex.procs[owner].stack_shared = true;
}

void ex_unshare(const void *ptr)
{
	int i = find_shared((uintptr_t)ptr);

	if (i < 0 || shared[i].addr != (uintptr_t)ptr)
		return;
	nshared--;
	memmove(&shared[i], &shared[i + 1], (nshared - i) * sizeof(*shared));
	hit = 0;
}

/* Outside the arena */
bool ex_mem_registered(uintptr_t addr, uint32_t size)
{
	int i;

	if (hit < nshared && addr >= shared[hit].addr &&
	    addr + size <= shared[hit].addr + shared[hit].size)
		return true;
	i = find_shared(addr);
	if (i >= 0 && addr < shared[i].addr + shared[i].size) {
		hit = i;
		return true;
	}
	/* An access that begins before a range and reaches into it */
	return i + 1 < nshared && shared[i + 1].addr < addr + size;
}

void ex_mem_name(uintptr_t addr, char *buf, size_t len)
{
	struct object *o;
	int i;

	if (addr - EX_ARENA_BASE < EX_ARENA_SIZE) {
		o = find_object(addr);
		if (o)
			snprintf(buf, len, "%s#%d+%lu", o->name,
				 (int)(o - objs), (unsigned long)(addr - o->addr));
		else
			snprintf(buf, len, "arena+%lu",
				 (unsigned long)(addr - EX_ARENA_BASE));
		return;
	}
	i = find_shared(addr);
	if (i >= 0 && addr < shared[i].addr + shared[i].size) {
		if (addr == shared[i].addr)
			snprintf(buf, len, "%s", shared[i].name);
		else
			snprintf(buf, len, "%s+%lu", shared[i].name,
				 (unsigned long)(addr - shared[i].addr));
		return;
	}
	for (i = 0; ex.procs && i < ex.nt; i++) {
		if (addr == (uintptr_t)&ex.procs[i].state) {
			snprintf(buf, len, "state of thread %d", i);
			return;
		}
	}
	snprintf(buf, len, "0x%lx", (unsigned long)addr);
}

bool ex_mem_freed(uintptr_t addr)
{
	return ex_shadow[(addr - EX_ARENA_BASE) / 8] == FREED;
}

/* The shadow does not allow this access: say why, unless it does */
void ex_mem_bad(uintptr_t addr, uint32_t size, bool write)
{
	uint64_t off = addr - EX_ARENA_BASE;
	uint32_t i;
	uint8_t v = 8;
	struct object *o;

	for (i = 0; i < size; i++) {
		v = ex_shadow[(off + i) / 8];
		if (v == FREED || v == 0 || ((off + i) & 7) >= v)
			break;
	}
	if (i == size)
		return;
	o = find_object(addr);
	if (!o)
		ex_fail("%s of %u bytes at %p, before all objects",
			write ? "write" : "read", size, (void *)addr);
	if (v == FREED)
		ex_fail("use after free: %s of %u bytes at %s+%lu",
			write ? "write" : "read", size, o->name,
			(unsigned long)(addr - o->addr));
	ex_fail("out of bounds: %s of %u bytes at %s+%lu, which has %lu",
		write ? "write" : "read", size, o->name,
		(unsigned long)(addr - o->addr), (unsigned long)o->size);
}
