// SPDX-License-Identifier: GPL-2.0-only
/*
 * Depth-first search over schedules.
 *
 * EX_DPOR is a dynamic partial-order reduction (Flanagan and Godefroid, POPL
 * 2005) with source sets (Abdulla et al., POPL 2014), vector clocks and sleep
 * sets. A frame is a state on the current path. A step that is about to be
 * made is held against those that lie behind; each that it races with
 * (dependent, and not ordered by what lies between) gets a backtrack point.
 * So does what is pending for ever when a schedule ends in a deadlock.
 *
 * What is dependent:
 * - accesses to overlapping memory, one of them a write; a sleep reads the
 *   memory that its condition reads; a lock is memory;
 * - the start of an interrupt and every step of the thread it interrupts;
 *   the rest of the interrupt is between its start and that thread's next step;
 * - a store that is buffered, and its flush: the flush is the write to memory,
 *   a step of a process of its own, which the store merely enables.
 *
 * EX_BRUTE and EX_BOUNDED share the frames, but take every enabled step, or
 * every one that the bound allows.
 */
#include <stdlib.h>
#include <string.h>

#include "explore-int.h"

#define BIT(n)	(1ul << (n))

/* Self-test hooks: the tests break the search on purpose to see it noticed */
static int broken;

void ex_break_search(int how);
void ex_break_search(int how)
{
	broken = how;
}

/* Of the schedule that has just ended */
int ex_preemptions(void);
int ex_preemptions(void)
{
	return ex.preempt;
}

static void grow(void)
{
	uint64_t cap = ex.o.max_steps + 1;

	if (ex.frame_cap < cap) {
		ex.frames = realloc(ex.frames, cap * sizeof(*ex.frames));
		ex.frd = realloc(ex.frd, cap * EX_NRANGES * sizeof(*ex.frd));
		ex.frame_cap = cap;
		free(ex.fclk);
		ex.fclk = malloc(cap * EX_DFS_PROCS * sizeof(*ex.fclk));
		if (!ex.frames || !ex.frd || !ex.fclk)
			ex_die(1, "out of memory");
	}
}

void ex_dfs_begin(void)
{
	int i;

	grow();
	ex.nframes = 0;
	ex.prefix = 0;
	ex.preset = false;
	memset(ex.cnt, 0, sizeof(ex.cnt));
	for (i = 0; i <= EX_HEADS; i++)
		ex.head[i] = -1;
	for (i = 0; i < EX_DFS_PROCS; i++)
		ex.plast[i] = -1;
}

static uint32_t *clk_of(uint64_t i)
{
	return ex.fclk + i * ex.stride;
}

static inline void join(uint32_t *to, const uint32_t *from)
{
	int i;

	for (i = 0; i < ex.stride; i++)
		if (to[i] < from[i])
			to[i] = from[i];
}

static uint32_t chain(uintptr_t addr)
{
	return (addr >> 3) * 0x9e3779b1u >> 8 & (EX_HEADS - 1);
}

static bool wide(const struct ex_op *op)
{
	return op->kind == EX_BLOCK || (op->addr & 7) + op->size > 8;
}

/* Does a step touch this range in a way that matters? */
static bool touches(uint64_t i, const struct ex_range *r, bool write)
{
	const struct ex_frame *f = &ex.frames[i];
	int k;

	if (f->op.kind == EX_BLOCK) {
		if (!write)
			return false;
		for (k = 0; k < f->nrd; k++) {
			const struct ex_range *q = &ex.frd[i * EX_NRANGES + k];

			if (ex_overlap(q->addr, q->size, r->addr, r->size))
				return true;
		}
		return false;
	}
	if (!ex_op_memory(&f->op) ||
	    !ex_overlap(f->op.addr, f->op.size, r->addr, r->size))
		return false;
	return write || ex_op_writes(&f->op);
}

/* The memory of a pending operation */
static int ranges(const struct ex_proc *p, struct ex_range *r)
{
	if (p->op.kind == EX_BLOCK && p->type != EX_P_FLUSH) {
		memcpy(r, p->rd, p->nrd * sizeof(*r));
		return p->nrd;
	}
	if (!ex_op_memory(&p->op))
		return 0;
	r[0] = (struct ex_range){ p->op.addr, p->op.size };
	return 1;
}

/* Do a step and what is pending conflict in memory? */
static bool conflict(uint64_t i, const struct ex_proc *p)
{
	struct ex_range r[EX_NRANGES];
	bool write = ex_op_writes(&p->op);
	int k, n = ranges(p, r);

	for (k = 0; k < n; k++)
		if (touches(i, &r[k], write))
			return true;
	return false;
}

