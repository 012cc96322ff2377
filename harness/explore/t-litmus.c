// SPDX-License-Identifier: GPL-2.0-only
/*
 * Litmus shapes under SC, TSO and PSO. Would catch: a store buffer that leaks
 * a store early or keeps it too long, forwards a wrong value, orders what it
 * must not, or a fence, release store or atomic that orders too little.
 */
#include "t.h"

struct var {
	uint64_t v;
	uint64_t pad[7];
};

static struct var *mem;
static unsigned int *lock, *lock2;
static uint64_t r[8];

#define x	mem[0].v
#define y	mem[1].v
#define R(v)	ONCE(v)
#define W(v, n)	(ONCE(v) = (n))
#define REL(v, n)	__atomic_store_n(&(v), n, __ATOMIC_RELEASE)
#define FULL(v, n)	__atomic_store_n(&(v), n, __ATOMIC_SEQ_CST)
#define XCHG(v, n)	__atomic_exchange_n(&(v), n, __ATOMIC_SEQ_CST)
#define XCHG_RLX(v, n)	__atomic_exchange_n(&(v), n, __ATOMIC_RELAXED)
#define OR_VOID(v, n)	ex_rmw_void(&(v), 8, EX_RMW_OR, n)

static void setup(void *arg)
{
	(void)arg;
	mem = ex_alloc(4 * sizeof(*mem), 64, "mem");
	for (int i = 0; i < 4; i++)
		mem[i].v = 0;
	lock = (unsigned int *)&mem[3].v;
	lock2 = (unsigned int *)&mem[2].v;
	memset(r, 0, sizeof(r));
}

enum { NO, YES };

struct shape {
	const char *name;
	int n;
	void (*fn[4])(void);
	bool (*weak)(void);
	int want[3];		/* SC, TSO, PSO */
};

#define P(name, ...)	static void name(void) { __VA_ARGS__; }
#define WEAK(name, ...)	static bool name(void) { return __VA_ARGS__; }

WEAK(sb_weak, r[0] == 0 && r[1] == 0)
P(sb0, W(x, 1); r[0] = R(y))
P(sb1, W(y, 1); r[1] = R(x))
P(sb0_plain, x = 1; r[0] = y)
P(sb1_plain, y = 1; r[1] = x)
P(sb0_mb, W(x, 1); smp_mb(); r[0] = R(y))
P(sb1_mb, W(y, 1); smp_mb(); r[1] = R(x))
P(sb0_wmb, W(x, 1); smp_wmb(); r[0] = R(y))
P(sb1_wmb, W(y, 1); smp_wmb(); r[1] = R(x))
P(sb0_rel, REL(x, 1); r[0] = R(y))
P(sb1_rel, REL(y, 1); r[1] = R(x))
P(sb0_full, FULL(x, 1); r[0] = R(y))
P(sb1_full, FULL(y, 1); r[1] = R(x))
P(sb0_xchg, XCHG(x, 1); r[0] = R(y))
P(sb1_xchg, XCHG(y, 1); r[1] = R(x))
P(sb0_rmw, W(x, 1); XCHG(mem[2].v, 1); r[0] = R(y))
P(sb1_rmw, W(y, 1); XCHG(mem[2].v, 1); r[1] = R(x))
P(sb0_rmwrlx, W(x, 1); XCHG_RLX(mem[2].v, 1); r[0] = R(y))
P(sb1_rmwrlx, W(y, 1); XCHG_RLX(mem[2].v, 1); r[1] = R(x))
P(sb0_or, OR_VOID(x, 1); r[0] = R(y))
P(sb1_or, OR_VOID(y, 1); r[1] = R(x))
P(sb0_or_mb, OR_VOID(x, 1); smp_mb(); r[0] = R(y))
P(sb1_or_mb, OR_VOID(y, 1); smp_mb(); r[1] = R(x))
P(sb0_lock, ex_lock(lock); W(x, 1); ex_unlock(lock); r[0] = R(y))
P(sb1_lock, ex_lock(lock); W(y, 1); ex_unlock(lock); r[1] = R(x))
P(sb0_lock2, ex_lock(lock); W(x, 1); ex_unlock(lock); r[0] = R(y))
P(sb1_lock2, ex_lock(lock2); W(y, 1); ex_unlock(lock2); r[1] = R(x))
P(sb0_rfi, W(x, 1); r[2] = R(x); r[0] = R(y))
P(sb1_rfi, W(y, 1); r[3] = R(y); r[1] = R(x))
WEAK(rfi_weak, sb_weak() && r[2] == 1 && r[3] == 1)
WEAK(rfi_wrong, r[2] != 1 || r[3] != 1)

