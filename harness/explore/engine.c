// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler: one schedule at a time, from setup() to final(), and the
 * primitives that threads call. A thread stops before each shared access,
 * with the access as its pending operation; whoever is picked performs its
 * own and runs on to its next one.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "explore-int.h"

struct ex_state ex;

void ex_die(int code, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "explore: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(code);
}

uint64_t ex_rand(void)
{
	uint64_t z = ex.rng += 0x9e3779b97f4a7c15ul;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ul;
	z = (z ^ z >> 27) * 0x94d049bb133111ebul;
	return z ^ z >> 31;
}

uint64_t ex_peek(uintptr_t addr, uint32_t size)
{
	uint64_t v = 0;

	switch (size) {
	case 1:
		return *(volatile uint8_t *)addr;
	case 2:
		v = *(volatile uint16_t *)addr;
		return v;
	case 4:
		return *(volatile uint32_t *)addr;
	case 8:
		return *(volatile uint64_t *)addr;
	}
	memcpy(&v, (void *)addr, size < 8 ? size : 8);
	return v;
}

void ex_poke(uintptr_t addr, uint32_t size, uint64_t val)
{
	switch (size) {
	case 1:
		*(volatile uint8_t *)addr = val;
		break;
	case 2:
		*(volatile uint16_t *)addr = val;
		break;
	case 4:
		*(volatile uint32_t *)addr = val;
		break;
	case 8:
		*(volatile uint64_t *)addr = val;
		break;
	default:
		memcpy((void *)addr, &val, size < 8 ? size : 8);
	}
}

static uint64_t rmw(int what, uint64_t old, uint64_t val)
{
	switch (what) {
	case EX_RMW_ADD:
		return old + val;
	case EX_RMW_SUB:
		return old - val;
	case EX_RMW_AND:
		return old & val;
	case EX_RMW_OR:
		return old | val;
	case EX_RMW_XOR:
		return old ^ val;
	case EX_RMW_NAND:
		return ~(old & val);
	}
	return val;
}

/* Ending a schedule early ------------------------------------------------- */

void ex_abort(void)
{
	static struct ex_coro gone;

	if (ex.on_main)
		longjmp(ex.main_jmp, 1);
	ex.cur = NULL;
	ex.rec = NULL;
	ex_coro_switch(&gone, &ex.main_co);
	__builtin_unreachable();
}

static void refuse(enum ex_status st, const char *fmt, va_list ap)
{
	if (!ex.running) {
		fflush(stdout);
		fprintf(stderr, "explore: ");
		vfprintf(stderr, fmt, ap);
		fputc('\n', stderr);
		exit(1);
	}
	if (!ex.failed)
		vsnprintf(ex.message, sizeof(ex.message), fmt, ap);
	ex.failed = true;
	ex.status = st;
}

void ex_refuse(enum ex_status st, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	refuse(st, fmt, ap);
	va_end(ap);
	ex_abort();
}

void ex_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	refuse(EX_FAIL, fmt, ap);
	va_end(ap);
	ex_abort();
}

static void crash(int sig, siginfo_t *si, void *uc)
{
	uintptr_t addr = (uintptr_t)si->si_addr;
	int owner;

	(void)uc;
	if (!ex.running) {
		signal(sig, SIG_DFL);
		raise(sig);
		return;
	}
	owner = ex_stack_owner(addr);
	if (sig == SIGSEGV && owner >= 0)
		ex_refuse(EX_FAIL, "stack overflow of %s %d",
			  owner < ex.nt ? "thread" : "interrupt",
			  owner < ex.nt ? owner : owner - ex.nt);
	ex_refuse(EX_FAIL, "%s at address %p", strsignal(sig), si->si_addr);
}

