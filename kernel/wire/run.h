/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of a superframe that continue one another, told apart by comparing
 * them with the first instead of decoding each. Pure.
 */
#ifndef _MRC_WIRE_RUN_H
#define _MRC_WIRE_RUN_H

#include <linux/types.h>
#include "wire/format.h"

u32 mrc_run_same_conn(const void *first, const void *next, u32 stride,
		      u32 count);
u32 mrc_run_follow(const struct mrc_wire_data *first, u32 index,
		   const void *next, u32 stride, u32 count);

#endif /* _MRC_WIRE_RUN_H */