static bool releases(const struct ex_op *op)
{
	return op->kind == EX_UNLOCK ||
	       (op->kind == EX_FLUSH && op->n == EX_UNLOCK);
}

/* Are they dependent, whatever is possible when? For sleep sets */
static bool dependent(uint64_t i, const struct ex_proc *p)
{
	const struct ex_frame *f = &ex.frames[i];
	const struct ex_proc *q = &ex.procs[f->chosen];

	if (q->host == p->host) {
		if (p->type == EX_P_IRQ && p->op.kind == EX_IRQ_START &&
		    q->type != EX_P_FLUSH)
			return true;
		if (q->type == EX_P_IRQ && p->type == EX_P_TASK)
			return true;
	}
	return conflict(i, p);
}

/*
 * Two steps that conflict in memory: could p's have come right before the
 * other? Not a lock's acquisition before its release: it is the acquisition
 * before that which it races with. What waits for its own store buffer does
 * not race with it.
 */
static bool possible(uint64_t i, const struct ex_proc *p)
{
	const struct ex_frame *f = &ex.frames[i];
	const struct ex_proc *q = &ex.procs[f->chosen];

	if (releases(&f->op) && p->op.kind == EX_LOCK)
		return false;
	if (f->op.kind == EX_LOCK && releases(&p->op))
		return false;
	if (q->type == EX_P_FLUSH && p->type != EX_P_FLUSH &&
	    q->host == p->host)
		return !p->op.drain && p->op.kind == EX_READ;
	return true;
}

/* Steps that may touch a word, last one first */
struct walk {
	int32_t a, b;
};

static void walk_begin(struct walk *w, uintptr_t addr)
{
	w->a = ex.head[chain(addr)];
	w->b = ex.head[EX_HEADS];
}

static int32_t walk_next(struct walk *w)
{
	int32_t i;

	if (w->a > w->b) {
		i = w->a;
		w->a = ex.frames[i].prev;
	} else {
		i = w->b;
		if (i >= 0)
			w->b = ex.frames[i].prev;
	}
	return i;
}

/* All that conflicts with this range and lies further back is ordered before */
static bool covers(const struct ex_frame *f, const struct ex_range *r)
{
	return ex_op_memory(&f->op) && ex_op_writes(&f->op) &&
	       f->op.addr <= r->addr &&
	       r->addr + r->size <= f->op.addr + f->op.size;
}

/* What is ordered before the next step of p, its memory aside */
static void base_clock(struct ex_proc *p, uint32_t *clk)
{
	struct ex_sbent *e;
	int32_t i;
	int s;

	memcpy(clk, p->clk, ex.stride * sizeof(*clk));
	if (p->type == EX_P_FLUSH) {
		e = ex_sb_head(p);
		if (!e)
			return;
		join(clk, clk_of(e->frame));
		/* Those that a barrier made it wait for */
		for (s = 0; e->need && s < ex.sb[p->host].nslots; s++) {
			int id = ex.nt + ex.ni + s * ex.nt + p->host;

			for (i = ex.plast[id]; i >= 0; i = ex.frames[i].pprev)
				if (ex.frames[i].seq < e->need) {
					join(clk, clk_of(i));
					break;
				}
		}
		return;
	}
	if (p->op.kind == EX_IRQ_START)
		join(clk, ex.procs[p->host].clk);
	if (p->op.drain)
		for (s = 0; s < ex.sb[p->host].nslots; s++)
			join(clk, ex.procs[ex.nt + ex.ni + s * ex.nt +
					   p->host].clk);
}

/*
 * p shall go before step i. Who can lead there? Of all that happened since and
 * does not depend on step i, with p's next step last, those that nothing else
 * of it comes before (the initials of source sets, Abdulla et al., POPL 2014).
 * One of them is enough; if none can run here, all are taken.
 */