static const int crash_sigs[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static struct sigaction crash_old[5];

static void crash_catch(void)
{
	static char alt[64 << 10] __attribute__((aligned(16)));
	stack_t ss = { .ss_sp = alt, .ss_size = sizeof(alt) };
	struct sigaction sa = {
		.sa_sigaction = crash,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};
	unsigned int i;

	sigaltstack(&ss, NULL);
	for (i = 0; i < 5; i++)
		sigaction(crash_sigs[i], &sa, &crash_old[i]);
}

static void crash_release(void)
{
	unsigned int i;

	for (i = 0; i < 5; i++)
		sigaction(crash_sigs[i], &crash_old[i], NULL);
}

/* Trace ------------------------------------------------------------------- */

static struct ex_step *trace_step(struct ex_proc *p, const struct ex_op *op)
{
	struct ex_step *s;

	if (ex.nsteps_rec == ex.steps_cap) {
		ex.steps_cap = ex.steps_cap ? 2 * ex.steps_cap : 256;
		ex.steps_rec = realloc(ex.steps_rec,
				       ex.steps_cap * sizeof(*ex.steps_rec));
		if (!ex.steps_rec)
			ex_die(1, "out of memory");
	}
	s = &ex.steps_rec[ex.nsteps_rec++];
	memset(s, 0, sizeof(*s));
	s->op = *op;
	s->proc = p->id;
	s->cpu = ex.procs[p->host].cpu;
	return s;
}

void ex_note(const char *fmt, ...)
{
	static const struct ex_op none;
	struct ex_step *s;
	va_list ap;

	if (!ex.trace || !ex.cur)
		return;
	s = trace_step(ex.cur, &none);
	va_start(ap, fmt);
	if (vasprintf(&s->note, fmt, ap) < 0)
		s->note = NULL;
	va_end(ap);
	/* The access before it is still to be completed */
	if (ex.trace_new && ex.nsteps_rec > 1) {
		struct ex_step tmp = s[-1];

		s[-1] = *s;
		*s = tmp;
	}
}

/* Store buffers ----------------------------------------------------------- */

static struct ex_proc *flusher(int host, int slot)
{
	return &ex.procs[ex.nt + ex.ni + slot * ex.nt + host];
}

struct ex_sbent *ex_sb_head(struct ex_proc *f)
{
	struct ex_sb *sb = &ex.sb[f->host];
	int i;

	for (i = 0; i < sb->n; i++)
		if (sb->ent[i].slot == f->slot)
			return &sb->ent[i];
	return NULL;
}

/* May its oldest entry reach memory now? */
bool ex_sb_ready(struct ex_proc *f)
{
	struct ex_sb *sb = &ex.sb[f->host];
	struct ex_sbent *e = ex_sb_head(f);

	/* The first entry is the oldest of all */
	return e && (e == sb->ent || sb->ent[0].seq >= e->need);
}

/* The pending operation of a store buffer follows its oldest entry */
static void sb_refresh(struct ex_proc *f)
{
	struct ex_sbent *e = ex_sb_head(f);

	f->done = !e;
	if (!e)
		return;
	f->op = (struct ex_op){
		.addr = e->addr, .size = e->size, .kind = EX_FLUSH,
		.pc = e->pc, .n = e->kind,
	};
}

/* Slot for a store, or -1: the store must not be buffered */
static int sb_slot(struct ex_sb *sb, uintptr_t addr, uint32_t size)
{
	int i;

	if (size > 8 || size & (size - 1) || addr & (size - 1))
		return -1;
	if (ex.memory == EX_TSO) {
		if (!sb->nslots)
			sb->nslots = 1;
		i = 0;
		goto out;
	}
	for (i = 0; i < sb->nslots; i++)
		if (sb->slot[i].addr == addr && sb->slot[i].size == size)
			return i;
	if (sb->nslots == ex.slots) {
		ex.r->sb_drained++;
		return -1;
	}
	sb->slot[i] = (struct ex_range){ addr, size };
	sb->nslots++;
out:
	if (ex.nt + ex.ni + (i + 1) * ex.nt > ex.np_used)
		ex.np_used = ex.nt + ex.ni + (i + 1) * ex.nt;
	return i;
}

static void sb_push(int host, uintptr_t addr, uint32_t size, int kind, int what,
		    uint64_t val, bool release, uintptr_t pc)
{
	struct ex_sb *sb = &ex.sb[host];
	struct ex_proc *f;
	struct ex_sbent *e;
	int slot = sb_slot(sb, addr, size);

	e = &sb->ent[sb->n++];
	*e = (struct ex_sbent){
		.addr = addr, .size = size, .kind = kind, .rmw = what,
		.val = val, .seq = sb->seq++, .pc = pc, .slot = slot,
		.frame = ex.settle_frame,
	};
	e->need = release ? e->seq : sb->wmb;
	f = flusher(host, slot);
	if (f->done)
		sb_refresh(f);
}

/* The newest buffered store that touches this; NULL: none */
static struct ex_sbent *sb_find(struct ex_sb *sb, uintptr_t addr, uint32_t size)
{
	int i;

	for (i = sb->n - 1; i >= 0; i--)
		if (ex_overlap(sb->ent[i].addr, sb->ent[i].size, addr, size))
			return &sb->ent[i];
	return NULL;
}

static bool sb_contains(const struct ex_sbent *e, uintptr_t addr, uint32_t size)
{
	return e->kind != EX_RMW && e->addr <= addr &&
	       addr + size <= e->addr + e->size;
}

static bool sb_allows(struct ex_proc *p)
{
	struct ex_sb *sb = &ex.sb[p->host];
	const struct ex_op *op = &p->op;
	struct ex_sbent *e;
	int i;

	if (!sb->n)
		return true;
	if (op->drain)
		return false;
	if (op->local) {
		if (sb->n == EX_SB_MAX)
			return false;
		if (ex.memory == EX_TSO)
			return true;
		/* Overlapping stores of other shapes keep their order */
		for (i = 0; i < sb->n; i++) {
			e = &sb->ent[i];
			if (ex_overlap(e->addr, e->size, op->addr, op->size) &&
			    (e->addr != op->addr || e->size != op->size))
				return false;
		}
		return true;
	}
	if (!ex_op_memory(op))
		return true;
	e = sb_find(sb, op->addr, op->size);
	if (!e)
		return true;
	return op->kind == EX_READ && sb_contains(e, op->addr, op->size);
}

static void sb_flush(struct ex_proc *f)
{
	struct ex_sb *sb = &ex.sb[f->host];
	struct ex_sbent *e = ex_sb_head(f);
	struct ex_step *s = NULL;
	uint64_t old = ex_peek(e->addr, e->size), new = e->val;
	int i = e - sb->ent;

	if (e->addr - EX_ARENA_BASE < EX_ARENA_SIZE &&
	    unlikely(ex_mem_freed(e->addr))) {
		ex.bad_pc = e->pc;
		ex_mem_bad(e->addr, e->size, true);
	}
	if (e->kind == EX_RMW)
		new = rmw(e->rmw, old, e->val);
	if (ex.trace) {
		s = trace_step(f, &f->op);
		s->has_old = s->has_new = true;
		s->old = old;
	}
	ex_poke(e->addr, e->size, new);
	if (s)
		s->new = ex_peek(e->addr, e->size);
	sb->n--;
	memmove(e, e + 1, (sb->n - i) * sizeof(*e));
	sb_refresh(f);
}

/*
 * The code has performed the access that it announced. A store that belongs
 * in the buffer is taken out of memory again, a forwarded value too.
 */
static void settle(void)
{
	uint64_t v;

	if (ex.trace_new) {
		struct ex_step *s = &ex.steps_rec[ex.nsteps_rec - 1];

		s->new = ex_peek(s->op.addr, s->op.size);
		s->has_new = true;
		ex.trace_new = false;
	}
	if (ex.settle == EX_S_NONE)
		return;
	v = ex_peek(ex.settle_addr, ex.settle_size);
	ex_poke(ex.settle_addr, ex.settle_size, ex.settle_old);
	if (ex.settle == EX_S_STORE)
		sb_push(ex.procs[ex.last].host, ex.settle_addr, ex.settle_size,
			EX_WRITE, 0, v, false, ex.settle_op.pc);
	ex.settle = EX_S_NONE;
}

/* Who can run? ------------------------------------------------------------ */

static int woken(void *arg)
{
	uint32_t *state = arg;

	ex.rec[ex.nrec++] = (struct ex_range){ (uintptr_t)state, 4 };
	return !*state;
}

static bool condition(struct ex_proc *p)
{
	struct ex_proc *cur = ex.cur;
	bool yes;

	ex.cur = NULL;
	ex.rec = p->rd;
	ex.nrec = 0;
	ex.rec_over = false;
	yes = p->cond(p->cond_arg);
	p->nrd = ex.nrec;
	ex.rec = NULL;
	ex.cur = cur;
	if (ex.rec_over)
		ex_refuse(EX_FAIL, "the condition of ex_block(%s) reads more than %d words",
			  p->what ? p->what : "", EX_NRANGES);
	if (!yes && !p->nrd)
		ex_refuse(EX_FAIL, "the condition of ex_block(%s) reads no shared memory; is it instrumented?",
			  p->what ? p->what : "");
	return yes;
}

bool ex_enabled(struct ex_proc *p)
{
	const struct ex_op *op = &p->op;

	if (p->done)
		return false;
	if (p->type == EX_P_FLUSH)
		return ex_sb_ready(p);
	if (p->type == EX_P_TASK && p->irq >= 0)
		return false;
	if (ex.memory != EX_SC && !sb_allows(p))
		return false;
	switch (op->kind) {
	case EX_IRQ_START:
		return !ex.procs[p->host].irq_off && ex.procs[p->host].irq < 0;
	case EX_LOCK:
		return !*(volatile uint32_t *)op->addr;
	case EX_BLOCK:
		return condition(p);
	}
	return true;
}

static bool yielding(struct ex_proc *p)
{
	return p->op.kind == EX_YIELD && p->type != EX_P_FLUSH &&
	       p->yield_stamp == ex.other_steps;
}

uint64_t ex_enabled_set(void)
{
	uint64_t set = 0, lazy = 0;
	int i;

	for (i = 0; i < ex.np_used; i++) {
		if (!ex_enabled(&ex.procs[i]))
			continue;
		if (yielding(&ex.procs[i]))
			lazy |= 1ul << i;
		else
			set |= 1ul << i;
	}
	return set ? set : lazy;
}

bool ex_preempts(int id, uint64_t enabled)
{
	if (ex.last < 0 || id == ex.last || !(enabled >> ex.last & 1))
		return false;
	return true;
}

static bool all_done(void)
{
	int i;

	for (i = 0; i < ex.np_used; i++)
		if (!ex.procs[i].done)
			return false;
	return true;
}

static void stuck(void)
{
	ex.failed = true;
	ex.status = EX_DEADLOCK;
}

/* Not on a thread's small stack: symbols need room */
static void describe_stuck(void)
{
	char where[256];
	bool locks = false;
	size_t n = 0;
	int i;

	for (i = 0; i < ex.nt + ex.ni; i++)
		if (!ex.procs[i].done && ex.procs[i].op.kind == EX_LOCK)
			locks = true;
	n += snprintf(ex.message, sizeof(ex.message), "%s:",
		      locks ? "deadlock" : "sleeps for ever (lost wakeup)");
	for (i = 0; i < ex.nt + ex.ni && n < sizeof(ex.message); i++) {
		struct ex_proc *p = &ex.procs[i];

		if (p->done)
			continue;
		n += snprintf(ex.message + n, sizeof(ex.message) - n,
			      "%s %s %d ", n > 32 ? ";" : "",
			      i < ex.nt ? "thread" : "interrupt",
			      i < ex.nt ? i : i - ex.nt);
		if (n >= sizeof(ex.message))
			break;
		if (p->type == EX_P_TASK && p->irq >= 0)
			n += snprintf(ex.message + n, sizeof(ex.message) - n,
				      "is interrupted");
		else if (p->op.kind == EX_IRQ_START)
			n += snprintf(ex.message + n, sizeof(ex.message) - n,
				      "finds interrupts off");
		else if (p->op.kind == EX_LOCK) {
			ex_mem_name(p->op.addr, where, sizeof(where));
			n += snprintf(ex.message + n, sizeof(ex.message) - n,
				      "waits for lock %s", where);
		} else {
			n += snprintf(ex.message + n, sizeof(ex.message) - n,
				      "sleeps%s%s", p->what ? ": " : "",
				      p->what ? p->what : "");
		}
		if (n >= sizeof(ex.message))
			break;
		if (ex.trace) {
			ex_where(p->op.pc, where, sizeof(where));
			n += snprintf(ex.message + n, sizeof(ex.message) - n,
				      " at %s", where);
		}
	}
}

/* Picking ----------------------------------------------------------------- */

static int list_enabled(int *ids)
{
	int i, n = 0, lazy = 0;
	int lz[EX_MAX_THREADS];

	for (i = 0; i < ex.np_used; i++) {
		struct ex_proc *p = &ex.procs[i];

		if (p->done || !ex_enabled(p))
			continue;
		if (yielding(p))
			lz[lazy++ % EX_MAX_THREADS] = i;
		else
			ids[n++] = i;
	}
	if (n)
		return n;
	if (lazy > EX_MAX_THREADS)
		lazy = EX_MAX_THREADS;
	memcpy(ids, lz, lazy * sizeof(*ids));
	return lazy;
}

static void count_preempt(int id, const int *ids, int n)
{
	int i;

	if (ex.last < 0 || id == ex.last)
		return;
	for (i = 0; i < n; i++)
		if (ids[i] == ex.last)
			ex.preempt++;
}

static int none_left(void)
{
	if (all_done())
		ex.ended = true;
	else
		stuck();
	return -1;
}

static int *ids_buf(void)
{
	static int *ids;
	static int cap;

	if (cap < ex.np) {
		cap = ex.np;
		ids = realloc(ids, cap * sizeof(*ids));
		if (!ids)
			ex_die(1, "out of memory");
	}
	return ids;
}

static int pick_random(void)
{
	int *ids = ids_buf();
	int i, id, n = list_enabled(ids);

	if (!n)
		return none_left();
	id = ids[ex_rand() % n];
	if (ex.last >= 0 && ex.switch_shift &&
	    ex_rand() & ((1u << ex.switch_shift) - 1)) {
		for (i = 0; i < n; i++)
			if (ids[i] == ex.last)
				id = ex.last;
	}
	count_preempt(id, ids, n);
	if (ex.procs[id].op.kind == EX_CHOOSE)
		ex.val = ex_rand() % ex.procs[id].op.n;
	return id;
}

static int pick_pct(void)
{
	int *ids = ids_buf();
	int i, best = -1, n = list_enabled(ids);

	if (!n)
		return none_left();
	for (i = 0; i < n; i++)
		if (best < 0 || ex.procs[ids[i]].prio > ex.procs[best].prio)
			best = ids[i];
	for (i = 0; i < ex.pct_n; i++)
		if (ex.pct_points[i] == ex.depth)
			ex.procs[best].prio = ex.pct_low--;
	if (ex.procs[best].op.kind == EX_YIELD)
		ex.procs[best].prio = ex.pct_low--;
	count_preempt(best, ids, n);
	if (ex.procs[best].op.kind == EX_CHOOSE)
		ex.val = ex_rand() % ex.procs[best].op.n;
	return best;
}

static int pick_replay(void)
{
	int *ids = ids_buf();
	int i, id, n = list_enabled(ids);

	if (!n)
		return none_left();
	id = ids[0];
	for (i = 0; i < n; i++)
		if (ids[i] == ex.last)
			id = ex.last;
	ex.val = 0;
	if (ex.depth < ex.nrp) {
		id = ex.rp[ex.depth].proc;
		for (i = 0; i < n && ids[i] != id; i++)
			;
		if (i == n)
			ex_die(2, "--replay: step %lu: %d cannot run; the string belongs to another test",
			       (unsigned long)ex.depth, id);
		if ((ex.procs[id].op.kind == EX_CHOOSE) !=
		    (ex.rp[ex.depth].val >= 0))
			ex_die(2, "--replay: step %lu: a choice is %s; the string belongs to another test",
			       (unsigned long)ex.depth,
			       ex.rp[ex.depth].val >= 0 ? "not asked for" :
			       "missing");
		if (ex.rp[ex.depth].val >= 0)
			ex.val = ex.rp[ex.depth].val;
		if (ex.val && ex.val >= ex.procs[id].op.n)
			ex_die(2, "--replay: step %lu: choice %u of %u; the string belongs to another test",
			       (unsigned long)ex.depth, ex.val,
			       ex.procs[id].op.n);
	}
	count_preempt(id, ids, n);
	return id;
}

/* EX_DRIVE ---------------------------------------------------------------- */

static uint32_t bucket(uintptr_t addr)
{
	return (addr >> 3) * 0x9e3779b1u >> 12 & (EX_WATCH - 1);
}

static void set_blocked(struct ex_proc *p, bool blocked)
{
	p->blocked = blocked;
	ex.off[p->id] = blocked;
}

static void unwatch(struct ex_proc *p)
{
	int i;

	for (i = 0; i < p->nw; i++) {
		struct ex_wnode *w = &p->w[i];

		*(w->prev ? &w->prev->next : &w->list->first) = w->next;
		*(w->next ? &w->next->prev : &w->list->last) = w->prev;
	}
	p->nw = 0;
}

static void watch_word(struct ex_proc *p, struct ex_wlist *list)
{
	struct ex_wnode *w = &p->w[p->nw++];

	w->p = p;
	w->list = list;
	w->next = NULL;
	w->prev = list->last;
	*(w->prev ? &w->prev->next : &list->first) = w;
	list->last = w;
}

static void watch(struct ex_proc *p)
{
	int i;

	if (p->op.kind == EX_LOCK)
		watch_word(p, &ex.lockq[bucket(p->op.addr)]);
	else
		for (i = 0; i < p->nrd; i++)
			watch_word(p, &ex.watch[bucket(p->rd[i].addr)]);
}

static void recheck(struct ex_proc *p)
{
	bool was = p->blocked;

	set_blocked(p, !ex_enabled(p));
	if (was && !p->blocked && ex.wakeup)
		ex.wakeup(ex.wakeup_arg, p->id, ex.dirty_by);
}

/* Somebody wrote to a word that blocked threads look at */
static void look_again(void)
{
	struct ex_proc *again[EX_MAX_THREADS];
	uint32_t b = bucket(ex.dirty);
	struct ex_wnode *w;
	int i, n = 0;

	/* Of those that wait for a lock, the first one */
	for (w = ex.lockq[b].first; w; w = w->next) {
		if (w->p->op.addr == ex.dirty) {
			recheck(w->p);
			break;
		}
	}
	for (w = ex.watch[b].first; w && n < EX_MAX_THREADS; w = w->next)
		if (!n || again[n - 1] != w->p)
			again[n++] = w->p;
	ex.dirty = 0;
	for (i = 0; i < n; i++) {
		unwatch(again[i]);
		recheck(again[i]);
		watch(again[i]);
	}
}

static void note_write(struct ex_proc *p, uintptr_t addr)
{
	uint32_t b = bucket(addr);

	if (ex.watch[b].first || ex.lockq[b].first) {
		ex.dirty = addr;
		ex.dirty_by = p->host;
	}
}

static void observe(struct ex_proc *p)
{
	const struct ex_op *op = &p->op;
	struct ex_event ev = {
		.addr = op->addr, .size = op->size, .kind = op->kind,
		.flags = op->flags | (p->type == EX_P_IRQ ? EX_F_IRQ : 0),
		.order = op->order, .thread = p->host,
		.cpu = ex.procs[p->host].cpu, .pc = op->pc,
	};

	if (op->kind == EX_BLOCK)
		ev.addr = ev.size = 0;
	ex.observer(ex.observer_arg, &ev);
}

static int pick_drive(void)
{
	int i, cur = ex.last, id;
	struct ex_proc *p;

	if (ex.stopped) {
		ex.ended = true;
		return -1;
	}
	if (ex.dirty)
		look_again();
	if (cur >= 0) {
		p = &ex.procs[cur];
		if (p->done) {
			cur = -1;
		} else if (p->op.kind == EX_LOCK || p->op.kind == EX_BLOCK) {
			if (!p->blocked && !ex_enabled(p)) {
				set_blocked(p, true);
				watch(p);
				if (ex.observer && p->op.kind == EX_BLOCK)
					observe(p);
			}
			if (p->blocked)
				cur = -1;
		}
	}
	if (ex.scheduler) {
		id = ex.scheduler(ex.scheduler_arg, cur);
		if (id < 0) {
			if (all_done())
				ex.ended = true;
			else if (cur < 0 && !ex.stopped) {
				for (i = 0; i < ex.nt; i++)
					if (ex_runnable(i))
						break;
				if (i == ex.nt)
					stuck();
			}
			ex.ended = !ex.failed;
			return -1;
		}
		if (id >= ex.nt || !ex_runnable(id))
			ex_refuse(EX_FAIL, "the scheduler picked thread %d, which cannot run",
				  id);
		return id;
	}
	id = ex.o.seed ? (int)(ex_rand() % ex.nt) : ex.last + 1;
	for (i = 0; i < ex.nt; i++, id++) {
		if (id >= ex.nt)
			id = 0;
		if (!ex.off[id] && ex_runnable(id))
			return id;
	}
	return none_left();
}

bool ex_runnable(int thread)
{
	struct ex_proc *p = &ex.procs[thread];

	if (thread < 0 || thread >= ex.nt || p->done || p->blocked)
		return false;
	/* Not looked at yet, or taken by another one since */
	if (p->op.kind == EX_LOCK || p->op.kind == EX_BLOCK) {
		if (ex.dirty)
			look_again();
		if (!p->blocked && !p->nw && !ex_enabled(p)) {
			set_blocked(p, true);
			watch(p);
			if (ex.observer && p->op.kind == EX_BLOCK)
				observe(p);
		}
		return !p->blocked;
	}
	return true;
}

bool ex_next(int thread, struct ex_event *ev)
{
	struct ex_proc *p = &ex.procs[thread];

	if (p->done)
		return false;
	*ev = (struct ex_event){
		.addr = p->op.addr, .size = p->op.size, .kind = p->op.kind,
		.flags = p->op.flags, .order = p->op.order, .thread = thread,
		.cpu = p->cpu, .pc = p->op.pc,
	};
	return true;
}

void ex_stop(void)
{
	ex.stopped = true;
}

/* One step ---------------------------------------------------------------- */

static void log_choice(int id, int32_t val)
{
	if (ex.nlog == ex.log_cap) {
		ex.log_cap = ex.log_cap ? 2 * ex.log_cap : 1024;
		ex.log = realloc(ex.log, ex.log_cap * sizeof(*ex.log));
		if (!ex.log)
			ex_die(1, "out of memory");
	}
	ex.log[ex.nlog++] = (struct ex_choice){ id, val };
}

/* Who goes next; -1: the schedule is over */
static int choose(void)
{
	struct ex_proc *p;
	int id;

	for (;;) {
		if (ex.t->invariant) {
			ex.t->invariant(ex.t->arg);
			if (ex.failed)
				return -1;
		}
		if (ex.depth >= ex.o.max_steps) {
			ex.too_long = true;
			return -1;
		}
		switch (ex.strategy) {
		case EX_DRIVE:
			id = pick_drive();
			break;
		case EX_RANDOM:
			id = pick_random();
			break;
		case EX_PCT:
			id = pick_pct();
			break;
		case EX_REPLAY:
			id = pick_replay();
			break;
		default:
			id = ex_dfs_pick();
		}
		if (id < 0) {
			if (id == -2)
				stuck();
			return -1;
		}
		p = &ex.procs[id];
		ex.depth++;
		if (ex.strategy == EX_DRIVE) {
			ex.last = id;
			if (unlikely(p->nw))
				unwatch(p);
			return id;
		}
		log_choice(id, p->op.kind == EX_CHOOSE && p->type != EX_P_FLUSH ?
			   (int32_t)ex.val : -1);
		if (id != ex.last)
			ex.other_steps++;
		if (p->type != EX_P_FLUSH) {
			ex.last = id;
			return id;
		}
		sb_flush(p);
	}
}

void ex_step(struct ex_proc *p, const struct ex_op *op)
{
	int next;

	settle();
	p->op = *op;
	if (unlikely(ex.priming)) {
		ex_coro_switch(&p->co, &ex.main_co);
	} else {
		ex.cur = NULL;
		next = choose();
		if (unlikely(next < 0))
			ex_coro_switch(&p->co, &ex.main_co);
		else if (next != p->id)
			ex_coro_switch(&p->co, &ex.procs[next].co);
	}
	ex.cur = p;
	/* Freed since it was announced? */
	if (p->op.addr - EX_ARENA_BASE < EX_ARENA_SIZE &&
	    unlikely(ex_mem_freed(p->op.addr)) && p->op.kind != EX_FREE) {
		ex.bad_pc = p->op.pc;
		ex_mem_bad(p->op.addr, p->op.size, ex_op_writes(&p->op));
	}
	if (unlikely(ex.observer != NULL) && p->op.kind != EX_BLOCK)
		observe(p);
	if (ex.strategy == EX_DRIVE && ex_op_writes(&p->op))
		note_write(p, p->op.addr);
	if (unlikely(ex.trace)) {
		struct ex_step *s = trace_step(p, &p->op);

		s->buffered = p->op.local;
		s->val = ex.val;
		if (p->op.kind <= EX_UNLOCK && p->op.kind != EX_FENCE) {
			s->old = ex_peek(p->op.addr, p->op.size);
			s->has_old = true;
			ex.trace_new = ex_op_writes(&p->op) &&
				       (!p->op.local || p->op.kind == EX_WRITE);
		}
	}
}

static void body(void *arg)
{
	static const struct ex_op start = { .kind = EX_IRQ_START };
	struct ex_proc *p = arg, *h = &ex.procs[p->host];
	int next, i;

	ex.cur = p;
	if (p->type == EX_P_IRQ) {
		const struct ex_irq *irq = &ex.t->irqs[p->id - ex.nt];

		ex_step(p, &start);
		h->irq = p->id;
		irq->fn(irq->arg);
	} else {
		const struct ex_thread *th = &ex.t->threads[p->id];

		th->fn(th->arg);
		if (p->irq_off)
			ex_fail("thread %d ends with interrupts off", p->id);
	}
	settle();
	p->done = true;
	if (p->type == EX_P_TASK)
		ex.off[p->id] = true;
	if (p->type == EX_P_IRQ) {
		h->irq = -1;
		ex.last = h->id;
		for (i = 0; i < ex.stride; i++)
			if (h->clk[i] < p->clk[i])
				h->clk[i] = p->clk[i];
	}
	if (ex.observer) {
		p->op = (struct ex_op){ .kind = EX_END };
		observe(p);
	}
	if (ex.priming)
		ex_coro_switch(&p->co, &ex.main_co);
	ex.cur = NULL;
	next = choose();
	ex_coro_switch(&p->co, next < 0 ? &ex.main_co : &ex.procs[next].co);
	abort();
}

/* Accesses ---------------------------------------------------------------- */

static void buffered_or_not(struct ex_proc *p, struct ex_op *op)
{
	if (sb_slot(&ex.sb[p->host], op->addr, op->size) >= 0)
		op->local = true;
	else
		op->drain = true;
}

void ex_access(uintptr_t addr, uint32_t size, bool write, unsigned int flags,
	       uintptr_t pc)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.addr = addr, .size = size, .flags = flags, .pc = pc,
		.kind = write ? EX_WRITE : EX_READ,
	};
	struct ex_sbent *e;

	if (likely(ex.memory == EX_SC)) {
		ex_step(p, &op);
		return;
	}
	settle();
	if (write)
		buffered_or_not(p, &op);
	ex_step(p, &op);
	ex.settle_addr = addr;
	ex.settle_size = size;
	if (op.local) {
		ex.settle = EX_S_STORE;
		ex.settle_old = ex_peek(addr, size);
		ex.settle_op.pc = pc;
		ex.settle_frame = ex.depth - 1;
	} else if (!write) {
		e = sb_find(&ex.sb[p->host], addr, size);
		if (e) {
			ex.settle = EX_S_LOAD;
			ex.settle_old = ex_peek(addr, size);
			ex_poke(addr, size, e->val >> 8 * (addr - e->addr));
		}
	}
}