P(mp0, W(x, 1); W(y, 1))
P(mp0_wmb, W(x, 1); smp_wmb(); W(y, 1))
P(mp0_mb, W(x, 1); smp_mb(); W(y, 1))
P(mp0_rel, W(x, 1); REL(y, 1))
P(mp0_rel2, REL(x, 1); W(y, 1))
P(mp0_or, W(x, 1); OR_VOID(y, 1))
P(mp0_or_rel, W(x, 1); smp_wmb(); OR_VOID(y, 1))
P(mp0_rmw, W(x, 1); XCHG(y, 1))
P(mp0_rmwrlx, W(x, 1); XCHG_RLX(y, 1))
P(mp0_unlock, ex_lock(lock); W(x, 1); ex_unlock(lock); smp_wmb(); W(y, 1))
P(mp1, r[0] = R(y); r[1] = R(x))
P(mp1_acq, r[0] = __atomic_load_n(&y, __ATOMIC_ACQUIRE); r[1] = R(x))
WEAK(mp_weak, r[0] == 1 && r[1] == 0)

P(ml0, ex_lock(lock); W(x, 1); W(y, 1); ex_unlock(lock))
P(ml1, ex_lock(lock); r[0] = R(y); r[1] = R(x); ex_unlock(lock))
WEAK(ml_weak, r[0] != r[1])

P(lb0, r[0] = R(x); W(y, 1))
P(lb1, r[1] = R(y); W(x, 1))
WEAK(lb_weak, r[0] == 1 && r[1] == 1)

P(w0, W(x, 1); W(y, 2))
P(w1, W(y, 1); W(x, 2))
P(w0_wmb, W(x, 1); smp_wmb(); W(y, 2))
P(w1_wmb, W(y, 1); smp_wmb(); W(x, 2))
WEAK(w_weak, x == 1 && y == 1)

P(iriw0, W(x, 1))
P(iriw1, W(y, 1))
P(iriw2, r[0] = R(x); r[1] = R(y))
P(iriw3, r[2] = R(y); r[3] = R(x))
WEAK(iriw_weak, r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0)

P(s0, W(x, 2); W(y, 1))
P(s0_wmb, W(x, 2); smp_wmb(); W(y, 1))
P(s1, r[0] = R(y); W(x, 1))
WEAK(s_weak, x == 2 && r[0] == 1)

P(r0, W(x, 1); W(y, 1))
P(r0_wmb, W(x, 1); smp_wmb(); W(y, 1))
P(r1, W(y, 2); r[0] = R(x))
P(r1_mb, W(y, 2); smp_mb(); r[0] = R(x))
WEAK(r_weak, y == 2 && r[0] == 0)

P(co0, W(x, 1); W(x, 2))
P(co1, r[0] = R(x); r[1] = R(x))
WEAK(co_weak, r[0] == 2 && r[1] != 2)

/* Two halves of a word: a store of one is no store of the other */
#define LO	(((uint32_t *)&x)[0])
#define HI	(((uint32_t *)&x)[1])
P(half0, W(LO, 1); r[0] = R(HI))
P(half1, W(HI, 1); r[1] = R(LO))
P(whole0, W(x, 1); r[2] = R(LO); W(HI, 5); r[3] = R(x))
WEAK(whole_wrong, r[2] != 1 || r[3] != (5ul << 32 | 1) || x != r[3])