static void backtrack(uint64_t i, uint64_t d, struct ex_proc *p,
		      const uint32_t *clk)
{
	struct ex_frame *f = &ex.frames[i];
	uint32_t first[EX_DFS_PROCS];
	uint64_t seen = 0, set = 0, m, j;
	bool free = true;

	if (broken == 1)
		return;
	if (p->op.kind == EX_BLOCK && p->type != EX_P_FLUSH &&
	    !(f->enabled >> p->id & 1)) {
		f->backtrack |= f->enabled;
		return;
	}
	for (j = i + 1; j < d; j++) {
		const struct ex_frame *g = &ex.frames[j];
		const uint32_t *c = clk_of(j);
		int r = g->chosen;

		if (c[f->chosen] >= f->lidx)
			continue;
		if (free && conflict(j, p))
			free = false;
		if (seen >> r & 1)
			continue;
		for (m = seen; m; m &= m - 1)
			if (c[__builtin_ctzl(m)] >= first[__builtin_ctzl(m)])
				break;
		if (!m)
			set |= BIT(r);
		first[r] = g->lidx;
		seen |= BIT(r);
	}
	for (m = seen; m && free; m &= m - 1)
		if (clk[__builtin_ctzl(m)] >= first[__builtin_ctzl(m)])
			free = false;
	if (free)
		set |= BIT(p->id);
	set &= f->enabled;
	if (f->backtrack & set)
		return;
	if (set >> p->id & 1)
		f->backtrack |= BIT(p->id);
	else if (set)
		f->backtrack |= set & -set;
	else
		f->backtrack |= f->enabled;
}

/*
 * The start of an interrupt, and the steps of the thread that it interrupts
 * and the starts of its other interrupts: the last one on that CPU matters.
 */
static void irq_races(struct ex_proc *p, uint64_t d)
{
	static const uint32_t none[EX_DFS_PROCS];
	int32_t own = ex.plast[p->host], start = -1, i;
	int k;

	for (k = ex.nt; k < ex.nt + ex.ni; k++) {
		if (ex.procs[k].host != p->host || k == p->id)
			continue;
		/* Its first step */
		for (i = ex.plast[k]; i >= 0 && ex.frames[i].pprev >= 0;
		     i = ex.frames[i].pprev)
			;
		if (i > start)
			start = i;
	}
	if (p->type == EX_P_TASK) {
		if (start > own)
			backtrack(start, d, p, own >= 0 ? clk_of(own) : none);
		return;
	}
	if (p->op.kind != EX_IRQ_START)
		return;
	/* Not where interrupts were off */
	while (own >= 0 && !(ex.frames[own].enabled >> p->id & 1))
		own = ex.frames[own].pprev;
	if (start > own)
		own = start;
	if (own >= 0)
		backtrack(own, d, p, none);
}

/*
 * p, in the state at depth d, against all steps that lie behind. Fills clk
 * with what is ordered before p's next step; with races, also adds a backtrack
 * point at each step that p's could have come before: dependent, and nothing
 * between that is ordered after the one and before the other.
 */
static void look_back(struct ex_proc *p, uint64_t d, uint32_t *clk, bool race)
{
	struct ex_range r[EX_NRANGES];
	bool write = ex_op_writes(&p->op);
	uint32_t base[EX_DFS_PROCS], known[EX_DFS_PROCS];
	int k, n = ranges(p, r);
	struct walk w;
	uintptr_t a;
	int32_t i;

	base_clock(p, base);
	memcpy(clk, base, ex.stride * sizeof(*clk));
	memcpy(known, base, ex.stride * sizeof(*known));
	for (k = 0; k < n; k++) {
		for (a = r[k].addr & ~7ul; a < r[k].addr + r[k].size; a += 8) {
			walk_begin(&w, a);
			while ((i = walk_next(&w)) >= 0) {
				const struct ex_frame *f = &ex.frames[i];

				if (!touches(i, &r[k], write))
					continue;
				join(clk, clk_of(i));
				if (race && known[f->chosen] < f->lidx) {
					if (!possible(i, p))
						continue;
					backtrack(i, d, p, base);
					join(known, clk_of(i));
				}
				if (covers(f, &r[k]))
					break;
			}
		}
	}
	if (race && p->type != EX_P_FLUSH && ex.ni)
		irq_races(p, d);
}

static void link_frame(uint64_t d)
{
	struct ex_frame *f = &ex.frames[d];

	f->head = EX_HEADS + 1;
	if (f->op.kind == EX_BLOCK || (ex_op_memory(&f->op) && wide(&f->op)))
		f->head = EX_HEADS;
	else if (ex_op_memory(&f->op))
		f->head = chain(f->op.addr);
	if (f->head <= EX_HEADS) {
		f->prev = ex.head[f->head];
		ex.head[f->head] = d;
	}
	f->pprev = ex.plast[f->chosen];
	ex.plast[f->chosen] = d;
}

static void unlink_frame(uint64_t d)
{
	struct ex_frame *f = &ex.frames[d];

	if (f->head <= EX_HEADS)
		ex.head[f->head] = f->prev;
	ex.plast[f->chosen] = f->pprev;
}