/* An atomic takes effect here */
uint64_t ex_atomic(uintptr_t addr, uint32_t size, int what, uint64_t val,
		   uint64_t *cmp, int order, uintptr_t pc)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.addr = addr, .size = size, .pc = pc, .order = order,
		.flags = EX_F_ATOMIC | (what == EX_A_CAS ? EX_F_CAS : 0),
	};
	struct ex_sbent *e;
	uint64_t old;

	if (ex.memory != EX_SC)
		settle();
	if (what == EX_A_LOAD) {
		op.kind = EX_READ;
	} else if (what == EX_A_STORE) {
		op.kind = EX_WRITE;
		if (ex.memory != EX_SC) {
			if (order == __ATOMIC_SEQ_CST)
				op.drain = true;
			else
				buffered_or_not(p, &op);
		}
	} else {
		op.kind = EX_RMW;
		if (ex.memory == EX_TSO ||
		    (ex.memory == EX_PSO && order >= __ATOMIC_RELEASE))
			op.drain = true;
	}
	ex_step(p, &op);
	if (what == EX_A_LOAD) {
		if (ex.memory != EX_SC) {
			e = sb_find(&ex.sb[p->host], addr, size);
			if (e)
				return e->val >> 8 * (addr - e->addr);
		}
		return ex_peek(addr, size);
	}
	if (op.local) {
		ex.trace_new = false;
		if (ex.trace) {
			ex.steps_rec[ex.nsteps_rec - 1].new = val;
			ex.steps_rec[ex.nsteps_rec - 1].has_new = true;
		}
		ex.settle_frame = ex.depth - 1;
		sb_push(p->host, addr, size, EX_WRITE, 0, val,
			order == __ATOMIC_RELEASE, pc);
		return 0;
	}
	old = ex_peek(addr, size);
	if (what == EX_A_STORE)
		ex_poke(addr, size, val);
	else if (what != EX_A_CAS)
		ex_poke(addr, size, rmw(what, old, val));
	else if (old == *cmp)
		ex_poke(addr, size, val);
	return old;
}

