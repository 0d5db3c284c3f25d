/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wire format: every byte that AF_MRC puts into a UDP datagram.
 *
 * Documentation/wire-format.rst shows the same offsets and says what each
 * message is for; wire/format.c checks the sizes at compile time. All fields
 * are in network order. Pure: compiles in user space.
 */
#ifndef _MRC_WIRE_FORMAT_H
#define _MRC_WIRE_FORMAT_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Upper three bits of the first byte; a receiver drops other versions. */
#define MRC_WIRE_VERSION	1

/* Lower five bits of the first byte. */
enum mrc_wire_type {
	MRC_WIRE_DATA		= 0,	/* stream bytes, struct mrc_wire_data */
	MRC_WIRE_ACK		= 1,	/* news of all paths, mrc_wire_ack */
	MRC_WIRE_INIT		= 2,	/* client asks, mrc_wire_init */
	MRC_WIRE_INIT_ACK	= 3,	/* cookie, mrc_wire_init_ack */
	MRC_WIRE_OPEN		= 4,	/* client proves, mrc_wire_open */
	MRC_WIRE_REFUSE		= 5,	/* nobody listens, mrc_wire_refuse */
	MRC_WIRE_JOIN		= 6,	/* one more path, mrc_wire_join */
	MRC_WIRE_CHALLENGE	= 7,	/* prove it, mrc_wire_join */
	MRC_WIRE_CONFIRM	= 8,	/* proven, mrc_wire_join */
	MRC_WIRE_JOINED		= 9,	/* path is open, mrc_wire_join */
	MRC_WIRE_PING		= 10,	/* answer at once, mrc_wire_ping */
	MRC_WIRE_PONG		= 11,	/* the answer, mrc_wire_ping */
	MRC_WIRE_RESET		= 12,	/* abort, mrc_wire_reset */
	MRC_WIRE_ADDR		= 13,	/* address announced, mrc_wire_addr */
	MRC_WIRE_ADDR_ACK	= 14,	/* the same sent back, mrc_wire_addr */
	MRC_WIRE_PATH		= 15,	/* path status, mrc_wire_path */
	__MRC_WIRE_TYPES
};

/* Flags of struct mrc_wire_hdr in DATA packets. */
#define MRC_WIRE_F_FIN		0x01	/* the stream ends at @offset */
#define MRC_WIRE_F_ACK_NOW	0x02	/* sender waits: do not delay the ACK */
#define MRC_WIRE_F_RETRANS	0x04	/* carries bytes sent before */
#define MRC_WIRE_F_BEGIN	0x08	/* first byte of a message */
#define MRC_WIRE_F_END		0x10	/* last byte of a message */

/* Flags of struct mrc_wire_hdr in INIT and OPEN packets. */
#define MRC_WIRE_F_MESSAGES	0x01	/* SOCK_SEQPACKET, else SOCK_STREAM */

/* Flags of struct mrc_wire_hdr in INIT_ACK packets. */
#define MRC_WIRE_F_NAT		0x01	/* the INIT came from another port */

/**
 * struct mrc_wire_hdr - first 16 bytes of every packet
 * @type: version (3 bits) and enum mrc_wire_type (5 bits)
 * @flags: MRC_WIRE_F_*
 * @path_id: path the packet travels on or speaks of; 0: the first path; of a
 *	RESET: enum mrc_wire_reason
 * @psn: packet sequence number on that path (DATA), else a serial or 0
 * @cid: connection id that the receiver of this packet chose; 0: none yet
 */
struct mrc_wire_hdr {
	__u8	type;
	__u8	flags;
	__be16	path_id;
	__be32	psn;
	__be64	cid;
} __packed;

/**
 * struct mrc_wire_data - header before the payload of each data packet
 * @hdr: common header
 * @offset: stream offset of the first payload byte
 * @floor: lowest PSN of this path that the sender still wants to hear of
 * @ts: sender's clock, microseconds, echoed in the ACK
 *
 * The payload is the rest of the datagram. In a superframe every datagram
 * but the last has the same length, which a peer may have chosen odd: these
 * headers can begin anywhere.
 */
struct mrc_wire_data {
	struct mrc_wire_hdr hdr;
	__be64	offset;
	__be32	floor;
	__be32	ts;
} __packed;

/**
 * struct mrc_wire_range - PSNs received, start included, end excluded
 * @start: first PSN
 * @end: PSN after the last
 */
struct mrc_wire_range {
	__be32	start;
	__be32	end;
} __packed __aligned(4);

/**
 * struct mrc_wire_ack_path - what an ACK says of one path
 * @path_id: the path
 * @nranges: entries of struct mrc_wire_range that follow, highest first
 * @flags: reserved, 0
 * @cum: every PSN below is received or settled
 * @ts_echo: @ts of the packet with the highest PSN received so far
 * @delay_us: time between its arrival and this ACK, microseconds
 * @rx_packets: data packets received, modulo 2^32
 * @rx_bytes: their bytes after the UDP header, modulo 2^32
 * @ce_packets: those that arrived with a CE mark, modulo 2^32
 */
