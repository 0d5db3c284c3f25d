/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cubic curve: how fast to grow back to a window that was once too much.
 *
 * RFC 9438: after a cut the window follows a cubic function of time whose
 * flat part lies at the window before the cut, so that large bandwidth-delay
 * products refill in seconds, not in hours. Pure.
 */
#ifndef _MRC_CUBIC_H
#define _MRC_CUBIC_H

#include <linux/types.h>

/**
 * struct mrc_cubic - state of the curve
 * @w_max: window at the last sign of congestion, bytes; the flat part
 * @used_ns: time since the cut in which the window was in use
 * @last_ns: when that was last counted; 0: not since the cut
 * @k_ms: time from the cut to the flat part, milliseconds
 */
struct mrc_cubic {
	u64 w_max;
	u64 used_ns;
	u64 last_ns;
	u32 k_ms;
};

void mrc_cubic_cut(struct mrc_cubic *cubic, u64 before, u64 after, u32 mss);
u64 mrc_cubic_target(struct mrc_cubic *cubic, u32 mss, u64 srtt_ns, u64 now);
u64 mrc_cubic_root(u64 value);

#endif /* _MRC_CUBIC_H */