void ex_rmw_void(void *addr, int size, enum ex_rmw op, unsigned long val)
{
	struct ex_proc *p = ex.cur;
	uintptr_t a = (uintptr_t)addr, pc = (uintptr_t)__builtin_return_address(0);
	struct ex_op o = {
		.addr = a, .size = size, .kind = EX_RMW, .pc = pc,
		.flags = EX_F_ATOMIC, .order = __ATOMIC_RELAXED,
	};

	if (!p) {
		ex_poke(a, size, rmw(op, ex_peek(a, size), val));
		return;
	}
	if (a - EX_ARENA_BASE < EX_ARENA_SIZE)
		ex_mem_bad(a, size, true);
	if (ex.memory == EX_PSO) {
		settle();
		buffered_or_not(p, &o);
	} else if (ex.memory == EX_TSO) {
		o.drain = true;
	}
	ex_step(p, &o);
	if (o.local) {
		ex.settle_frame = ex.depth - 1;
		sb_push(p->host, a, size, EX_RMW, op, val, false, pc);
	} else {
		ex_poke(a, size, rmw(op, ex_peek(a, size), val));
	}
}

void ex_do_fence(int order, uintptr_t pc)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.kind = EX_FENCE, .order = order, .flags = EX_F_ATOMIC,
		.pc = pc, .drain = true,
	};

	if (!p)
		return;
	if (ex.memory == EX_SC) {
		if (ex.observer) {
			struct ex_op keep = p->op;

			p->op = op;
			observe(p);
			p->op = keep;
		}
		return;
	}
	if (order == __ATOMIC_SEQ_CST) {
		ex_step(p, &op);
	} else if (order >= __ATOMIC_RELEASE) {
		settle();
		ex.sb[p->host].wmb = ex.sb[p->host].seq;
	}
}