struct mrc_wire_ack_path {
	__be16	path_id;
	__u8	nranges;
	__u8	flags;
	__be32	cum;
	__be32	ts_echo;
	__be32	delay_us;
	__be32	rx_packets;
	__be32	rx_bytes;
	__be32	ce_packets;
} __packed __aligned(4);

/**
 * struct mrc_wire_ack - acknowledgment, all paths with news in one packet
 * @hdr: common header; @hdr.psn counts the ACKs of this connection
 * @data_ack: every stream byte below is received (a FIN counts as one)
 * @window: first stream offset that the receiver does not accept yet
 * @npaths: struct mrc_wire_ack_path that follow
 * @reserved: 0
 */
struct mrc_wire_ack {
	struct mrc_wire_hdr hdr;
	__be64	data_ack;
	__be64	window;
	__be16	npaths;
	__be16	reserved;
} __packed __aligned(4);

/**
 * struct mrc_wire_init - client to server, carries no connection id yet
 * @hdr: common header, cid 0; psn counts the INITs
 * @cid: connection id that the client chose for itself
 * @nonce: random, part of the connection's key
 * @sport: client's port
 * @dport: port it wants to reach
 * @udp_sport: UDP source port as the client sent it
 * @mss: largest payload of a data packet that the client can receive
 * @ts: client's clock, microseconds
 * @pad: 0; makes the question larger than any answer
 */
struct mrc_wire_init {
	struct mrc_wire_hdr hdr;
	__be64	cid;
	__be64	nonce;
	__be16	sport;
	__be16	dport;
	__be16	udp_sport;
	__be16	mss;
	__be32	ts;
	__u8	pad[36];
} __packed __aligned(4);

/**
 * struct mrc_wire_init_ack - the listening host's answer; it keeps no state
 * @hdr: common header, cid of the client; psn as in the INIT
 * @cid: connection id that the server will have
 * @nonce: server's part of the key, recomputed from the cookie key
 * @cookie: keyed hash over addresses, ports, ids, nonces and time
 * @cookie_time: server's coarse clock, seconds, checked with the cookie
 * @ts_echo: @ts of the INIT
 * @nonce_echo: @nonce of the INIT: proves that the sender saw it
 * @token: what a RESET from this host for @cid will carry
 */
struct mrc_wire_init_ack {
	struct mrc_wire_hdr hdr;
	__be64	cid;
	__be64	nonce;
	__be64	cookie;
	__be32	cookie_time;
	__be32	ts_echo;
	__be64	nonce_echo;
	__be64	token;
} __packed __aligned(4);

/**
 * struct mrc_wire_open - client sends the cookie back: the connection exists
 * @hdr: common header, cid of the server
 * @cid: connection id of the client, as in the INIT
 * @nonce: as in the INIT
 * @cookie: as in the INIT_ACK
 * @cookie_time: as in the INIT_ACK
 * @sport: as in the INIT
 * @dport: as in the INIT
 * @udp_sport: as in the INIT
 * @mss: as in the INIT
 * @window: first stream offset that the client does not accept yet
 * @token: what a RESET from the client will carry
 * @mac: keyed hash over all the bytes before it
 */
struct mrc_wire_open {
	struct mrc_wire_hdr hdr;
	__be64	cid;
	__be64	nonce;
	__be64	cookie;
	__be32	cookie_time;
	__be16	sport;
	__be16	dport;
	__be16	udp_sport;
	__be16	mss;
	__be64	window;
	__be64	token;
	__be64	mac;
} __packed __aligned(4);

/* Why a connection or a path was refused. */
enum mrc_wire_reason {
	MRC_WIRE_R_NONE		= 0,
	MRC_WIRE_R_NO_LISTENER	= 1,	/* nobody listens on that port */
	MRC_WIRE_R_VERSION	= 2,	/* version not spoken here */
	MRC_WIRE_R_CLOSED	= 3,	/* closed with data unread */
	MRC_WIRE_R_ABORT	= 4,	/* aborted by the application */
	MRC_WIRE_R_UNKNOWN	= 5,	/* no such connection */
	MRC_WIRE_R_TIMEOUT	= 6,	/* the peer was silent for too long */
	MRC_WIRE_R_LIMIT	= 7,	/* no more paths accepted */
	MRC_WIRE_R_REMOVED	= 8,	/* path or address was taken away */
	MRC_WIRE_R_TYPE		= 9,	/* the listener is of the other type */
	MRC_WIRE_R_MESSAGE	= 10,	/* message too large, or no boundaries */
};

