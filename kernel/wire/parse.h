/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decoding with full bounds checks. Every function takes untrusted bytes.
 * Pure: the target of the fuzzers.
 */
#ifndef _MRC_WIRE_PARSE_H
#define _MRC_WIRE_PARSE_H

#include <linux/types.h>
#include "reliable/inflight.h"
#include "wire/format.h"

/* Why a packet was not accepted; also the counter that it raises. */
enum mrc_parse_error {
	MRC_PARSE_OK		= 0,
	MRC_PARSE_SHORT		= 1,	/* shorter than its type needs */
	MRC_PARSE_VERSION	= 2,	/* another version */
	MRC_PARSE_TYPE		= 3,	/* unknown type */
	MRC_PARSE_LENGTH	= 4,	/* longer than its type allows */
	MRC_PARSE_VALUE		= 5,	/* a field with an impossible value */
};

/**
 * struct mrc_parse_data - a data packet, host order
 * @cid: receiver's connection id
 * @offset: stream offset of the first byte
 * @psn: packet number
 * @floor: lowest PSN of interest to the sender
 * @ts: sender's clock, microseconds
 * @path_id: path
 * @flags: MRC_WIRE_F_*
 * @len: payload bytes
 */
struct mrc_parse_data {
	u64 cid;
	u64 offset;
	u32 psn;
	u32 floor;
	u32 ts;
	u16 path_id;
	u8 flags;
	u32 len;
};

/**
 * struct mrc_parse_ack - an ACK, host order, path records still packed
 * @data_ack: every stream byte below has arrived
 * @window: first offset not accepted
 * @npaths: path records
 * @body: first of them
 * @left: bytes from @body to the end of the packet
 */
struct mrc_parse_ack {
	u64 data_ack;
	u64 window;
	u16 npaths;
	const u8 *body;
	u32 left;
};

/**
 * struct mrc_parse_addr - an announced address, host order
 * @ip: address, network order; IPv4 in the first word, the rest 0
 * @serial: number of the message
 * @op: MRC_WIRE_ADDR_*
 * @version: version of IP, 4 or 6
 * @backup: to be used last
 */
struct mrc_parse_addr {
	__be32 ip[4];
	u32 serial;
	u8 op;
	u8 version;
	bool backup;
};

enum mrc_parse_error mrc_parse_header(const void *pkt, u32 len,
				      enum mrc_wire_type *type);
enum mrc_parse_error mrc_parse_data(const void *hdr, u32 len,
				    struct mrc_parse_data *out);
enum mrc_parse_error mrc_parse_ack(const void *pkt, u32 len,
				   struct mrc_parse_ack *out);
enum mrc_parse_error mrc_parse_addr(const struct mrc_wire_addr *wire,
				    struct mrc_parse_addr *out);
bool mrc_parse_ack_next(struct mrc_parse_ack *ack, struct mrc_ack_path *out);

#endif /* _MRC_WIRE_PARSE_H */