/* Primitives -------------------------------------------------------------- */

#define PC	((uintptr_t)__builtin_return_address(0))

int ex_active(void)
{
	return ex.cur != NULL;
}

int ex_cpu(void)
{
	return ex.cur ? ex.procs[ex.cur->host].cpu : ex.cpu_outside;
}

void ex_set_cpu(int cpu)
{
	if (!ex.cur) {
		ex.cpu_outside = cpu;
		return;
	}
	if (ex.memory != EX_SC)
		ex_do_fence(__ATOMIC_SEQ_CST, PC);
	ex.procs[ex.cur->host].cpu = cpu;
}

int ex_thread(void)
{
	return ex.cur ? ex.cur->host : -1;
}

int ex_in_irq(void)
{
	return ex.cur && ex.cur->type == EX_P_IRQ;
}

static void lock_check(unsigned int *word)
{
	uintptr_t a = (uintptr_t)word;

	if (a - EX_ARENA_BASE < EX_ARENA_SIZE)
		ex_mem_bad(a, 4, true);
}

/* Stores before an unlock reach memory before those after the next lock */
static void locked(struct ex_proc *p)
{
	if (ex.memory == EX_PSO && ex.sb[p->host].unlocked)
		ex.sb[p->host].wmb = ex.sb[p->host].seq;
}

