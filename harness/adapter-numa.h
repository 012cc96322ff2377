/* SPDX-License-Identifier: GPL-2.0-only */
/* Between adapter.c and adapter-numa.c. */
#ifndef ADAPTER_NUMA_H
#define ADAPTER_NUMA_H

void sbt_numa_boot(void);
int sbt_numa_init(struct sbitmap_queue *sbq, unsigned int depth, int shift,
		  bool round_robin, int node, bool force);
struct sbitmap_word *sbt_numa_word(struct sbitmap_queue *sbq, unsigned int i);
unsigned int sbt_numa_slots(struct sbitmap_queue *sbq);
unsigned int sbt_numa_slot(struct sbitmap_queue *sbq, unsigned int nr);
int sbt_numa_node(struct sbitmap_queue *sbq, unsigned int nr);
unsigned int sbt_numa_cpu_slot(struct sbitmap_queue *sbq, unsigned int cpu);

#endif
