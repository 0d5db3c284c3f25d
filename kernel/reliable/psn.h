/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which PSNs of one path have arrived: the receiver's half of the ACK.
 *
 * A sorted array of disjoint ranges above a floor. A PSN is never used twice,
 * so the number of a lost packet stays a hole until the sender says (floor in
 * each data packet) that it no longer cares. When the array is full the
 * lowest range is forgotten: the sender then repeats data that had arrived,
 * which costs bytes and never correctness. Pure; caller serialises.
 */
#ifndef _MRC_PSN_H
#define _MRC_PSN_H

#include <linux/types.h>
#include "limits.h"

/**
 * struct mrc_psn_range - PSNs in a row
 * @start: first
 * @end: after the last
 */
struct mrc_psn_range {
	u32 start;
	u32 end;
};

/**
 * struct mrc_psn_set - what has arrived on one path
 * @floor: every PSN before is settled (received, or of no interest)
 * @count: ranges in use, 0..MRC_PSN_RANGES
 * @range: ascending, disjoint, not adjacent, all after @floor
 */
struct mrc_psn_set {
	u32 floor;
	u32 count;
	struct mrc_psn_range range[MRC_PSN_RANGES];
};

void mrc_psn_init(struct mrc_psn_set *set, u32 first);
u32 mrc_psn_add(struct mrc_psn_set *set, u32 start, u32 end);
void mrc_psn_advance(struct mrc_psn_set *set, u32 floor);
u32 mrc_psn_cum(const struct mrc_psn_set *set);
u32 mrc_psn_next(const struct mrc_psn_set *set);
bool mrc_psn_has_gap(const struct mrc_psn_set *set);

#endif /* _MRC_PSN_H */
