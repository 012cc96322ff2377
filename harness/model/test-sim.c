// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine of the model against sequences worked out by hand: each step
 * says when a CPU does what to which line, and when it must be done. The sums
 * are written out beside the steps. Then random accesses, which the second
 * implementation (naive.c) must count alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim.h"

/* 2 sockets, a node each, of 2 complexes of 2 cores: CPUs 0-3 and 4-7 */
static const struct sim_machine eight = {
	.name = "eight", .sockets = 2, .nodes = 1, .complexes = 2, .cores = 2,
	.nr_cpus = 8, .nr_nodes = 2,
	.hit = 1, .atomic = 5, .fence = 3, .hold = 0.5, .share = 10,
	.lat = { [SIM_COMPLEX] = 20, [SIM_NODE] = 50, [SIM_SOCKET] = 70,
		 [SIM_CROSS] = 100, [SIM_MEM_NEAR] = 80, [SIM_MEM_FAR] = 150 },
	.mem_socket = 110, .home_socket = 40, .home_node = 15, .resolve = 0,
};

enum { END, READ = 'r', WRITE = 'w', RMW = 'a', FENCE = 'f', LOCK = 'l',
	UNLOCK = 'u' };

struct step {
	int cpu, at;		/* starts then, or when the one before is done */
	int what;
	int line, word;
	int done;		/* by hand */
};

static const struct step *steps;
static char *mem;
static int failed;

static void run_steps(void *arg)
{
	int cpu = (int)(long)arg;
	const struct step *s;

	for (s = steps; s->what; s++) {
		uintptr_t a = (uintptr_t)mem + s->line * SIM_LINE + s->word * 8;
		double now;

		if (s->cpu != cpu)
			continue;
		if (s->at >= 0)
			sim_wait_until(s->at * SIM_NS);
		switch (s->what) {
		case READ:
			sim_access(a, SIM_READ);
			break;
		case WRITE:
			sim_access(a, SIM_WRITE);
			break;
		case RMW:
			sim_access(a, SIM_RMW);
			break;
		case FENCE:
			sim_fence();
			break;
		case LOCK:
			sim_lock((void *)a);
			break;
		case UNLOCK:
			sim_unlock((void *)a);
			break;
		}
		now = (double)(sim_now() >> 8) / 1000;
		if (now != s->done) {
			print_error("step %ld: CPU %d is done at %g, by hand at %d\n",
				    (long)(s - steps), cpu, now, s->done);
			failed++;
		}
	}
	sim_end();
}

static void run(const struct sim_machine *m, const struct step *s, int home)
{
	unsigned int cpu;

	sim_init(m, false);
	mem = sim_alloc(16 * SIM_LINE, SIM_LINE, home, SIM_K_OTHER);
	steps = s;
	failed = 0;
	for (cpu = 0; cpu < m->nr_cpus; cpu++)
		sim_start(cpu, run_steps, (void *)(long)cpu);
	sim_run();
	assert_int_equal(failed, 0);
}

static uint64_t count(enum sim_class c)
{
	uint64_t n = 0;
	int k;

	for (k = 0; k < SIM_KINDS; k++)
		n += sim.st.n[k][c];
	return n;
}

static void two_cpus_one_line(void **state)
{
	static const struct step s[] = {
		{ 0, 0, READ, 0, 0, 81 },	/* 0 + 80 near memory + 1 */
		{ 0, 100, READ, 0, 0, 101 },	/* its own: 1 */
		{ 4, 200, RMW, 0, 0, 305 },	/* 200 + 100 cross + 5 */
		{ 4, 310, RMW, 0, 0, 315 },	/* its own: 5 */
		{ 0, 400, WRITE, 0, 0, 401 },	/* leaves by the store buffer */
		{ 0, -1, FENCE, 0, 0, 503 },	/* 400 + 100, then 3 */
		{ 4, 600, READ, 0, 0, 701 },	/* 600 + 100 + 1: both share */
		{ 0, 800, READ, 0, 0, 801 },	/* still there: 1 */
		{ 0, 900, RMW, 0, 0, 1005 },	/* CPU 4 loses it: 100, and 5 */
		{ 4, 1100, READ, 0, 0, 1201 },
		{ 0 }
	};

	(void)state;
	run(&eight, s, 0);
	assert_int_equal(count(SIM_CROSS), 5);
	assert_int_equal(count(SIM_MEM_NEAR), 1);
	assert_int_equal(sim.st.queued, 0);
}

