/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_NUMA_H
#define SHIM_NUMA_H

#define NUMA_NO_NODE	(-1)
#define NODES_SHIFT	6
#define MAX_NUMNODES	HS_MAX_NODES

#endif