/**
 * struct mrc_wire_refuse - answer to an INIT that leads nowhere
 * @hdr: common header, cid of the client
 * @nonce_echo: @nonce of the INIT
 * @reason: enum mrc_wire_reason
 * @reserved: 0
 */
struct mrc_wire_refuse {
	struct mrc_wire_hdr hdr;
	__be64	nonce_echo;
	__be16	reason;
	__be16	reserved;
} __packed __aligned(4);

/* Flags of struct mrc_wire_join. */
#define MRC_WIRE_JOIN_BACKUP	0x01	/* use only when all others failed */
#define MRC_WIRE_JOIN_NAT	0x02	/* CHALLENGE: from another port */

/**
 * struct mrc_wire_join - JOIN, CHALLENGE, CONFIRM and JOINED
 * @hdr: common header, id of the path; psn chosen by the joining side, echoed
 * @nonce: chosen by the joining side, echoed by the other
 * @challenge: 0 in a JOIN; keyed hash chosen by the other side, sent back
 * @udp_sport: UDP source port as sent
 * @mss: largest payload of a data packet that the sender can receive here
 * @flags: MRC_WIRE_JOIN_*
 * @reason: JOINED: enum mrc_wire_reason, 0: the path is open
 * @reserved: 0
 * @mac: keyed hash over all the bytes before it
 */
struct mrc_wire_join {
	struct mrc_wire_hdr hdr;
	__be64	nonce;
	__be64	challenge;
	__be16	udp_sport;
	__be16	mss;
	__u8	flags;
	__u8	reason;
	__be16	reserved;
	__be64	mac;
} __packed __aligned(4);

/**
 * struct mrc_wire_ping - PING and PONG
 * @hdr: common header; @hdr.psn is a serial, echoed
 * @ts: clock of the PING's sender, microseconds, echoed
 * @reserved: 0
 * @mac: keyed hash over all the bytes before it
 */
struct mrc_wire_ping {
	struct mrc_wire_hdr hdr;
	__be32	ts;
	__be32	reserved;
	__be64	mac;
} __packed __aligned(4);

/**
 * struct mrc_wire_reset - the connection is gone
 * @hdr: common header, cid 0; @hdr.path_id is an enum mrc_wire_reason
 * @cid: id by which the sender of the RESET was addressed
 * @token: proof: the sender's token for @cid, told in the handshake
 *
 * No longer than the shortest DATA and than a PING, which it may answer.
 */
struct mrc_wire_reset {
	struct mrc_wire_hdr hdr;
	__be64	cid;
	__be64	token;
} __packed __aligned(4);

/* Operations of struct mrc_wire_addr. */
#define MRC_WIRE_ADDR_ADD	1
#define MRC_WIRE_ADDR_DEL	2

/**
 * struct mrc_wire_addr - announce or withdraw an address
 * @hdr: common header; @hdr.psn is a serial, echoed in the ADDR_ACK
 * @op: MRC_WIRE_ADDR_ADD or MRC_WIRE_ADDR_DEL
 * @family: 4 or 6
 * @flags: MRC_WIRE_JOIN_BACKUP
 * @reserved: 0
 * @addr: address; an IPv4 one stands in the first four bytes, the rest is 0
 * @mac: keyed hash over all the bytes before it
 */
struct mrc_wire_addr {
	struct mrc_wire_hdr hdr;
	__u8	op;
	__u8	family;
	__u8	flags;
	__u8	reserved;
	__u8	addr[16];
	__be64	mac;
} __packed __aligned(4);

/* Status in struct mrc_wire_path. */
#define MRC_WIRE_PATH_DOWN	1	/* sender cannot use it: leave it now */
#define MRC_WIRE_PATH_GONE	2	/* sender has forgotten it */

/**
 * struct mrc_wire_path - what the sender thinks of a path
 * @hdr: common header; @hdr.path_id is the path spoken of
 * @status: MRC_WIRE_PATH_*
 * @reason: enum mrc_wire_reason
 * @reserved: 0
 * @mac: keyed hash over all the bytes before it
 */
struct mrc_wire_path {
	struct mrc_wire_hdr hdr;
	__u8	status;
	__u8	reason;
	__be16	reserved;
	__be64	mac;
} __packed __aligned(4);

#define MRC_WIRE_HDR_LEN	((unsigned int)sizeof(struct mrc_wire_hdr))
#define MRC_WIRE_DATA_LEN	((unsigned int)sizeof(struct mrc_wire_data))
#define MRC_WIRE_MAC_LEN	8

/**
 * mrc_wire_type_byte() - first byte of a packet
 * @type: message type
 *
 * Return: version and type as they stand on the wire.
 */
static inline __u8 mrc_wire_type_byte(enum mrc_wire_type type)
{
	return MRC_WIRE_VERSION << 5 | type;
}

#endif /* _MRC_WIRE_FORMAT_H */
