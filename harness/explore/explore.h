/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A deterministic explorer of interleavings.
 *
 * Code under test is compiled with -fsanitize=thread (EX_CFLAGS in
 * explore.mk) and linked against this library rather than libtsan. Simulated
 * CPUs are coroutines; every access to registered shared memory is a
 * scheduling point that this library owns. See README.md here for what is
 * explored, and its limits.
 */
#ifndef HARNESS_EXPLORE_H
#define HARNESS_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "explore-prims.h"

#define EX_MAX_THREADS	256
#define EX_MAX_IRQS	32

/**
 * struct ex_thread - a simulated thread, on a CPU of its own unless said
 * @fn: its body
 * @arg: passed to @fn
 * @cpu: the CPU it starts on plus one; 0 means the thread's index
 * @name: for reports; may be NULL
 */
struct ex_thread {
	void (*fn)(void *arg);
	void *arg;
	int cpu;
	const char *name;
};

/**
 * struct ex_irq - an interrupt: runs exactly once, at a time that is explored
 * @fn: its body; it must not sleep
 * @arg: passed to @fn
 * @thread: the thread that it interrupts: before any shared access of it,
 *	    while it sleeps, or after it ended; not while interrupts are off
 * @name: for reports; may be NULL
 */
struct ex_irq {
	void (*fn)(void *arg);
	void *arg;
	int thread;
	const char *name;
};

/**
 * struct ex_test - a small program to explore
 * @name: for reports
 * @arg: passed to the functions below
 * @nthreads: how many of @threads
 * @threads: the thread bodies
 * @nirqs: how many of @irqs
 * @irqs: the interrupts; may be NULL
 * @setup: puts all state back to the start; runs before every schedule
 * @final: checks, when all threads and interrupts ended; may be NULL
 * @invariant: checks before every scheduling decision; may be NULL. It reads
 *	       memory as it is, store buffers aside. With EX_DPOR it sees one
 *	       order of independent steps, not all of them
 * @teardown: frees what setup took; also after a failed schedule; may be NULL
 */
struct ex_test {
	const char *name;
	void *arg;
	int nthreads;
	const struct ex_thread *threads;
	int nirqs;
	const struct ex_irq *irqs;
	void (*setup)(void *arg);
	void (*final)(void *arg);
	void (*invariant)(void *arg);
	void (*teardown)(void *arg);
};

/* How to look for schedules */
enum ex_strategy {
	EX_AUTO,	/* DPOR within the budget, else BOUNDED, else RANDOM */
	EX_DPOR,	/* complete modulo partial-order reduction */
	EX_BOUNDED,	/* all schedules with at most .preemptions preemptions */
	EX_RANDOM,	/* .schedules seeded random ones */
	EX_PCT,		/* .schedules seeded ones with random priorities */
	EX_BRUTE,	/* all interleavings, no reduction: for cross-checks */
	EX_DRIVE,	/* one long run, by ex_set_scheduler() or round robin */
	EX_REPLAY,	/* the one in .replay */
};

/* How stores become visible to other threads */
enum ex_memory {
	EX_SC,		/* at once */
	EX_TSO,		/* one FIFO a thread, as on x86 */
	EX_PSO,		/* one FIFO a thread and address; relaxed RMW is late too */
};

/**
 * struct ex_opts - zero is a sensible default for every member
 * @strategy: EX_AUTO
 * @memory: EX_SC
 * @max_schedules: for a complete or bounded search; 0: 1000000
 * @max_seconds: for each of the stages of a search, of CPU time; 0: 20
 * @complete_seconds: for the complete stage of EX_AUTO; 0: max_seconds
 * @preemptions: bound of EX_BOUNDED plus one; 0: bound 2
 * @schedules: how many random ones; 0: 10000
 * @seed: of EX_RANDOM, EX_PCT, EX_DRIVE
 * @max_steps: of one schedule, 0: 20000 (EX_DRIVE: no bound)
 * @pct_depth: number of priority changes plus one in EX_PCT; 0: 3
 * @replay: a string that an earlier failure printed
 * @keep_going: do not stop at the first failure, count them
 * @no_minimise: print the failing schedule as it was found
 * @quiet: do not print a failing schedule (the result has it)
 * @out: where to print; NULL: stdout, each line with "# "
 * @on_end: called after every schedule that ran to its end or into a deadlock,
 *	    with a hash that is the same for two schedules exactly when they
 *	    differ only in the order of independent steps (not EX_RANDOM,
 *	    EX_PCT, EX_DRIVE)
 * @on_end_arg: passed to @on_end
 */
