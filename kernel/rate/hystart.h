/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When to leave slow start because the RTT rises (RFC 9406, HyStart++). Pure.
 */
#ifndef _MRC_HYSTART_H
#define _MRC_HYSTART_H

#include <linux/types.h>
#include "reliable/rtt.h"

/**
 * struct mrc_hystart - delay as a sign of a filled path
 * @min_us: smallest RTT of the running period, microseconds; 0: none
 * @samples: RTT samples of the running period, saturates
 * @careful: rounds spent growing carefully; 0: growing freely
 * @delayed: the last complete look at the RTT found it risen
 */
struct mrc_hystart {
	u32 min_us;
	u8 samples;
	u8 careful;
	bool delayed;
};

void mrc_hystart_init(struct mrc_hystart *hs);
void mrc_hystart_sample(struct mrc_hystart *hs, const struct mrc_rtt *rtt);
bool mrc_hystart_round(struct mrc_hystart *hs);

#endif /* _MRC_HYSTART_H */
