// SPDX-License-Identifier: GPL-2.0
/*
 * Proof that the compiler lays the wire structures out as documented.
 *
 * No code: one assertion per structure size and per field offset, so that a
 * change of the format cannot happen by accident. The numbers are those of
 * Documentation/wire-format.rst. Pure.
 */
#include <linux/build_bug.h>
#include <linux/stddef.h>

#include "limits.h"
#include "wire/format.h"

#define MRC_SIZE(name, bytes)	static_assert(sizeof(struct name) == (bytes))
#define MRC_AT(name, field, at)	\
	static_assert(offsetof(struct name, field) == (at))

MRC_SIZE(mrc_wire_hdr, 16);
MRC_AT(mrc_wire_hdr, type, 0);
MRC_AT(mrc_wire_hdr, flags, 1);
MRC_AT(mrc_wire_hdr, path_id, 2);
MRC_AT(mrc_wire_hdr, psn, 4);
MRC_AT(mrc_wire_hdr, cid, 8);

MRC_SIZE(mrc_wire_data, 32);
MRC_AT(mrc_wire_data, offset, 16);
MRC_AT(mrc_wire_data, floor, 24);
MRC_AT(mrc_wire_data, ts, 28);

MRC_SIZE(mrc_wire_range, 8);
MRC_AT(mrc_wire_range, start, 0);
MRC_AT(mrc_wire_range, end, 4);

MRC_SIZE(mrc_wire_ack_path, 28);
MRC_AT(mrc_wire_ack_path, path_id, 0);
MRC_AT(mrc_wire_ack_path, nranges, 2);
MRC_AT(mrc_wire_ack_path, flags, 3);
MRC_AT(mrc_wire_ack_path, cum, 4);
MRC_AT(mrc_wire_ack_path, ts_echo, 8);
MRC_AT(mrc_wire_ack_path, delay_us, 12);
MRC_AT(mrc_wire_ack_path, rx_packets, 16);
MRC_AT(mrc_wire_ack_path, rx_bytes, 20);
MRC_AT(mrc_wire_ack_path, ce_packets, 24);

MRC_SIZE(mrc_wire_ack, 36);
MRC_AT(mrc_wire_ack, data_ack, 16);
MRC_AT(mrc_wire_ack, window, 24);
MRC_AT(mrc_wire_ack, npaths, 32);
MRC_AT(mrc_wire_ack, reserved, 34);

MRC_SIZE(mrc_wire_init, 80);
MRC_AT(mrc_wire_init, cid, 16);
MRC_AT(mrc_wire_init, nonce, 24);
MRC_AT(mrc_wire_init, sport, 32);
MRC_AT(mrc_wire_init, dport, 34);
MRC_AT(mrc_wire_init, udp_sport, 36);
MRC_AT(mrc_wire_init, mss, 38);
MRC_AT(mrc_wire_init, ts, 40);
MRC_AT(mrc_wire_init, pad, 44);

MRC_SIZE(mrc_wire_init_ack, 64);
MRC_AT(mrc_wire_init_ack, cid, 16);
MRC_AT(mrc_wire_init_ack, nonce, 24);
MRC_AT(mrc_wire_init_ack, cookie, 32);
MRC_AT(mrc_wire_init_ack, cookie_time, 40);
MRC_AT(mrc_wire_init_ack, ts_echo, 44);
MRC_AT(mrc_wire_init_ack, nonce_echo, 48);
MRC_AT(mrc_wire_init_ack, token, 56);

MRC_SIZE(mrc_wire_open, 76);
MRC_AT(mrc_wire_open, cid, 16);
MRC_AT(mrc_wire_open, nonce, 24);
MRC_AT(mrc_wire_open, cookie, 32);
MRC_AT(mrc_wire_open, cookie_time, 40);
MRC_AT(mrc_wire_open, sport, 44);
MRC_AT(mrc_wire_open, dport, 46);
MRC_AT(mrc_wire_open, udp_sport, 48);
MRC_AT(mrc_wire_open, mss, 50);
MRC_AT(mrc_wire_open, window, 52);
MRC_AT(mrc_wire_open, token, 60);
MRC_AT(mrc_wire_open, mac, 68);

MRC_SIZE(mrc_wire_refuse, 28);
MRC_AT(mrc_wire_refuse, nonce_echo, 16);
MRC_AT(mrc_wire_refuse, reason, 24);
MRC_AT(mrc_wire_refuse, reserved, 26);

MRC_SIZE(mrc_wire_join, 48);
MRC_AT(mrc_wire_join, nonce, 16);
MRC_AT(mrc_wire_join, challenge, 24);
MRC_AT(mrc_wire_join, udp_sport, 32);
MRC_AT(mrc_wire_join, mss, 34);
MRC_AT(mrc_wire_join, flags, 36);
MRC_AT(mrc_wire_join, reason, 37);
MRC_AT(mrc_wire_join, reserved, 38);
MRC_AT(mrc_wire_join, mac, 40);

MRC_SIZE(mrc_wire_ping, 32);
MRC_AT(mrc_wire_ping, ts, 16);
MRC_AT(mrc_wire_ping, reserved, 20);
MRC_AT(mrc_wire_ping, mac, 24);

MRC_SIZE(mrc_wire_reset, 32);
MRC_AT(mrc_wire_reset, cid, 16);
MRC_AT(mrc_wire_reset, token, 24);

MRC_SIZE(mrc_wire_addr, 44);
MRC_AT(mrc_wire_addr, op, 16);
MRC_AT(mrc_wire_addr, family, 17);
MRC_AT(mrc_wire_addr, flags, 18);
MRC_AT(mrc_wire_addr, reserved, 19);
MRC_AT(mrc_wire_addr, addr, 20);
MRC_AT(mrc_wire_addr, mac, 36);

MRC_SIZE(mrc_wire_path, 28);
MRC_AT(mrc_wire_path, status, 16);
MRC_AT(mrc_wire_path, reason, 17);
MRC_AT(mrc_wire_path, reserved, 18);
MRC_AT(mrc_wire_path, mac, 20);

/* The type must fit beside the version, and no answer outgrows its question. */
static_assert(__MRC_WIRE_TYPES <= 32);
static_assert(MRC_WIRE_VERSION < 8);
static_assert(sizeof(struct mrc_wire_init_ack) <= sizeof(struct mrc_wire_init));
static_assert(sizeof(struct mrc_wire_refuse) <= sizeof(struct mrc_wire_init));

/* The smallest ACK buffer takes one path with all the ranges it may have. */
static_assert(sizeof(struct mrc_wire_ack) + sizeof(struct mrc_wire_ack_path) +
	      MRC_ACK_RANGES * sizeof(struct mrc_wire_range) <=
	      MRC_ACK_BYTES_MAX);
