/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_TOPOLOGY_H
#define SHIM_TOPOLOGY_H

#include <linux/cpumask.h>
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/smp.h>

#define LOCAL_DISTANCE	10
#define REMOTE_DISTANCE	20

static inline int cpu_to_node(int cpu)
{
#ifdef HS_CHECKS
	if ((unsigned int)cpu >= hs_topo.nr_cpus) {
		hs_bug(HS_BUG_CPU, "node of CPU %d of %u", cpu, hs_topo.nr_cpus);
		return NUMA_NO_NODE;
	}
#endif
	return hs_topo.cpu_node[cpu];
}

static inline int node_distance(int a, int b)
{
#ifdef HS_CHECKS
	if ((unsigned int)a >= hs_topo.nr_nodes ||
	    (unsigned int)b >= hs_topo.nr_nodes) {
		hs_bug(HS_BUG_CPU, "distance of nodes %d, %d of %u", a, b,
		       hs_topo.nr_nodes);
		return 255;
	}
#endif
	return hs_topo.dist[a][b];
}

#define early_cpu_to_node(cpu)	cpu_to_node(cpu)
#define numa_node_id()		cpu_to_node(hs_cpu())
#define numa_mem_id()		hs_node_mem(numa_node_id())
#define cpu_to_mem(cpu)		hs_node_mem(cpu_to_node(cpu))

/*
 * Nodes by distance from @node, each once; @node is a plain variable and ends
 * as MAX_NUMNODES. @unvisited is consumed.
 */
static inline int hs_nearest(int from, nodemask_t *left)
{
	int n, best = MAX_NUMNODES;

	for_each_node_mask(n, *left) {
		if (best == MAX_NUMNODES || (from >= 0 &&
		    node_distance(from, n) < node_distance(from, best)))
			best = n;
	}
	if (best != MAX_NUMNODES)
		node_clear(best, *left);
	return best;
}
#define for_each_node_numadist(node, unvisited)				\
	for (int __start = (node),					\
	     __unused_ = ((node) = hs_nearest(__start, &(unvisited)), 0);	\
	     (void)__unused_, (node) < MAX_NUMNODES;			\
	     (node) = hs_nearest(__start, &(unvisited)))

#endif
