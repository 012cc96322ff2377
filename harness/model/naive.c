// SPDX-License-Identifier: GPL-2.0-only
/*
 * A second opinion on the number of transfers: the rules of docs/model.md
 * written down as plainly as possible, without masks, clocks or tables. It
 * shares no code with sim.c, only the machine's description.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define LINES	(SIM_SIZE / SIM_LINE)

/* For each line and CPU: has it a copy, and is the line modified? */
static char *copy[LINES];
static char dirty[LINES], touched[LINES];
static uint64_t total[SIM_CLASSES];
static const struct sim_machine *mach;
static struct sim_machine mine;

void naive_init(const struct sim_machine *m)
{
	unsigned long i;

	for (i = 0; i < LINES; i++) {
		free(copy[i]);
		copy[i] = NULL;
	}
	memset(dirty, 0, sizeof(dirty));
	memset(touched, 0, sizeof(touched));
	memset(total, 0, sizeof(total));
	mine = *m;
	mach = &mine;
}

static int between(unsigned int a, unsigned int b)
{
	unsigned int core = mach->cores, node = core * mach->complexes;
	unsigned int socket = node * mach->nodes;

	if (a / socket != b / socket)
		return SIM_CROSS;
	if (a / node != b / node)
		return SIM_SOCKET;
	if (a / core != b / core)
		return SIM_NODE;
	return SIM_COMPLEX;
}

void naive_access(unsigned int cpu, unsigned long line, bool write, int home)
{
	unsigned int i, near = SIM_CLASSES, far = 0, others = 0;

	if (!copy[line])
		copy[line] = calloc(1, SIM_CPUS);
	if (!touched[line]) {
		touched[line] = 1;
		total[home == (int)(cpu / (mach->cores * mach->complexes)) ?
		      SIM_MEM_NEAR : SIM_MEM_FAR]++;
		copy[line][cpu] = 1;
		dirty[line] = 1;	/* exclusive: a write asks nobody */
		return;
	}
	for (i = 0; i < mach->nr_cpus; i++) {
		if (i == cpu || !copy[line][i])
			continue;
		others++;
		if ((unsigned int)between(cpu, i) < near)
			near = between(cpu, i);
		if ((unsigned int)between(cpu, i) > far)
			far = between(cpu, i);
	}
	if (!write) {
		if (copy[line][cpu]) {
			total[SIM_HIT]++;
			return;
		}
		total[near]++;
		copy[line][cpu] = 1;
		dirty[line] = 0;
		return;
	}
	if (copy[line][cpu] && dirty[line])
		total[SIM_HIT]++;
	else
		total[far]++;
	(void)others;
	memset(copy[line], 0, SIM_CPUS);
	copy[line][cpu] = 1;
	dirty[line] = 1;
}

/** naive_held() - a hit that only clocks can explain */
void naive_held(void)
{
	total[SIM_HIT]++;
}

/** naive_totals() - accesses by class, all kinds together, since the start */
void naive_totals(uint64_t out[SIM_CLASSES])
{
	memcpy(out, total, sizeof(total));
}
