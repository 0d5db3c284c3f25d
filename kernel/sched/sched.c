// SPDX-License-Identifier: GPL-2.0
/*
 * The schedulers by name.
 *
 * No state of its own, no locks; asked when a profile is configured or an
 * option is set. Pure.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "sched/sched.h"

static const struct mrc_sched_ops *const mrc_sched_all[] = {
	&mrc_sched_earliest,
	&mrc_sched_latency,
};

/**
 * mrc_sched_find() - scheduler of a name
 * @name: as in ``mrcctl``
 *
 * Context: any.
 * Return: scheduler or NULL.
 */
const struct mrc_sched_ops *mrc_sched_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrc_sched_all); i++)
		if (!strcmp(mrc_sched_all[i]->name, name))
			return mrc_sched_all[i];
	return NULL;
}