/* The step that frame d chose is about to be made for the first time */
static void commit(uint64_t d)
{
	struct ex_frame *f = &ex.frames[d];
	struct ex_proc *p = &ex.procs[f->chosen];
	uint32_t *clk = clk_of(d);

	f->op = p->op;
	f->nrd = 0;
	if (p->op.kind == EX_BLOCK && p->type != EX_P_FLUSH) {
		f->nrd = p->nrd;
		memcpy(&ex.frd[d * EX_NRANGES], p->rd,
		       p->nrd * sizeof(*p->rd));
	}
	look_back(p, d, clk, ex.strategy == EX_DPOR);
	clk[f->chosen] = f->lidx = ex.cnt[f->chosen] + 1;
	f->seq = p->type == EX_P_FLUSH ? ex_sb_head(p)->seq : 0;
	link_frame(d);
}

/* The schedule ends here: those that still want to do something race too */
static void leftover(uint64_t d, uint64_t enabled)
{
	uint32_t clk[EX_DFS_PROCS];
	int i;

	for (i = 0; i < ex.np_used; i++)
		if (!ex.procs[i].done && !(enabled >> i & 1))
			look_back(&ex.procs[i], d, clk, true);
}

/*
 * For EX_BOUNDED: words that two of them touch, one with a write. A preemption
 * before a step on any other word may as well come after it, with the same
 * outcome, so it need not be tried. What is a conflict is learned while
 * schedules run; a search during which a new one was met is repeated.
 */
#define NWORDS	65536

static struct word {
	uintptr_t addr;
	uint64_t readers, writers;
} words[NWORDS];
static unsigned int nwords;

void ex_dfs_forget(void)
{
	memset(words, 0, sizeof(words));
	nwords = 0;
}

static struct word *word_of(uintptr_t addr, bool make)
{
	uint32_t i = (addr >> 3) * 0x9e3779b1u >> 7;

	addr >>= 3;
	for (;; i++) {
		struct word *w = &words[i & (NWORDS - 1)];

		if (w->addr == addr)
			return w;
		if (w->addr)
			continue;
		if (!make || nwords > NWORDS / 2)
			return NULL;
		nwords++;
		w->addr = addr;
		return w;
	}
}

static bool contended(const struct word *w)
{
	uint64_t all = w->readers | w->writers;

	return w->writers && all & (all - 1);
}

static void learn(struct ex_proc *p)
{
	struct ex_range r[EX_NRANGES];
	int k, n = ranges(p, r);
	struct word *w;
	uintptr_t a;

	for (k = 0; k < n; k++) {
		for (a = r[k].addr & ~7ul; a < r[k].addr + r[k].size; a += 8) {
			bool was;

			w = word_of(a, true);
			if (!w)
				continue;
			was = contended(w);
			if (ex_op_writes(&p->op))
				w->writers |= BIT(p->id);
			else
				w->readers |= BIT(p->id);
			if (!was && contended(w))
				ex.learned = true;
		}
	}
}

/* Does nobody else care when this one makes its step? */
static bool unnoticed(struct ex_proc *p)
{
	struct ex_range r[EX_NRANGES];
	int k, n = ranges(p, r);
	struct word *w;
	uintptr_t a;
	int i;

	/*
	 * An interrupt to come would: it reads the store buffer, and may find
	 * interrupts off after the step.
	 */
	for (i = ex.nt; i < ex.nt + ex.ni; i++)
		if (ex.procs[i].host == p->id && !ex.procs[i].done)
			return false;
	if (p->op.local || p->op.kind == EX_CHOOSE)
		return true;
	if (!n || p->op.kind == EX_BLOCK || p->op.kind == EX_LOCK)
		return false;
	for (k = 0; k < n; k++) {
		for (a = r[k].addr & ~7ul; a < r[k].addr + r[k].size; a += 8) {
			w = word_of(a, false);
			if (!w ? nwords > NWORDS / 2 : contended(w))
				return false;
		}
	}
	return true;
}

static void made(uint64_t d)
{
	struct ex_frame *f = &ex.frames[d];

	memcpy(ex.procs[f->chosen].clk, clk_of(d),
	       ex.stride * sizeof(*ex.fclk));
	ex.cnt[f->chosen]++;
	ex.val = f->val;
}

static int cost(int id, uint64_t enabled)
{
	return ex_preempts(id, enabled) &&
	       ex.procs[ex.last].op.kind != EX_YIELD;
}

static uint64_t within_bound(const struct ex_frame *f)
{
	bool later = ex.last >= 0 && f->enabled >> ex.last & 1 &&
		     ex.procs[ex.last].op.kind != EX_YIELD &&
		     unnoticed(&ex.procs[ex.last]);
	uint64_t m, set = 0;

	for (m = f->enabled; m; m &= m - 1) {
		int id = __builtin_ctzl(m);

		if (later && id != ex.last)
			continue;
		if (f->preempt + cost(id, f->enabled) <= ex.bound)
			set |= BIT(id);
	}
	return set;
}

