/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Round-trip time of one path (RFC 6298 smoothing, windowed minimum). Pure.
 */
#ifndef _MRC_RTT_H
#define _MRC_RTT_H

#include <linux/types.h>

/**
 * struct mrc_rtt - round-trip time estimate of one path
 * @srtt_us: smoothed RTT times 8, microseconds; 0: no sample yet
 * @rttvar_us: mean deviation times 4, microseconds
 * @latest_us: last sample, microseconds
 * @min_us: smallest sample of the last window, microseconds; 0: none
 * @next_min_us: smallest sample of the running window; 0: none
 * @window_ns: when the running window began
 * @sample_ns: when the last sample came
 */
struct mrc_rtt {
	u32 srtt_us;
	u32 rttvar_us;
	u32 latest_us;
	u32 min_us;
	u32 next_min_us;
	u64 window_ns;
	u64 sample_ns;
};

void mrc_rtt_init(struct mrc_rtt *rtt);
void mrc_rtt_sample(struct mrc_rtt *rtt, u32 sample_us, u64 now);
u64 mrc_rtt_smooth_ns(const struct mrc_rtt *rtt);
u32 mrc_rtt_aged_us(const struct mrc_rtt *rtt, u64 now);
u64 mrc_rtt_min_ns(const struct mrc_rtt *rtt);
u64 mrc_rtt_delack_ns(const struct mrc_rtt *rtt);
u64 mrc_rtt_probe_ns(const struct mrc_rtt *rtt);
u64 mrc_rtt_silence_ns(const struct mrc_rtt *rtt);

#endif /* _MRC_RTT_H */