static const struct shape shapes[] = {
	{ "SB", 2, { sb0, sb1 }, sb_weak, { NO, YES, YES } },
	{ "SB, plain accesses", 2, { sb0_plain, sb1_plain }, sb_weak, { NO, YES, YES } },
	{ "SB+mb+mb", 2, { sb0_mb, sb1_mb }, sb_weak, { NO, NO, NO } },
	{ "SB+mb+nothing", 2, { sb0_mb, sb1 }, sb_weak, { NO, YES, YES } },
	{ "SB+wmb+wmb", 2, { sb0_wmb, sb1_wmb }, sb_weak, { NO, YES, YES } },
	{ "SB, release stores", 2, { sb0_rel, sb1_rel }, sb_weak, { NO, YES, YES } },
	{ "SB, store and smp_mb() in one", 2, { sb0_full, sb1_full }, sb_weak, { NO, NO, NO } },
	{ "SB, xchg()", 2, { sb0_xchg, sb1_xchg }, sb_weak, { NO, NO, NO } },
	{ "SB, an xchg() between", 2, { sb0_rmw, sb1_rmw }, sb_weak, { NO, NO, NO } },
	{ "SB, an xchg_relaxed() between", 2, { sb0_rmwrlx, sb1_rmwrlx }, sb_weak, { NO, NO, YES } },
	{ "SB, set_bit()", 2, { sb0_or, sb1_or }, sb_weak, { NO, NO, YES } },
	{ "SB, set_bit() and smp_mb()", 2, { sb0_or_mb, sb1_or_mb }, sb_weak, { NO, NO, NO } },
	{ "SB, one lock", 2, { sb0_lock, sb1_lock }, sb_weak, { NO, NO, NO } },
	{ "SB, two locks: an unlock is no full barrier", 2, { sb0_lock2, sb1_lock2 }, sb_weak, { NO, YES, YES } },
	{ "SB, own store read", 2, { sb0_rfi, sb1_rfi }, rfi_weak, { NO, YES, YES } },
	{ "own store always read", 2, { sb0_rfi, sb1_rfi }, rfi_wrong, { NO, NO, NO } },
	{ "MP", 2, { mp0, mp1 }, mp_weak, { NO, NO, YES } },
	{ "MP+wmb", 2, { mp0_wmb, mp1 }, mp_weak, { NO, NO, NO } },
	{ "MP+mb", 2, { mp0_mb, mp1 }, mp_weak, { NO, NO, NO } },
	{ "MP, release and acquire", 2, { mp0_rel, mp1_acq }, mp_weak, { NO, NO, NO } },
	{ "MP, the wrong store a release", 2, { mp0_rel2, mp1_acq }, mp_weak, { NO, NO, YES } },
	{ "MP, set_bit()", 2, { mp0_or, mp1 }, mp_weak, { NO, NO, YES } },
	{ "MP, smp_wmb() and set_bit()", 2, { mp0_or_rel, mp1 }, mp_weak, { NO, NO, NO } },
	{ "MP, xchg()", 2, { mp0_rmw, mp1 }, mp_weak, { NO, NO, NO } },
	{ "MP, xchg_relaxed()", 2, { mp0_rmwrlx, mp1 }, mp_weak, { NO, NO, YES } },
	{ "MP, after an unlock", 2, { mp0_unlock, mp1 }, mp_weak, { NO, NO, NO } },
	{ "MP under a lock", 2, { ml0, ml1 }, ml_weak, { NO, NO, NO } },
	{ "LB (not modelled: loads are in order)", 2, { lb0, lb1 }, lb_weak, { NO, NO, NO } },
	{ "2+2W", 2, { w0, w1 }, w_weak, { NO, NO, YES } },
	{ "2+2W+wmb+wmb", 2, { w0_wmb, w1_wmb }, w_weak, { NO, NO, NO } },
	{ "IRIW", 4, { iriw0, iriw1, iriw2, iriw3 }, iriw_weak, { NO, NO, NO } },
	{ "S", 2, { s0, s1 }, s_weak, { NO, NO, YES } },
	{ "S+wmb", 2, { s0_wmb, s1 }, s_weak, { NO, NO, NO } },
	{ "R", 2, { r0, r1 }, r_weak, { NO, YES, YES } },
	{ "R+nothing+mb", 2, { r0, r1_mb }, r_weak, { NO, NO, YES } },
	{ "R+wmb+mb", 2, { r0_wmb, r1_mb }, r_weak, { NO, NO, NO } },
	{ "R+wmb+nothing", 2, { r0_wmb, r1 }, r_weak, { NO, YES, YES } },
	{ "CoRR", 2, { co0, co1 }, co_weak, { NO, NO, NO } },
	{ "SB, halves of a word", 2, { half0, half1 }, sb_weak, { NO, YES, YES } },
	{ "stores of different sizes overlap", 1, { whole0 }, whole_wrong, { NO, NO, NO } },
};

static const struct shape *now;

static void body(void *arg)
{
	now->fn[(long)arg]();
}

static void final(void *arg)
{
	(void)arg;
	ex_assert(!now->weak(), "weak");
}

static const struct ex_thread threads[] = {
	{ body, (void *)0 }, { body, (void *)1 },
	{ body, (void *)2 }, { body, (void *)3 },
};

int main(void)
{
	static const char *const modes[] = { "SC", "TSO", "PSO" };
	static const enum ex_strategy how[] = {
		EX_DPOR, EX_BOUNDED, EX_RANDOM, EX_PCT,
	};
	unsigned int i, m, h, missed = 0, wrong = 0;
	struct ex_result res, rp;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		struct ex_test t = {
			.threads = threads, .setup = setup, .final = final,
		};

		now = &shapes[i];
		t.name = now->name;
		t.nthreads = now->n;
		for (m = 0; m < 3; m++) {
			struct ex_opts o = { .memory = m, .quiet = true,
					     .strategy = EX_DPOR };

			ex_run(&t, &o, &res);
			ok(now->want[m] == YES ? res.status == EX_FAIL :
			   res.status == EX_PASS &&
			   res.coverage == EX_COV_COMPLETE,
			   "%s: %s under %s (%lu schedules)", now->name,
			   now->want[m] ? "seen" : "never", modes[m],
			   res.schedules);
			if (res.status == EX_FAIL) {
				struct ex_opts ro = { .replay = res.replay,
						      .quiet = true };

				if (ex_run(&t, &ro, &rp) != EX_FAIL)
					missed++;
			}
			/* The others never see what the complete one does not */
			for (h = 1; h < 4; h++) {
				o.strategy = how[h];
				o.schedules = 300;
				ex_run(&t, &o, &res);
				if (res.status == EX_FAIL && !now->want[m])
					wrong++;
				if (res.status != EX_FAIL && now->want[m] &&
				    how[h] == EX_BOUNDED)
					missed++;
			}
		}
	}
	ok(!wrong, "bounded and random search see nothing more (%u)", wrong);
	ok(!missed, "bounded search sees it all, and every failure replays (%u)",
	   missed);
	return done_testing();
}
