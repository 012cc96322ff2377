/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_CPUMASK_H
#define SHIM_CPUMASK_H

#include <linux/bitops.h>

#define NR_CPUS		HS_MAX_CPUS
#define nr_cpu_ids	(hs_topo.nr_cpus)

struct cpumask {
	unsigned long bits[HS_MASK_LONGS];
};

#define cpumask_bits(m)	((m)->bits)
#define num_possible_cpus()	(hs_topo.nr_cpus)
#define num_online_cpus()	(hs_topo.nr_cpus)
#define cpu_possible(c)		((unsigned int)(c) < hs_topo.nr_cpus)
#define cpu_online(c)		cpu_possible(c)
#define for_each_possible_cpu(c) \
	for ((c) = 0; (unsigned int)(c) < hs_topo.nr_cpus; (c)++)
#define for_each_online_cpu(c)	for_each_possible_cpu(c)
#define for_each_cpu(c, m) \
	for ((c) = find_first_bit((m)->bits, HS_MAX_CPUS);		\
	     (unsigned int)(c) < hs_topo.nr_cpus;			\
	     (c) = find_next_bit((m)->bits, HS_MAX_CPUS, (c) + 1))

static inline unsigned int cpumask_weight(const struct cpumask *m)
{
	return bitmap_weight(m->bits, HS_MAX_CPUS);
}

static inline bool cpumask_empty(const struct cpumask *m)
{
	return !cpumask_weight(m);
}

static inline unsigned int cpumask_first(const struct cpumask *m)
{
	return find_first_bit(m->bits, HS_MAX_CPUS);
}

static inline bool cpumask_test_cpu(int cpu, const struct cpumask *m)
{
	return test_bit(cpu, m->bits);
}

static inline void cpumask_set_cpu(int cpu, struct cpumask *m)
{
	set_bit(cpu, m->bits);
}

#endif
