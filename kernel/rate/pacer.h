/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When may the next superframe leave: a virtual clock per path. Pure.
 */
#ifndef _MRC_PACER_H
#define _MRC_PACER_H

#include <linux/types.h>

/**
 * struct mrc_pacer - pacing clock of one path
 * @next_ns: the next superframe leaves no earlier
 * @drain_ns: when what was sent would have left at the rate given
 */
struct mrc_pacer {
	u64 next_ns;
	u64 drain_ns;
};

u64 mrc_pacer_wait_ns(const struct mrc_pacer *pacer, u64 now);
u64 mrc_pacer_queue_ns(const struct mrc_pacer *pacer, u64 now);
void mrc_pacer_sent(struct mrc_pacer *pacer, u32 bytes, u64 rate, u64 now);

#endif /* _MRC_PACER_H */
