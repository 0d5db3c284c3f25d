/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Encoding: fills wire structures from host-order values. Pure.
 */
#ifndef _MRC_WIRE_BUILD_H
#define _MRC_WIRE_BUILD_H

#include <linux/types.h>
#include "reliable/psn.h"
#include "wire/format.h"
#include "wire/parse.h"

/**
 * struct mrc_build_ack - an ACK under construction
 * @buf: packet, at least MRC_WIRE_ACK header plus one record
 * @size: bytes in @buf
 * @len: bytes used so far
 * @npaths: path records so far
 */
struct mrc_build_ack {
	u8 *buf;
	u32 size;
	u32 len;
	u16 npaths;
};

/**
 * struct mrc_build_path - what to report of one path
 * @path_id: the path
 * @set: PSNs received
 * @ts_echo: timestamp to echo
 * @delay_us: how long it was held
 * @rx_packets: data packets received, modulo 2^32
 * @rx_bytes: their bytes, modulo 2^32
 * @ce_packets: those with a CE mark, modulo 2^32
 */
struct mrc_build_path {
	u16 path_id;
	const struct mrc_psn_set *set;
	u32 ts_echo;
	u32 delay_us;
	u32 rx_packets;
	u32 rx_bytes;
	u32 ce_packets;
};

void mrc_build_hdr(struct mrc_wire_hdr *hdr, enum mrc_wire_type type, u8 flags,
		   u16 path_id, u32 psn, u64 cid);
void mrc_build_data(struct mrc_wire_data *hdr,
		    const struct mrc_parse_data *data);
void mrc_build_reset(struct mrc_wire_reset *msg, u64 cid, u64 token,
		     u16 reason);
void mrc_build_ack_begin(struct mrc_build_ack *ack, void *buf, u32 size,
			 u64 cid, u16 path_id, u32 serial, u64 data_ack,
			 u64 window);
bool mrc_build_ack_path(struct mrc_build_ack *ack,
			const struct mrc_build_path *path);
u32 mrc_build_ack_end(struct mrc_build_ack *ack);

#endif /* _MRC_WIRE_BUILD_H */
