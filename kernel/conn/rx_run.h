/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of one skb that continue one another: one entry of the receive or
 * reorder queue. Built on the stack of the receive path.
 */
#ifndef _MRC_RX_RUN_H
#define _MRC_RX_RUN_H

#include "conn/cursor.h"
#include "conn/input.h"
#include "wire/parse.h"

/**
 * struct mrc_rx_run - packets that continue one another
 * @first: the first packet
 * @wire: header of the packet that was parsed last, as it came
 * @wire_at: its number in the run
 * @pos: where the first packet begins in the skb
 * @packets: their number
 * @len: payload bytes
 * @ack_now: one of them asks for an ACK without delay
 */
struct mrc_rx_run {
	struct mrc_parse_data first;
	struct mrc_wire_data wire;
	u32 wire_at;
	u32 pos;
	u32 packets;
	u32 len;
	bool ack_now;
};

bool mrc_rx_run_continues(const struct mrc_rx_run *run,
			  const struct mrc_parse_data *data, u32 stride);
void mrc_rx_run_add(struct mrc_rx_run *run, const struct mrc_parse_data *data,
		    const struct mrc_wire_data *hdr, u32 pos, u32 stride);
u32 mrc_rx_run_follow(struct mrc_rx_run *run, struct mrc_cursor *cur,
		      const struct mrc_input *in, u32 pos);

#endif /* _MRC_RX_RUN_H */