void ex_lock(unsigned int *word)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.addr = (uintptr_t)word, .size = 4, .kind = EX_LOCK,
		.flags = EX_F_ATOMIC, .order = __ATOMIC_ACQUIRE, .pc = PC,
		.drain = ex.memory == EX_TSO,
	};

	lock_check(word);
	if (!p) {
		if (*word)
			ex_fail("a lock is taken outside of threads, but held");
		*word = ~0u;
		return;
	}
	ex_step(p, &op);
	*(volatile unsigned int *)word = p->id + 1;
	locked(p);
}

int ex_trylock(unsigned int *word)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.addr = (uintptr_t)word, .size = 4, .kind = EX_TRYLOCK,
		.flags = EX_F_ATOMIC, .order = __ATOMIC_ACQUIRE, .pc = PC,
		.drain = ex.memory == EX_TSO,
	};

	lock_check(word);
	if (p)
		ex_step(p, &op);
	if (*(volatile unsigned int *)word)
		return 0;
	*(volatile unsigned int *)word = p ? p->id + 1 : ~0;
	if (p)
		locked(p);
	return 1;
}

void ex_unlock(unsigned int *word)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.addr = (uintptr_t)word, .size = 4, .kind = EX_UNLOCK,
		.flags = EX_F_ATOMIC, .order = __ATOMIC_RELEASE, .pc = PC,
	};

	lock_check(word);
	if (*(volatile unsigned int *)word != (p ? (unsigned int)p->id + 1 : ~0u))
		ex_fail("a lock is released by who does not hold it");
	if (p) {
		if (ex.memory != EX_SC) {
			settle();
			if (sb_find(&ex.sb[p->host], op.addr, 4))
				ex_fail("a lock is released twice");
			buffered_or_not(p, &op);
		}
		ex_step(p, &op);
		if (op.local) {
			ex.settle_frame = ex.depth - 1;
			sb_push(p->host, op.addr, 4, EX_UNLOCK, 0, 0, true,
				op.pc);
			ex.sb[p->host].unlocked = true;
			return;
		}
	}
	*(volatile unsigned int *)word = 0;
}

int ex_lock_is_held(const unsigned int *word)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.addr = (uintptr_t)word, .size = 4, .kind = EX_READ,
		.flags = EX_F_ATOMIC, .pc = PC,
	};
	struct ex_sbent *e;

	lock_check((unsigned int *)word);
	if (p) {
		ex_step(p, &op);
		if (ex.memory != EX_SC) {
			e = sb_find(&ex.sb[p->host], op.addr, 4);
			if (e)
				return e->val != 0;
		}
	}
	return *(const volatile unsigned int *)word != 0;
}

void ex_irq_disable(void)
{
	if (ex.cur)
		ex.procs[ex.cur->host].irq_off++;
}

void ex_irq_enable(void)
{
	if (!ex.cur)
		return;
	if (!ex.procs[ex.cur->host].irq_off)
		ex_fail("interrupts are enabled that are not disabled");
	ex.procs[ex.cur->host].irq_off--;
}

int ex_irqs_disabled(void)
{
	return ex.cur && (ex.procs[ex.cur->host].irq_off ||
			  ex.cur->type == EX_P_IRQ);
}

static void block(int (*cond)(void *arg), void *arg, const char *what,
		  uintptr_t pc)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = {
		.kind = EX_BLOCK, .pc = pc, .drain = ex.memory != EX_SC,
	};

	if (!p) {
		if (!cond(arg))
			ex_fail("a sleep outside of threads%s%s",
				what ? ": " : "", what ? what : "");
		return;
	}
	if (p->type == EX_P_IRQ)
		ex_fail("an interrupt sleeps");
	settle();
	p->cond = cond;
	p->cond_arg = arg;
	p->what = what;
	p->nrd = 0;
	ex_step(p, &op);
}

void ex_block(int (*cond)(void *arg), void *arg, const char *what)
{
	block(cond, arg, what, PC);
}

static void set_state(struct ex_proc *p, uint32_t v, int order, uintptr_t pc)
{
	ex_atomic((uintptr_t)&p->state, 4, EX_A_STORE, v, NULL, order, pc);
}

void ex_prepare_sleep(void)
{
	if (ex.cur)
		set_state(&ex.procs[ex.cur->host], 1, __ATOMIC_SEQ_CST, PC);
}

void ex_set_running(void)
{
	if (ex.cur)
		set_state(&ex.procs[ex.cur->host], 0, __ATOMIC_RELAXED, PC);
}

void ex_sleep(const char *what)
{
	if (!ex.cur)
		ex_fail("a sleep outside of threads%s%s", what ? ": " : "",
			what ? what : "");
	block(woken, &ex.cur->state, what, PC);
}

int ex_wake(int thread)
{
	if (thread < 0 || thread >= ex.nt)
		ex_fail("ex_wake: there is no thread %d", thread);
	if (!ex.cur) {
		int was = ex.procs[thread].state;

		ex.procs[thread].state = 0;
		return was;
	}
	return ex_atomic((uintptr_t)&ex.procs[thread].state, 4, EX_RMW_SET, 0,
			 NULL, __ATOMIC_SEQ_CST, PC);
}

void ex_yield(void)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = { .kind = EX_YIELD, .pc = PC };

	if (!p)
		return;
	ex.r->yields++;
	p->yield_stamp = ex.other_steps;
	ex_step(p, &op);
}

int ex_choose(int n)
{
	struct ex_proc *p = ex.cur;
	struct ex_op op = { .kind = EX_CHOOSE, .n = n, .pc = PC };

	if (n < 1)
		ex_fail("ex_choose: %d alternatives", n);
	if (!p || n == 1)
		return 0;
	if (ex.strategy == EX_DRIVE)
		return ex_rand() % n;
	ex_step(p, &op);
	return ex.val;
}

void ex_set_observer(void (*fn)(void *arg, const struct ex_event *ev), void *arg)
{
	ex.observer = fn;
	ex.observer_arg = arg;
}

void ex_set_scheduler(int (*fn)(void *arg, int cur), void *arg)
{
	ex.scheduler = fn;
	ex.scheduler_arg = arg;
}

void ex_set_wakeup(void (*fn)(void *arg, int thread, int by), void *arg)
{
	ex.wakeup = fn;
	ex.wakeup_arg = arg;
}

/* One schedule ------------------------------------------------------------ */

static void reset(void)
{
	int i;

	ex.cur = NULL;
	ex.rec = NULL;
	ex.settle = EX_S_NONE;
	ex.last = -1;
	ex.other_steps = 1;
	ex.depth = 0;
	ex.preempt = 0;
	ex.failed = ex.ended = ex.slept = ex.too_long = ex.stopped = false;
	ex.status = EX_PASS;
	ex.message[0] = '\0';
	ex.nlog = 0;
	ex.trace_new = false;
	ex.bad_pc = 0;
	ex.dirty = 0;
	ex.cpu_outside = 0;
	ex.np_used = ex.nt + ex.ni;
	for (i = 0; i < (int)ex.nsteps_rec; i++)
		free(ex.steps_rec[i].note);
	ex.nsteps_rec = 0;
	for (i = 0; i < ex.np; i++) {
		struct ex_proc *p = &ex.procs[i];

		p->done = p->type == EX_P_FLUSH;
		p->stack_shared = p->blocked = false;
		p->irq_off = 0;
		p->irq = -1;
		p->state = 0;
		p->nrd = p->nw = 0;
		p->what = NULL;
		memset(p->clk, 0, ex.stride * sizeof(*p->clk));
	}
	if (ex.memory != EX_SC)
		for (i = 0; i < ex.nt; i++)
			ex.sb[i].n = ex.sb[i].nslots = ex.sb[i].seq =
				ex.sb[i].wmb = ex.sb[i].unlocked = 0;
	if (ex.strategy == EX_DRIVE) {
		memset(ex.watch, 0, sizeof(ex.watch));
		memset(ex.lockq, 0, sizeof(ex.lockq));
		memset(ex.off, 0, sizeof(ex.off));
	}
}