struct ex_opts {
	enum ex_strategy strategy;
	enum ex_memory memory;
	uint64_t max_schedules;
	double max_seconds;
	double complete_seconds;
	int preemptions;
	uint64_t schedules;
	uint64_t seed;
	uint64_t max_steps;
	int pct_depth;
	const char *replay;
	bool keep_going;
	bool no_minimise;
	bool quiet;
	FILE *out;
	void (*on_end)(void *arg, uint64_t hash);
	void *on_end_arg;
};

enum ex_status {
	EX_PASS,	/* no schedule of those looked at fails */
	EX_FAIL,	/* an assertion, a crash, a bad access */
	EX_DEADLOCK,	/* unfinished threads, nobody can run: also lost wakeups */
};

enum ex_coverage {
	EX_COV_NONE,	/* not even all random schedules */
	EX_COV_COMPLETE,
	EX_COV_BOUNDED,
	EX_COV_RANDOM,
};

/**
 * struct ex_result - what a run found
 * @status: of the first failure
 * @coverage: what was explored in full
 * @bound: for EX_COV_BOUNDED, the preemption bound explored in full
 * @schedules: run to their end (in all stages)
 * @steps: shared accesses and other scheduling points, all schedules
 * @blocked: schedules cut off by sleep sets
 * @too_long: schedules cut off by max_steps: a livelock, or a low bound. They
 *	      are no failures, but coverage is at most random then
 * @yields: ex_yield() was called: unfair schedules were left out
 * @failures: number of failed schedules
 * @max_depth: steps of the longest schedule
 * @preemptions: of the failing schedule
 * @stray_writes: writes of threads to memory that is neither their stack nor
 *		  registered: such memory is not explored
 * @sb_drained: stores that went to memory at once, all older ones first,
 *		because the store buffer could not hold them (more addresses than
 *		it has FIFOs; unaligned; over 8 bytes)
 * @stray_pc: address of the first one's code
 * @seconds: elapsed
 * @replay: the failing schedule; empty if none
 * @message: why it failed
 */
struct ex_result {
	enum ex_status status;
	enum ex_coverage coverage;
	int bound;
	uint64_t schedules;
	uint64_t steps;
	uint64_t blocked;
	uint64_t too_long;
	uint64_t yields;
	uint64_t failures;
	uint64_t max_depth;
	int preemptions;
	uint64_t sb_drained;
	uint64_t stray_writes;
	uintptr_t stray_pc;
	double seconds;
	char message[512];
	char replay[16384];
};

/**
 * ex_run() - explore a test
 * @t: the test
 * @o: how; NULL for the defaults
 * @r: filled; may be NULL
 *
 * Return: r->status. A replay string that does not parse, or does not fit the
 * test, prints one line and exits with 2.
 */
enum ex_status ex_run(const struct ex_test *t, const struct ex_opts *o,
		      struct ex_result *r);

/**
 * ex_coverage_str() - "complete", "bounded by 2 preemptions", "random (N)"
 * @r: the result
 *
 * Return: a static buffer.
 */
const char *ex_coverage_str(const struct ex_result *r);

/**
 * ex_report() - one line: name, status, coverage, counts
 * @t: the test
 * @r: its result
 * @out: where to
 */
void ex_report(const struct ex_test *t, const struct ex_result *r, FILE *out);

