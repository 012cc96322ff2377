// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree's lib/sbitmap_numa.c, and what tests must see of its insides. Part
 * of the shared object instead of the file itself.
 */
#include <linux/sched.h>
#include <linux/random.h>
#include "lib/sbitmap_numa.c"

#include "adapter-numa.h"

/* As a machine with the present topology boots. */
void sbt_numa_boot(void)
{
	WRITE_ONCE(sbitmap_numa_key.key.enabled, 0);
	sbitmap_numa_boot();
}

/* Any number of slots, also one, and bits a word that init never chooses. */
int sbt_numa_init(struct sbitmap_queue *sbq, unsigned int depth, int shift,
		  bool round_robin, int node, bool force)
{
	unsigned int slots = nodes_weight(sbn_nodes);

	if (force && shift < 0)
		shift = sbitmap_calculate_shift(depth);
	if (shift < 0)
		return sbitmap_numa_init(sbq, depth, round_robin, GFP_KERNEL, node);
	if (round_robin || !slots || DIV_ROUND_UP(depth, 1U << shift) < slots)
		return sbitmap_queue_init_node(sbq, depth, shift, round_robin,
					       GFP_KERNEL, node);
	return sbn_init(sbq, depth, shift, GFP_KERNEL, node);
}

struct sbitmap_word *sbt_numa_word(struct sbitmap_queue *sbq, unsigned int i)
{
	return sbq_to_sbn(sbq)->word[i].map;
}

unsigned int sbt_numa_slots(struct sbitmap_queue *sbq)
{
	return sbq_to_sbn(sbq)->nr_slots;
}

unsigned int sbt_numa_slot(struct sbitmap_queue *sbq, unsigned int nr)
{
	return sbq_to_sbn(sbq)->word[nr >> sbq->sb.shift].slot;
}

int sbt_numa_node(struct sbitmap_queue *sbq, unsigned int nr)
{
	return sbq_to_sbn(sbq)->word[nr >> sbq->sb.shift].node;
}

unsigned int sbt_numa_cpu_slot(struct sbitmap_queue *sbq, unsigned int cpu)
{
	return per_cpu_ptr(sbq_to_sbn(sbq)->cpu, cpu)->slot;
}