static void start(void)
{
	char *stacks = ex_stacks(ex.nt + ex.ni);
	struct ex_proc *p;
	int i, id;

	for (i = 0; i < ex.nt + ex.ni; i++) {
		p = &ex.procs[i];
		if (i < ex.nt)
			p->cpu = ex.t->threads[i].cpu ?
				 ex.t->threads[i].cpu - 1 : i;
		ex_coro_init(&p->co, stacks + EX_GUARD +
			     (size_t)i * (EX_STACK + EX_GUARD), EX_STACK,
			     body, p);
	}
	ex.priming = true;
	ex.on_main = false;
	for (i = 0; i < ex.nt + ex.ni; i++) {
		/* What it does before its first shared access is its own */
		ex.last = i;
		ex_coro_switch(&ex.main_co, &ex.procs[i].co);
		if (ex.failed)
			return;
		ex.cur = NULL;
	}
	ex.priming = false;
	ex.last = -1;
	ex.on_main = true;
	id = choose();
	ex.on_main = false;
	if (id >= 0)
		ex_coro_switch(&ex.main_co, &ex.procs[id].co);
}

static void run_one(void)
{
	ex_mem_reset();
	reset();
	ex.running = true;
	ex.on_main = true;
	if (!setjmp(ex.main_jmp)) {
		if (ex.t->setup)
			ex.t->setup(ex.t->arg);
		start();
		ex.on_main = true;
		ex.cur = NULL;
		if (ex.status == EX_DEADLOCK)
			describe_stuck();
		if (!ex.failed && ex.ended && !ex.stopped && ex.t->final)
			ex.t->final(ex.t->arg);
	}
	ex.on_main = true;
	ex.priming = false;
	ex.cur = NULL;
	if (ex.t->teardown && !setjmp(ex.main_jmp))
		ex.t->teardown(ex.t->arg);
	ex.running = false;
}

/* All schedules of a stage ------------------------------------------------ */