static void false_sharing(void **state)
{
	static const struct step s[] = {
		{ 0, 0, RMW, 0, 0, 85 },	/* 80 + 5 */
		{ 1, 100, RMW, 0, 1, 125 },	/* another word: 20 + 5 all the same */
		{ 0, 200, RMW, 0, 0, 225 },
		{ 1, 300, RMW, 0, 1, 325 },
		/* the same with a line each */
		{ 0, 400, RMW, 1, 0, 485 },
		{ 1, 400, RMW, 2, 0, 485 },
		{ 0, 500, RMW, 1, 0, 505 },
		{ 1, 500, RMW, 2, 0, 505 },
		{ 0 }
	};

	(void)state;
	run(&eight, s, 0);
	assert_int_equal(count(SIM_COMPLEX), 3);
}

static void queue_at_one_line(void **state)
{
	static const struct step s[] = {
		{ 0, 0, RMW, 0, 0, 85 },
		{ 1, 200, RMW, 0, 0, 225 },	/* 200 + 20 + 5 */
		{ 2, 200, RMW, 0, 0, 275 },	/* from 220: 50, and 5 */
		{ 4, 200, RMW, 0, 0, 375 },	/* from 270: 100, and 5 */
		{ 5, 200, RMW, 0, 0, 395 },	/* from 370: 20, and 5 */
		/* readers of a shared line: the directory is busy for 10 */
		{ 0, 1000, READ, 0, 0, 1101 },	/* owner 5: 100 */
		{ 4, 1200, READ, 0, 0, 1221 },	/* 20, from CPU 5 */
		{ 6, 1200, READ, 0, 0, 1301 },	/* from 1210: 50, 40 to ask socket 0 */
		{ 1, 1300, READ, 0, 0, 1321 },	/* 20, from CPU 0 */
		{ 0 }
	};

	(void)state;
	run(&eight, s, 0);
	/* 20 + 70 + 170, then 10 */
	assert_int_equal(sim.st.queued / 1000, 270);
}

static void far_home(void **state)
{
	static const struct step s[] = {
		{ 0, 0, READ, 0, 0, 151 },	/* far memory */
		{ 2, 200, READ, 0, 0, 291 },	/* 50, and 40 to ask socket 1 */
		{ 3, 400, READ, 0, 0, 421 },	/* CPU 2 is in its complex: 20 */
		{ 1, 500, RMW, 0, 0, 595 },	/* 2 and 3 lose it: 50 + 40 + 5 */
		{ 0, 700, RMW, 0, 0, 725 },	/* in the complex: 20 + 5 */
		{ 4, 800, RMW, 0, 0, 905 },	/* its own node is the home: 100 */
		{ 0 }
	};
	static const struct step near[] = {
		{ 0, 0, READ, 0, 0, 81 },
		{ 2, 200, READ, 0, 0, 251 },	/* no detour */
		{ 0 }
	};
	struct sim_machine m = eight;

	(void)state;
	run(&eight, s, 1);
	run(&eight, near, 0);
	/* Where a socket settles it alone there is no detour either. */
	m.resolve = 2;
	run(&m, (const struct step[]){
		{ 0, 0, READ, 0, 0, 151 }, { 2, 200, READ, 0, 0, 251 }, { 0 }
	}, 1);
}

/* Two nodes a socket: memory and homes of the other node */
static void nodes_of_a_socket(void **state)
{
	static const struct step s[] = {
		{ 0, 0, READ, 0, 0, 111 },	/* the socket's other node: 110 */
		{ 1, 200, READ, 0, 0, 266 },	/* 50, and 15 to ask node 1 */
		{ 2, 400, RMW, 0, 0, 475 },	/* 70 + 5; it is the home */
		{ 4, 600, RMW, 0, 0, 705 },	/* 100 + 5; home at CPU 2 */
		{ 6, 800, RMW, 0, 0, 915 },	/* 70, and 40 to the other socket */
		{ 0 }
	};
	struct sim_machine m = eight;

	(void)state;
	m.nodes = 2;
	m.complexes = 2;
	m.cores = 1;
	m.nr_nodes = 4;
	run(&m, s, 1);
}

static void owner_keeps_it_for_a_while(void **state)
{
	static const struct step s[] = {
		{ 0, 0, RMW, 0, 0, 85 },
		{ 4, 200, RMW, 0, 0, 305 },	/* leaves CPU 0 at 250 */
		{ 0, 240, RMW, 0, 0, 245 },	/* so this is a hit */
		{ 0, 260, RMW, 0, 0, 405 },	/* this is not: from 300, 100 + 5 */
		{ 4, 340, RMW, 0, 0, 345 },	/* leaves CPU 4 at 350 */
		{ 0 }
	};

	(void)state;
	run(&eight, s, 0);
	assert_int_equal(count(SIM_CROSS), 2);
}

