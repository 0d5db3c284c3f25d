// SPDX-License-Identifier: GPL-2.0
/*
 * Putting packets of a received skb together. No lock: all of it is on the
 * caller's stack, the skb is the caller's.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include "conn/rx_run.h"
#include "wire/run.h"

/**
 * mrc_rx_run_continues() - does a packet belong to the run before it
 * @run: run
 * @data: packet that follows it in the skb
 * @stride: bytes from one packet to the next
 *
 * Every packet of a run but the last is full.
 *
 * Return: true when it does.
 */
bool mrc_rx_run_continues(const struct mrc_rx_run *run,
			  const struct mrc_parse_data *data, u32 stride)
{
	u32 payload = stride - MRC_WIRE_DATA_LEN;

	/* A run holds one message at most, or a part of one. */
	return run->packets && !((run->first.flags | run->wire.hdr.flags) &
				 (MRC_WIRE_F_FIN | MRC_WIRE_F_END)) &&
	       !(data->flags & (MRC_WIRE_F_FIN | MRC_WIRE_F_BEGIN)) &&
	       run->len == run->packets * payload &&
	       data->path_id == run->first.path_id &&
	       data->psn == run->first.psn + run->packets &&
	       data->offset == run->first.offset + run->len;
}

/**
 * mrc_rx_run_add() - take one packet
 * @run: run; begins anew when the packet does not continue it
 * @data: packet
 * @hdr: its header as it came
 * @pos: its position in the skb
 * @stride: bytes from one packet to the next
 */
void mrc_rx_run_add(struct mrc_rx_run *run, const struct mrc_parse_data *data,
		    const struct mrc_wire_data *hdr, u32 pos, u32 stride)
{
	if (!mrc_rx_run_continues(run, data, stride)) {
		memset(run, 0, sizeof(*run));
		run->first = *data;
		run->pos = pos;
	}
	run->wire = *hdr;
	run->wire_at = run->packets++;
	run->len += data->len;
	run->ack_now |= data->flags & MRC_WIRE_F_ACK_NOW;
}

/**
 * mrc_rx_run_follow() - take the full packets that continue a run
 * @run: run, not empty
 * @cur: cursor of the skb
 * @in: where its packets end, and their stride
 * @pos: position of the packet after the run
 *
 * Takes only what looks exactly like the packet that was parsed last; the
 * caller parses the next one.
 *
 * Return: bytes of the skb taken.
 */
u32 mrc_rx_run_follow(struct mrc_rx_run *run, struct mrc_cursor *cur,
		      const struct mrc_input *in, u32 pos)
{
	u32 payload = in->stride - MRC_WIRE_DATA_LEN, total = 0, span, n;
	u32 left = pos < in->end ? (in->end - pos) / in->stride : 0;
	const void *hdr;

	/* Not after a FIN or a short packet, and no boundary of a message. */
	if (!payload || run->len != run->packets * payload ||
	    run->wire.hdr.flags & (MRC_WIRE_F_BEGIN | MRC_WIRE_F_END))
		return 0;
	while (left) {
		span = mrc_cursor_span(cur, pos, sizeof(run->wire), in->stride,
				       &hdr);
		span = min(span, left);
		n = mrc_run_follow(&run->wire, run->packets - run->wire_at,
				   hdr, in->stride, span);
		run->packets += n;
		run->len += n * payload;
		total += n * in->stride;
		pos += n * in->stride;
		left -= n;
		if (!n || n < span)
			break;
	}
	return total;
}
