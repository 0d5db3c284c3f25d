// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding of packets into buffers of the caller.
 *
 * Messages of fixed size are filled in where they are sent; here are the
 * parts that more than one place needs: the common header, the data header
 * (once per packet of a superframe), and the ACK with its variable body. No
 * state, no locks; called by output and ack code under the socket lock. Pure.
 */
#include <asm/byteorder.h>

#include "limits.h"
#include "reliable/seq.h"
#include "wire/build.h"

/**
 * mrc_build_hdr() - fill in the common header
 * @hdr: where
 * @type: message type
 * @flags: MRC_WIRE_F_*, or 0
 * @path_id: path that the packet travels on or speaks of
 * @psn: packet number or serial
 * @cid: connection id of the receiver of this packet; 0: none yet
 *
 * Context: any.
 */
void mrc_build_hdr(struct mrc_wire_hdr *hdr, enum mrc_wire_type type, u8 flags,
		   u16 path_id, u32 psn, u64 cid)
{
	hdr->type = mrc_wire_type_byte(type);
	hdr->flags = flags;
	hdr->path_id = cpu_to_be16(path_id);
	hdr->psn = cpu_to_be32(psn);
	hdr->cid = cpu_to_be64(cid);
}

/**
 * mrc_build_data() - fill in the header of a data packet
 * @hdr: where
 * @data: values; @data->len is implied by the packet's length
 *
 * Context: any.
 */
void mrc_build_data(struct mrc_wire_data *hdr,
		    const struct mrc_parse_data *data)
{
	mrc_build_hdr(&hdr->hdr, MRC_WIRE_DATA, data->flags, data->path_id,
		      data->psn, data->cid);
	hdr->offset = cpu_to_be64(data->offset);
	hdr->floor = cpu_to_be32(data->floor);
	hdr->ts = cpu_to_be32(data->ts);
}

/**
 * mrc_build_reset() - fill in a RESET
 * @msg: where
 * @cid: id by which the sender of the RESET was addressed
 * @token: the sender's token for @cid
 * @reason: enum mrc_wire_reason
 *
 * Context: any.
 */
void mrc_build_reset(struct mrc_wire_reset *msg, u64 cid, u64 token,
		     u16 reason)
{
	mrc_build_hdr(&msg->hdr, MRC_WIRE_RESET, 0, reason, 0, 0);
	msg->cid = cpu_to_be64(cid);
	msg->token = cpu_to_be64(token);
}

/**
 * mrc_build_ack_begin() - start an ACK packet
 * @ack: state of the construction
 * @buf: packet buffer, 4-byte aligned
 * @size: bytes in @buf, at least sizeof(struct mrc_wire_ack)
 * @cid: connection id of the receiver of the ACK
 * @path_id: path that the ACK travels on
 * @serial: number of this ACK in the connection
 * @data_ack: every stream byte below has arrived
 * @window: first stream offset not accepted
 *
 * Context: any.
 */
void mrc_build_ack_begin(struct mrc_build_ack *ack, void *buf, u32 size,
			 u64 cid, u16 path_id, u32 serial, u64 data_ack,
			 u64 window)
{
	struct mrc_wire_ack *wire = buf;

	ack->buf = buf;
	ack->size = size;
	ack->len = sizeof(*wire);
	ack->npaths = 0;
	mrc_build_hdr(&wire->hdr, MRC_WIRE_ACK, 0, path_id, serial, cid);
	wire->data_ack = cpu_to_be64(data_ack);
	wire->window = cpu_to_be64(window);
	wire->npaths = 0;
	wire->reserved = 0;
}

/* Highest first: the sender learns most from what left last. */
static u8 put_ranges(struct mrc_wire_range *wire, u32 room,
		     const struct mrc_psn_set *set, u32 cum)
{
	u32 n = set->count;
	u8 put = 0;

	while (n && put < room) {
		const struct mrc_psn_range *range = &set->range[--n];

		if (mrc_seq_before(range->start, cum))
			break;
		wire[put].start = cpu_to_be32(range->start);
		wire[put].end = cpu_to_be32(range->end);
		put++;
	}
	return put;
}

/**
 * mrc_build_ack_path() - add the record of one path
 * @ack: from mrc_build_ack_begin()
 * @path: what to report
 *
 * Takes as many ranges as fit, the highest first; fewer than there are is
 * legal and costs at most a needless retransmission.
 *
 * Context: any; the caller guards @path->set.
 * Return: false when not even a record without ranges fits: end this ACK and
 * begin another.
 */
bool mrc_build_ack_path(struct mrc_build_ack *ack,
			const struct mrc_build_path *path)
{
	struct mrc_wire_ack_path *wire = (void *)(ack->buf + ack->len);
	u32 left = ack->size - ack->len;
	u32 cum = mrc_psn_cum(path->set);
	u32 room;

	if (left < sizeof(*wire) || ack->npaths >= MRC_ACK_PATHS)
		return false;
	room = (left - sizeof(*wire)) / sizeof(struct mrc_wire_range);
	if (room > MRC_ACK_RANGES)
		room = MRC_ACK_RANGES;

	wire->path_id = cpu_to_be16(path->path_id);
	wire->nranges = put_ranges((void *)(wire + 1), room, path->set, cum);
	wire->flags = 0;
	wire->cum = cpu_to_be32(cum);
	wire->ts_echo = cpu_to_be32(path->ts_echo);
	wire->delay_us = cpu_to_be32(path->delay_us);
	wire->rx_packets = cpu_to_be32(path->rx_packets);
	wire->rx_bytes = cpu_to_be32(path->rx_bytes);
	wire->ce_packets = cpu_to_be32(path->ce_packets);
	ack->len += sizeof(*wire) +
		    wire->nranges * sizeof(struct mrc_wire_range);
	ack->npaths++;
	return true;
}

/**
 * mrc_build_ack_end() - finish an ACK packet
 * @ack: from mrc_build_ack_begin()
 *
 * Context: any.
 * Return: bytes of the packet.
 */
u32 mrc_build_ack_end(struct mrc_build_ack *ack)
{
	struct mrc_wire_ack *wire = (void *)ack->buf;

	wire->npaths = cpu_to_be16(ack->npaths);
	return ack->len;
}