/**
 * ex_args() - options of a test program
 * @argc: of main()
 * @argv: of main()
 * @o: filled from --replay STRING, --seed N, --strategy NAME, --memory NAME,
 *     --preemptions N, --schedules N, --max-schedules N, --max-seconds N,
 *     --max-steps N; what is not given stays as it is
 *
 * Return: index of the first argument that is none of these. Bad input prints
 * one line and exits with 2.
 */
int ex_args(int argc, char **argv, struct ex_opts *o);

/* Watching, and driving, without exploration ------------------------------ */

enum ex_kind {
	EX_READ,	/* plain, volatile or atomic load */
	EX_WRITE,	/* plain, volatile or atomic store */
	EX_RMW,		/* atomic read-modify-write, CAS included */
	EX_FENCE,
	EX_LOCK,	/* acquisition: an RMW that was delayed until free */
	EX_TRYLOCK,
	EX_UNLOCK,	/* a release store of 0 */
	EX_BLOCK,	/* a sleep: schedulable when its condition holds */
	EX_CHOOSE,
	EX_YIELD,
	EX_IRQ_START,
	EX_FLUSH,	/* a buffered store reaches memory */
	EX_END,
	EX_FREE,	/* ex_free(): conflicts with every access to the object */
};

#define EX_F_VOLATILE	1u	/* READ_ONCE(), WRITE_ONCE() */
#define EX_F_ATOMIC	2u	/* __atomic_*; .order is valid */
#define EX_F_CAS	4u
#define EX_F_IRQ	8u	/* by an interrupt body */

/**
 * struct ex_event - a shared access that is about to happen
 * @addr: its address
 * @size: in bytes
 * @kind: EX_READ, EX_WRITE, EX_RMW, EX_LOCK, EX_TRYLOCK, EX_UNLOCK, EX_FENCE;
 *	  and EX_BLOCK (addr 0) once when a thread goes to sleep, EX_YIELD,
 *	  EX_END when a body ends
 * @flags: EX_F_*
 * @order: __ATOMIC_* of an atomic
 * @thread: who
 * @cpu: where
 * @pc: the code's address
 */
struct ex_event {
	uintptr_t addr;
	unsigned int size;
	uint8_t kind;
	uint8_t flags;
	uint8_t order;
	int thread;
	int cpu;
	uintptr_t pc;
};

/**
 * ex_set_observer() - have every shared access reported
 * @fn: called once for each access, just before it is performed; NULL: none
 * @arg: passed to @fn
 *
 * Works with every strategy; meant for EX_DRIVE.
 */
void ex_set_observer(void (*fn)(void *arg, const struct ex_event *ev),
		     void *arg);

/**
 * ex_set_scheduler() - decide who runs next in EX_DRIVE
 * @fn: called before every shared access with the thread that is about to
 *	make it; returns the thread to run now, which must satisfy
 *	ex_runnable(). @cur is -1 if the last one ended or cannot run. Returning
 *	-1 ends the run. NULL: round robin, an access each (seed 0) or random
 *	(any other seed)
 * @arg: passed to @fn
 *
 * A discrete-event model charges the access of a thread in its observer, and
 * returns the thread whose clock is least.
 */
void ex_set_scheduler(int (*fn)(void *arg, int cur), void *arg);

/**
 * ex_set_wakeup() - be told when a thread becomes runnable again (EX_DRIVE)
 * @fn: called when a thread that was blocked (lock, ex_block, ex_sleep) can
 *	run, with that thread and the one whose step made it so. Of those that
 *	wait for a lock only the first one is woken, as by a queued spin lock;
 *	if another one takes the lock before it runs, it waits again
 * @arg: passed to @fn
 */
void ex_set_wakeup(void (*fn)(void *arg, int thread, int by), void *arg);

/** ex_runnable() - can @thread take a step now? */
bool ex_runnable(int thread);

/**
 * ex_next() - what @thread does when it is run next
 * @thread: index
 * @ev: filled
 *
 * Return: false if it ended.
 */
bool ex_next(int thread, struct ex_event *ev);

/** ex_stop() - end an EX_DRIVE run at the next shared access; no failure */
void ex_stop(void);

#endif