static void store_buffer(void **state)
{
	static const struct step s[] = {
		{ 0, 0, RMW, 0, 0, 85 },
		{ 0, 90, RMW, 1, 0, 175 },
		{ 4, 200, WRITE, 0, 0, 201 },	/* there at 300 */
		{ 4, -1, WRITE, 1, 0, 202 },	/* there at 301 */
		{ 4, -1, READ, 0, 0, 203 },	/* its own store: 1 */
		{ 4, -1, RMW, 2, 0, 456 },	/* after both: 301 + 150 + 5 */
		{ 0 }
	};

	(void)state;
	run(&eight, s, 0);
}

static void locks_in_order(void **state)
{
	(void)state;
	/* By hand: unlock at 1000 fetches the line, 1000 to 1100; CPU 2 is
	 * woken at 1001, waits for 1100, 50: 1150, and 5. It unlocks at 2000,
	 * the line is its own: 2001. CPU 4 is woken, 100: 2101, and 5.
	 */
	run(&eight, (const struct step[]){
		{ 0, 0, LOCK, 0, 0, 85 },
		{ 2, 190, LOCK, 0, 0, 1155 },
		{ 4, 200, LOCK, 0, 0, 2106 },
		{ 0, 1000, UNLOCK, 0, 0, 1001 },
		{ 2, 2000, UNLOCK, 0, 0, 2001 },
		{ 0 }
	}, 0);
}

static void wait_for_ever(void *arg)
{
	(void)arg;
	sim_wait_until(SIM_NEVER);
	sim_end();
}

static void stall_is_seen(void **state)
{
	(void)state;
	sim_init(&eight, false);
	sim_start(0, wait_for_ever, NULL);
	assert_int_equal(sim_run(), -1);
	assert_non_null(sim.stalled);
}

/* ---- the second opinion ---- */

static unsigned long rng;
static unsigned int rnd(unsigned int n)
{
	rng = rng * 6364136223846793005UL + 1442695040888963407UL;
	return (rng >> 33) % n;
}

static unsigned int left;

static void any_access(void *arg)
{
	(void)arg;
	while (left) {
		left--;
		if (!rnd(4))
			sim_wait_until(sim_now() + rnd(300) * SIM_NS);
		sim_access((uintptr_t)mem + rnd(12) * SIM_LINE + rnd(8) * 8,
			   (enum sim_op)rnd(3));
	}
	sim_end();
}

static void second_opinion(void **state)
{
	static const unsigned int shape[][4] = {
		{ 1, 1, 1, 8 }, { 2, 1, 2, 2 }, { 2, 2, 2, 4 }, { 4, 1, 1, 32 },
		{ 2, 2, 8, 8 }, { 8, 1, 4, 8 },
	};
	uint64_t other[SIM_CLASSES];
	unsigned int i, cpu, c;

	(void)state;
	for (i = 0; i < sizeof(shape) / sizeof(shape[0]); i++) {
		struct sim_machine m = eight;

		m.sockets = shape[i][0];
		m.nodes = shape[i][1];
		m.complexes = shape[i][2];
		m.cores = shape[i][3];
		m.nr_nodes = m.sockets * m.nodes;
		m.nr_cpus = m.nr_nodes * m.complexes * m.cores;
		sim_init(&m, true);
		mem = sim_alloc(16 * SIM_LINE, SIM_LINE, 0, SIM_K_OTHER);
		for (c = 0; c < 16; c++)
			sim_place(mem + c * SIM_LINE, SIM_LINE,
				  c % m.nr_nodes, -1);
		rng = i + 1;
		left = 50000;
		for (cpu = 0; cpu < m.nr_cpus; cpu++)
			sim_start(cpu, any_access, NULL);
		sim_run();
		naive_totals(other);
		for (c = SIM_COMPLEX; c < SIM_CLASSES; c++)
			assert_int_equal(count(c), other[c]);
		assert_true(count(SIM_MEM_NEAR) + count(SIM_MEM_FAR) == 12);
		/* A count that cannot differ would be worth nothing. */
		if (m.nr_cpus > 2) {
			naive_access(0, (uintptr_t)(mem - SIM_BASE) / SIM_LINE,
				     true, 0);
			naive_access(1, (uintptr_t)(mem - SIM_BASE) / SIM_LINE,
				     true, 0);
			naive_totals(other);
			assert_true(count(SIM_COMPLEX) != other[SIM_COMPLEX] ||
				    count(SIM_NODE) != other[SIM_NODE] ||
				    count(SIM_SOCKET) != other[SIM_SOCKET] ||
				    count(SIM_CROSS) != other[SIM_CROSS]);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_cpus_one_line),
		cmocka_unit_test(false_sharing),
		cmocka_unit_test(queue_at_one_line),
		cmocka_unit_test(far_home),
		cmocka_unit_test(nodes_of_a_socket),
		cmocka_unit_test(owner_keeps_it_for_a_while),
		cmocka_unit_test(store_buffer),
		cmocka_unit_test(locks_in_order),
		cmocka_unit_test(stall_is_seen),
		cmocka_unit_test(second_opinion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
