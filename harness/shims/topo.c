// SPDX-License-Identifier: GPL-2.0-only
/* The machines that a test can ask for by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hs.h"

struct hs_topo hs_topo;

enum odd { PLAIN, MEMORYLESS, CPULESS, SPARSE, NONODE, LATE };

static const struct {
	const char *name;
	const char *what;
	unsigned int nodes;
	unsigned int cpus;	/* per node that has any */
	enum odd odd;
} machines[] = {
	{ "up", "1 node, 1 CPU", 1, 1, PLAIN },
	{ "one", "1 node, 8 CPUs", 1, 8, PLAIN },
	{ "two", "2 nodes, 4 CPUs each", 2, 4, PLAIN },
	{ "three", "3 nodes, 4 CPUs each", 3, 4, PLAIN },
	{ "four", "4 nodes, 4 CPUs each", 4, 4, PLAIN },
	{ "eight", "8 nodes, 4 CPUs each", 8, 4, PLAIN },
	{ "four32", "4 nodes, 32 CPUs each", 4, 32, PLAIN },
	{ "eight32", "8 nodes, 32 CPUs each", 8, 32, PLAIN },
	{ "memoryless", "4 nodes, node 1 has CPUs and no memory", 4, 4, MEMORYLESS },
	{ "cpuless", "4 nodes, node 2 has memory and no CPU", 4, 4, CPULESS },
	{ "sparse", "2 nodes with the ids 0 and 8", 2, 4, SPARSE },
	{ "nonode", "2 nodes, the last CPU belongs to none", 2, 4, NONODE },
	{ "late", "3 nodes, node 2 and its CPUs' node appear later", 3, 4, LATE },
};

/**
 * hs_topo_name() - the names there are
 * @i: from 0
 *
 * Return: NULL after the last.
 */
const char *hs_topo_name(unsigned int i)
{
	return i < sizeof(machines) / sizeof(machines[0]) ? machines[i].name :
							     NULL;
}

static void distances(void)
{
	unsigned int a, b, n = hs_topo.nr_nodes;

	for (a = 0; a < n; a++) {
		for (b = 0; b < n; b++) {
			unsigned int d = a > b ? a - b : b - a;

			if (d > n - d)
				d = n - d;
			hs_topo.dist[a][b] = d ? 12 + 4 * d : 10;
		}
	}
}

static void fill(unsigned int nodes, unsigned int cpus, enum odd odd)
{
	unsigned int i, c = 0, n;

	for (i = 0; i < nodes; i++) {
		n = odd == SPARSE && i ? 8 : i;
		hs_topo.possible |= 1UL << n;
		hs_topo.online |= 1UL << n;
		if (!(odd == MEMORYLESS && n == 1))
			hs_topo.memory |= 1UL << n;
		hs_topo.nr_nodes = n + 1;
		if (odd == CPULESS && n == 2)
			continue;
		for (unsigned int k = 0; k < cpus; k++)
			hs_topo.cpu_node[c++] = n;
	}
	hs_topo.nr_cpus = c;
	if (odd == NONODE)
		hs_topo.cpu_node[c - 1] = -1;
	if (odd == LATE) {
		hs_topo.online &= ~4UL;
		hs_topo.memory &= ~4UL;
		for (i = 0; i < c; i++)
			if (hs_topo.cpu_node[i] == 2)
				hs_topo.cpu_node[i] = -1;
	}
	distances();
}

/**
 * hs_topo_set() - become a machine
 * @name: one of hs_topo_name(), or NxM for N nodes of M CPUs
 *
 * Return: 0, or -1 if there is no such machine (nothing changes).
 */
int hs_topo_set(const char *name)
{
	unsigned int i, nodes, cpus;
	char end;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (strcmp(machines[i].name, name))
			continue;
		memset(&hs_topo, 0, sizeof(hs_topo));
		hs_topo.name = machines[i].name;
		hs_topo.what = machines[i].what;
		fill(machines[i].nodes, machines[i].cpus, machines[i].odd);
		return 0;
	}
	if (sscanf(name, "%ux%u%c", &nodes, &cpus, &end) != 2 || !nodes ||
	    !cpus || nodes > HS_MAX_NODES || cpus > HS_MAX_CPUS ||
	    nodes * cpus > HS_MAX_CPUS)
		return -1;
	memset(&hs_topo, 0, sizeof(hs_topo));
	hs_topo.name = "NxM";
	hs_topo.what = "N nodes of M CPUs";
	fill(nodes, cpus, PLAIN);
	return 0;
}

/**
 * hs_topo_node_up() - the late machine's node appears
 * @node: a possible node; CPUs without a node that lie at its place join it
 */
void hs_topo_node_up(unsigned int node)
{
	unsigned int c;

	if (node >= hs_topo.nr_nodes || !(hs_topo.possible >> node & 1))
		return;
	hs_topo.online |= 1UL << node;
	hs_topo.memory |= 1UL << node;
	for (c = 0; c < hs_topo.nr_cpus; c++)
		if (hs_topo.cpu_node[c] == -1)
			hs_topo.cpu_node[c] = node;
}

/**
 * hs_node_mem() - where memory for a node comes from
 * @node: asked for, -1 for any
 *
 * Return: @node if it has memory, else the nearest that has.
 */
int hs_node_mem(int node)
{
	int n, best = -1;

	if (node < 0)
		return __builtin_ctzl(hs_topo.memory);
	if (hs_topo.memory >> node & 1)
		return node;
	for (n = 0; n < (int)hs_topo.nr_nodes; n++) {
		if (!(hs_topo.memory >> n & 1))
			continue;
		if (best < 0 || hs_topo.dist[node][n] < hs_topo.dist[node][best])
			best = n;
	}
	return best;
}

/**
 * hs_node_cpus() - possible CPUs of a node
 * @node: which, -1 for those without
 * @mask: filled, may be NULL
 *
 * Return: how many.
 */
unsigned int hs_node_cpus(int node, unsigned long mask[HS_MASK_LONGS])
{
	unsigned int c, n = 0;

	if (mask)
		memset(mask, 0, HS_MASK_LONGS * sizeof(*mask));
	for (c = 0; c < hs_topo.nr_cpus; c++) {
		if (hs_topo.cpu_node[c] != node)
			continue;
		n++;
		if (mask)
			mask[c / 64] |= 1UL << (c % 64);
	}
	return n;
}

/** hs_nodes_with_cpus() - mask of the nodes that have possible CPUs. */
unsigned long hs_nodes_with_cpus(void)
{
	unsigned long m = 0;
	unsigned int c;

	for (c = 0; c < hs_topo.nr_cpus; c++)
		if (hs_topo.cpu_node[c] >= 0)
			m |= 1UL << hs_topo.cpu_node[c];
	return m;
}