static void count_preempt(const struct ex_frame *f)
{
	ex.preempt = f->preempt + cost(f->chosen, f->enabled);
}

static int end_of(uint64_t d)
{
	bool all = true;
	int i;

	(void)d;
	for (i = 0; i < ex.np_used; i++)
		if (!ex.procs[i].done)
			all = false;
	if (all)
		ex.ended = true;
	return all ? -1 : -2;
}

int ex_dfs_pick(void)
{
	uint64_t d = ex.depth, enabled, m, free;
	struct ex_frame *f = &ex.frames[d];
	struct ex_proc *p;

	if (d < ex.prefix) {
		p = &ex.procs[f->chosen];
		if (unlikely(p->op.addr != f->op.addr ||
			     p->op.kind != f->op.kind || p->done))
			ex_die(1, "%s: step %lu was different the last time: the test is not deterministic",
			       ex.t->name, (unsigned long)d);
		if (d == 0)
			memset(ex.cnt, 0, sizeof(ex.cnt));
		count_preempt(f);
		made(d);
		return f->chosen;
	}
	if (d == 0)
		memset(ex.cnt, 0, sizeof(ex.cnt));
	enabled = ex_enabled_set();
	if (d == ex.prefix && ex.preset) {
		if (enabled != f->enabled)
			ex_die(1, "%s: others can run at step %lu than the last time: the test is not deterministic",
			       ex.t->name, (unsigned long)d);
		ex.preset = false;
		goto chosen;
	}
	if (!enabled && ex.strategy == EX_DPOR)
		leftover(d, enabled);
	if (!enabled)
		return end_of(d);
	f->enabled = enabled;
	f->done = 0;
	f->sleep = 0;
	f->val = 0;
	f->cur = ex.last;
	f->preempt = ex.preempt;
	if (ex.strategy == EX_DPOR) {
		if (d) {
			struct ex_frame *b = &ex.frames[d - 1];

			for (m = (b->sleep | b->done) & ~BIT(b->chosen); m;
			     m &= m - 1) {
				int id = __builtin_ctzl(m);

				if (!dependent(d - 1, &ex.procs[id]))
					f->sleep |= BIT(id);
			}
			if (broken == 2)
				f->sleep = 0;
			if (broken == 3)
				f->sleep = (b->sleep | b->done) & enabled &
					   ~BIT(b->chosen);
		}
		free = enabled & ~f->sleep;
		if (!free) {
			leftover(d, enabled);
			ex.slept = true;
			return -1;
		}
	} else if (ex.strategy == EX_BOUNDED) {
		free = within_bound(f);
	} else {
		free = enabled;
	}
	if (ex.last >= 0 && free >> ex.last & 1)
		f->chosen = ex.last;
	else
		f->chosen = __builtin_ctzl(free);
	f->backtrack = ex.strategy == EX_DPOR ? BIT(f->chosen) : free;
	ex.nframes = d + 1;
chosen:
	count_preempt(f);
	learn(&ex.procs[f->chosen]);
	commit(d);
	made(d);
	return f->chosen;
}

/* Set up the next schedule; false: there is none */
bool ex_dfs_next(void)
{
	while (ex.nframes) {
		uint64_t d = ex.nframes - 1, m;
		struct ex_frame *f = &ex.frames[d];

		unlink_frame(d);
		if (f->op.kind == EX_CHOOSE && f->val + 1 < f->op.n) {
			f->val++;
		} else {
			f->done |= BIT(f->chosen);
			m = f->backtrack & ~f->done & ~f->sleep;
			if (!m) {
				ex.nframes--;
				continue;
			}
			f->chosen = __builtin_ctzl(m);
			f->val = 0;
		}
		ex.prefix = d;
		ex.preset = true;
		return true;
	}
	return false;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h ^= v + 0x9e3779b97f4a7c15ul + (h << 6) + (h >> 2);
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ul;
	return h ^ h >> 27;
}

/* The same for two schedules whose partial order of steps is the same */
uint64_t ex_dfs_hash(void)
{
	uint64_t sum = 0, d;
	int i;

	for (d = 0; d < ex.nframes; d++) {
		struct ex_frame *f = &ex.frames[d];
		uint64_t h = mix(f->chosen, f->val);

		for (i = 0; i < ex.stride; i++)
			h = mix(h, clk_of(d)[i]);
		sum += h;
	}
	return sum;
}
