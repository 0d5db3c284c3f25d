// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: names and sums. Counting itself is in the macros of mib.h; reading
 * takes no lock, a sum may be a few events old.
 */
#include <linux/cpumask.h>
#include "net_ns.h"
#include "observe/mib.h"

static const char * const names[__MRC_MIB_MAX] = {
#define X(name, text) #name,
	MRC_MIB_LIST(X)
#undef X
};

/**
 * mrc_mib_name() - name of a counter
 * @id: counter
 *
 * Return: its name as in ``mrcctl stats``.
 */
const char *mrc_mib_name(enum mrc_mib_id id)
{
	return names[id];
}

/**
 * mrc_mib_sum() - value of a counter over all CPUs
 * @mn: namespace
 * @id: counter
 *
 * Return: events counted so far.
 */
u64 mrc_mib_sum(const struct mrc_net *mn, enum mrc_mib_id id)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(mn->mib, cpu)->count[id];
	return sum;
}