static double now(void)
{
	struct timespec ts;

	/* A busy machine is no reason to look at less. */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

struct found {
	enum ex_status status;
	char message[512];
	struct ex_choice *log;
	uint64_t nlog;
	int preempt;
	char seed[96];		/* if the log does not fit */
};

static void keep_failure(struct found *f)
{
	f->status = ex.status;
	memcpy(f->message, ex.message, sizeof(f->message));
	free(f->log);
	f->log = malloc((ex.nlog + 1) * sizeof(*f->log));
	if (!f->log)
		ex_die(1, "out of memory");
	memcpy(f->log, ex.log, ex.nlog * sizeof(*f->log));
	f->nlog = ex.nlog;
	f->preempt = ex.preempt;
	f->seed[0] = '\0';
	if (ex.strategy == EX_RANDOM || ex.strategy == EX_PCT)
		snprintf(f->seed, sizeof(f->seed), "%s.%lx.%d.%lu",
			 ex.strategy == EX_RANDOM ? "random" : "pct",
			 (unsigned long)ex.sched_seed, ex.pct_n,
			 (unsigned long)ex.pct_len);
}

static void account(struct ex_result *r)
{
	r->steps += ex.depth;
	if (ex.depth > r->max_depth)
		r->max_depth = ex.depth;
	if (ex.too_long)
		r->too_long++;
	else if (ex.slept)
		r->blocked++;
	else
		r->schedules++;
	if (ex.failed)
		r->failures++;
	if ((ex.ended || ex.status == EX_DEADLOCK) && ex.o.on_end && ex.stride)
		ex.o.on_end(ex.o.on_end_arg, ex_dfs_hash());
}

static void seed_schedule(uint64_t seed)
{
	int i;

	ex.sched_seed = seed;
	ex.rng = seed;
	ex.switch_shift = ex_rand() % 4 * 2;
	if (ex.strategy != EX_PCT)
		return;
	for (i = 0; i < ex.np; i++)
		ex.procs[i].prio = (ex_rand() | 1ul << 63) >> 1;
	ex.pct_low = 1ul << 32;
	for (i = 0; i < ex.pct_n; i++)
		ex.pct_points[i] = ex_rand() % ex.pct_len;
}

static void want_dfs(enum ex_strategy s)
{
	ex.strategy = s;
	ex.stride = ex.np;
	if (ex.np > EX_DFS_PROCS || ex.nt > 16)
		ex_die(2, "%s: too many threads for a complete search; use the random strategy",
		       ex.t->name);
	ex_dfs_begin();
}

/* Return: true if every schedule was run, or a failure found */
static bool pass_dfs(enum ex_strategy s, int bound, uint64_t max, double secs,
		      struct found *f)
{
	double end = now() + secs;
	uint64_t n = 0;

	want_dfs(s);
	ex.bound = bound;
	do {
		run_one();
		account(ex.r);
		n++;
		if (ex.failed && !f->log)
			keep_failure(f);
		if (ex.failed && !ex.o.keep_going)
			return true;
		if (n >= max || now() > end) {
			if (!ex_dfs_next())
				return true;
			return false;
		}
	} while (ex_dfs_next());
	return true;
}

static bool stage_dfs(enum ex_strategy s, int bound, uint64_t max, double secs,
		      struct found *f)
{
	double end = now() + secs;
	bool all;

	do {
		ex.learned = false;
		all = pass_dfs(s, bound, max, end - now(), f);
	} while (all && s == EX_BOUNDED && ex.learned &&
		 (!f->log || ex.o.keep_going));
	return all;
}

static bool stage_random(enum ex_strategy s, struct found *f)
{
	double end = now() + ex.o.max_seconds;
	uint64_t i, seed = ex.o.seed;

	ex.strategy = s;
	ex.stride = 0;
	ex.pct_n = ex.o.pct_depth - 1;
	ex.pct_len = 100;
	for (i = 0; i < ex.o.schedules; i++) {
		ex.rng = seed + i * 0xd1342543de82ef95ul;
		seed_schedule(ex_rand());
		run_one();
		account(ex.r);
		if (ex.r->max_depth > ex.pct_len)
			ex.pct_len = ex.r->max_depth;
		if (ex.failed && !f->log)
			keep_failure(f);
		if (ex.failed && !ex.o.keep_going)
			return true;
		if (now() > end)
			return i + 1 == ex.o.schedules;
	}
	return true;
}

static void minimise(struct found *best)
{
	struct ex_result scratch = { 0 }, *r = ex.r;
	struct ex_opts o = ex.o;
	struct found f = { 0 };
	double end = now() + 3;
	int b;

	if (ex.np > EX_DFS_PROCS || ex.nt > 16)
		return;
	ex.r = &scratch;
	ex.o.keep_going = false;
	ex.o.on_end = NULL;
	for (b = 0; b < best->preempt && now() < end; b++) {
		if (!stage_dfs(EX_BOUNDED, b, 20000, 2, &f))
			break;
		if (!f.log)
			continue;
		free(best->log);
		*best = f;
		break;
	}
	ex.r = r;
	ex.o = o;
}

static void replay(void)
{
	ex.strategy = EX_REPLAY;
	ex.stride = 0;
	ex.trace = true;
	run_one();
	ex.trace = false;
}

static void explore(struct found *f)
{
	struct ex_result *r = ex.r;
	int b, want = ex.o.preemptions;
	bool all;

	switch (ex.o.strategy) {
	case EX_REPLAY:
		ex_parse_replay(ex.o.replay);
		if (ex.strategy == EX_REPLAY)
			ex.stride = 0;
		else
			seed_schedule(ex.sched_seed);
		ex.trace = true;
		run_one();
		ex.trace = false;
		account(r);
		if (ex.failed)
			keep_failure(f);
		return;
	case EX_DRIVE:
		ex.strategy = EX_DRIVE;
		ex.stride = 0;
		ex.rng = ex.o.seed;
		run_one();
		account(r);
		if (ex.failed)
			keep_failure(f);
		return;
	case EX_RANDOM:
	case EX_PCT:
		if (stage_random(ex.o.strategy, f) && !f->log)
			r->coverage = EX_COV_RANDOM;
		return;
	case EX_BOUNDED:
		break;
	default:
		if (ex.o.strategy == EX_AUTO &&
		    (ex.np > EX_DFS_PROCS || ex.nt > 16))
			goto random;
		all = stage_dfs(ex.o.strategy == EX_BRUTE ? EX_BRUTE : EX_DPOR,
				0, ex.o.max_schedules,
				ex.o.strategy == EX_AUTO ?
				ex.o.complete_seconds : ex.o.max_seconds, f);
		if (f->log && !ex.o.keep_going)
			return;
		if (all && !r->too_long) {
			r->coverage = EX_COV_COMPLETE;
			return;
		}
		if (ex.o.strategy != EX_AUTO)
			return;
	}
	for (b = 0; b <= want; b++) {
		uint64_t too_long = r->too_long;

		all = stage_dfs(EX_BOUNDED, b, ex.o.max_schedules,
				ex.o.max_seconds, f);
		if (f->log && !ex.o.keep_going)
			return;
		if (!all || r->too_long != too_long)
			break;
		r->bound = b;
		r->coverage = EX_COV_BOUNDED;
	}
	if (ex.o.strategy != EX_AUTO || r->bound == want)
		return;
random:
	r->coverage = EX_COV_NONE;
	if (stage_random(EX_RANDOM, f) && !f->log)
		r->coverage = EX_COV_RANDOM;
}

static void build(void)
{
	int i;

	ex.nt = ex.t->nthreads;
	ex.ni = ex.t->nirqs;
	if (ex.nt < 1 || ex.nt > EX_MAX_THREADS)
		ex_die(2, "%s: %d threads; 1 to %d are possible", ex.t->name,
		       ex.nt, EX_MAX_THREADS);
	if (ex.ni < 0 || ex.ni > EX_MAX_IRQS ||
	    (ex.ni && ex.o.strategy == EX_DRIVE))
		ex_die(2, "%s: %d interrupts; 0 to %d are possible, none in a driven run",
		       ex.t->name, ex.ni, EX_MAX_IRQS);
	ex.slots = 0;
	if (ex.memory == EX_TSO)
		ex.slots = 1;
	if (ex.memory == EX_PSO) {
		ex.slots = (EX_DFS_PROCS - ex.nt - ex.ni) / ex.nt;
		if (ex.slots < 1 || ex.slots > EX_SLOTS_MAX)
			ex.slots = EX_SLOTS_MAX;
	}
	ex.np = ex.nt + ex.ni + ex.slots * ex.nt;
	free(ex.procs);
	free(ex.sb);
	ex.procs = calloc(ex.np, sizeof(*ex.procs));
	ex.sb = calloc(ex.nt, sizeof(*ex.sb));
	if (!ex.procs || !ex.sb)
		ex_die(1, "out of memory");
	for (i = 0; i < ex.np; i++) {
		struct ex_proc *p = &ex.procs[i];

		p->id = i;
		p->host = i;
		if (i >= ex.nt + ex.ni) {
			p->type = EX_P_FLUSH;
			p->slot = (i - ex.nt - ex.ni) / ex.nt;
			p->host = (i - ex.nt - ex.ni) % ex.nt;
		} else if (i >= ex.nt) {
			p->type = EX_P_IRQ;
			p->host = ex.t->irqs[i - ex.nt].thread;
			if (p->host < 0 || p->host >= ex.nt)
				ex_die(2, "%s: interrupt %d of thread %d, which is not there",
				       ex.t->name, i - ex.nt, p->host);
		}
	}
}

enum ex_status ex_run(const struct ex_test *t, const struct ex_opts *o,
		      struct ex_result *r)
{
	static struct ex_result own;
	struct found f = { 0 };
	double begin = now();
	FILE *out;

	if (ex.running)
		ex_die(1, "ex_run() inside a schedule");
	ex.t = t;
	ex.o = o ? *o : (struct ex_opts){ 0 };
	ex.r = r ? r : &own;
	memset(ex.r, 0, sizeof(*ex.r));
	ex.r->bound = -1;
	if (ex.o.replay)
		ex.o.strategy = EX_REPLAY;
	else if (ex.o.strategy == EX_REPLAY)
		ex_die(2, "--replay needs a string");
	if (!ex.o.max_schedules)
		ex.o.max_schedules = 1000000;
	if (!(ex.o.max_seconds > 0))
		ex.o.max_seconds = 20;
	if (!(ex.o.complete_seconds > 0))
		ex.o.complete_seconds = ex.o.max_seconds;
	ex.o.preemptions = ex.o.preemptions ? ex.o.preemptions - 1 : 2;
	if (!ex.o.schedules)
		ex.o.schedules = 10000;
	if (ex.o.strategy == EX_DRIVE)
		ex.o.max_steps = UINT64_MAX;
	else if (!ex.o.max_steps)
		ex.o.max_steps = 20000;
	if (ex.o.pct_depth < 1 || ex.o.pct_depth > 64)
		ex.o.pct_depth = 3;
	ex.memory = ex.o.memory;
	if (ex.o.strategy == EX_REPLAY)
		ex_parse_replay(ex.o.replay);	/* sets ex.memory */
	if (ex.o.strategy == EX_DRIVE && ex.memory != EX_SC)
		ex_die(2, "%s: a driven run has no store buffers", t->name);
	out = ex.o.out ? ex.o.out : stdout;
	build();
	ex_mem_begin();
	ex_dfs_forget();
	crash_catch();
	explore(&f);
	if (f.log) {
		if (!ex.o.no_minimise && ex.o.strategy != EX_REPLAY &&
		    ex.o.strategy != EX_DRIVE)
			minimise(&f);
		ex.r->status = f.status;
		ex.r->preemptions = f.preempt;
		memcpy(ex.r->message, f.message, sizeof(f.message));
		/* Once more, for the string and the steps */
		if (ex.o.strategy != EX_REPLAY && ex.o.strategy != EX_DRIVE) {
			free(ex.rp);
			ex.rp = f.log;
			ex.nrp = f.nlog;
			replay();
			if (!ex.failed)
				ex_die(1, "%s: a failure did not happen again in the same schedule: the test is not deterministic",
				       t->name);
		}
		if (ex.o.strategy != EX_DRIVE)
			memcpy(ex.r->message, ex.message, sizeof(ex.message));
		ex_format_replay(ex.r->replay, sizeof(ex.r->replay));
		if (!ex.r->replay[0] && f.seed[0])
			snprintf(ex.r->replay, sizeof(ex.r->replay), "%s/%s",
				 ex.memory == EX_SC ? "sc" :
				 ex.memory == EX_TSO ? "tso" : "pso", f.seed);
		if (!ex.o.quiet)
			ex_print_steps(out);
	} else if (ex.o.strategy == EX_REPLAY && !ex.o.quiet) {
		ex_print_steps(out);
	}
	crash_release();
	ex_mem_end();
	ex.r->seconds = now() - begin;
	return ex.r->status;
}
