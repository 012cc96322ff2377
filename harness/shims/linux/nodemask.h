/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_NODEMASK_H
#define SHIM_NODEMASK_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/numa.h>

typedef struct {
	unsigned long bits[1];
} nodemask_t;

#define NODE_MASK_NONE	((nodemask_t){ { 0 } })
#define nr_node_ids	(hs_topo.nr_nodes)

enum node_states { N_POSSIBLE, N_ONLINE, N_NORMAL_MEMORY, N_MEMORY, N_CPU };


static inline unsigned long hs_nodes(enum node_states s)
{
	switch (s) {
	case N_POSSIBLE:
		return hs_topo.possible;
	case N_ONLINE:
		return hs_topo.online;
	case N_CPU:
		return hs_nodes_with_cpus();
	default:
		return hs_topo.memory;
	}
}

static inline int hs_next_node(int n, unsigned long mask)
{
	return ++n < HS_MAX_NODES && mask >> n ? n + __ffs(mask >> n) :
						 HS_MAX_NODES;
}

#define node_state(n, s)	((int)(hs_nodes(s) >> (n) & 1))
#define node_possible(n)	node_state(n, N_POSSIBLE)
#define node_online(n)		node_state(n, N_ONLINE)
#define num_node_state(s)	((int)hweight_long(hs_nodes(s)))
#define num_possible_nodes()	num_node_state(N_POSSIBLE)
#define num_online_nodes()	num_node_state(N_ONLINE)
#define for_each_node_state(n, s) \
	for ((n) = hs_next_node(-1, hs_nodes(s)); (n) < HS_MAX_NODES;	\
	     (n) = hs_next_node((n), hs_nodes(s)))
#define for_each_node(n)	for_each_node_state(n, N_POSSIBLE)
#define for_each_online_node(n)	for_each_node_state(n, N_ONLINE)
#define for_each_node_mask(n, m) \
	for ((n) = hs_next_node(-1, (m).bits[0]); (n) < HS_MAX_NODES;	\
	     (n) = hs_next_node((n), (m).bits[0]))
#define node_set(n, m)		__set_bit((n), (m).bits)
#define node_clear(n, m)	__clear_bit((n), (m).bits)
#define node_isset(n, m)	((int)((m).bits[0] >> (n) & 1))
#define node_test_and_set(n, m) \
	({ int __o = node_isset(n, m); node_set(n, m); __o; })
#define nodes_addr(m)		((m).bits)
#define nodes_clear(m)		((m).bits[0] = 0)
#define nodes_empty(m)		(!(m).bits[0])
#define nodes_weight(m)		((int)hweight_long((m).bits[0]))
#define first_node(m)		hs_next_node(-1, (m).bits[0])

#endif
