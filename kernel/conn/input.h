/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the UDP socket to the connection.
 */
#ifndef _MRC_INPUT_H
#define _MRC_INPUT_H

#include <linux/skbuff.h>
#include "conn/conn.h"
#include "observe/mib.h"
#include "wire/format.h"

/**
 * struct mrc_input - where a packet or a run of packets came from
 * @saddr: source address, network order; IPv4 in the first word, the rest 0
 * @daddr: address it was sent to, likewise
 * @sport: UDP source port, network order
 * @pos: where the first packet begins in skb->data
 * @stride: bytes from one packet to the next
 * @end: where the last packet ends
 * @family: AF_INET or AF_INET6
 * @ecn: ECN field of the IP header
 * @type: enum mrc_wire_type
 * @ifindex: device it came by
 *
 * Stands in the control block of the skb until the connection takes it.
 */
struct mrc_input {
	__be32 saddr[4];
	__be32 daddr[4];
	__be16 sport;
	u16 pos;
	u16 stride;
	u16 end;
	u8 family;
	u8 ecn;
	u8 type;
	int ifindex;
};

/**
 * mrc_input_cb() - origin of a received skb
 * @skb: skb on its way to a connection
 *
 * Return: the origin in the control block.
 */
static inline struct mrc_input *mrc_input_cb(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct mrc_input) > sizeof(skb->cb));
	return (struct mrc_input *)skb->cb;
}

void mrc_input_rcv(struct mrc_net *mn, struct sk_buff *skb);
struct mrc_path *mrc_input_path(struct mrc_sock *msk,
				const struct mrc_input *in, u16 path_id);
bool mrc_input_on(const struct mrc_input *in, const struct mrc_path *path);
int mrc_input_scope(const struct mrc_input *in);
void mrc_input_parse_error(struct mrc_net *mn, int error);
bool mrc_input_may_reply(struct mrc_net *mn);
void mrc_input_addrs(const struct mrc_net *mn, const struct mrc_input *in,
		     struct mrc_addr *local, struct mrc_addr *remote);

/* receive.c: data packets; socket lock held, consumes @skb */
void mrc_receive_data(struct mrc_sock *msk, struct sk_buff *skb,
		      const struct mrc_input *in);

/* ack_apply.c: socket lock held */
void mrc_ack_apply(struct mrc_sock *msk, struct mrc_path *path,
		   const void *pkt, u32 len);

/* conn_open.c: answers to our INIT; socket lock held */
void mrc_conn_init_ack(struct mrc_sock *msk, const struct mrc_input *in,
		       const struct mrc_wire_init_ack *msg);
void mrc_conn_refuse(struct mrc_sock *msk, const struct mrc_wire_refuse *msg);
void mrc_conn_unreachable(struct mrc_sock *msk, const struct mrc_addr *local,
			  const struct mrc_addr *remote, u64 nonce);
void mrc_conn_send_init(struct mrc_sock *msk, u64 now);
void mrc_conn_send_open(struct mrc_sock *msk, u64 now);

/* conn_accept.c */
void mrc_conn_rcv_init(struct mrc_net *mn, const struct mrc_input *in,
		       const struct mrc_wire_init *msg);
void mrc_conn_rcv_open(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_input *in,
		       const struct mrc_wire_open *msg);
void mrc_conn_open_backlog(struct sock *listener, struct sk_buff *skb);

/* conn_close.c */
void mrc_conn_rcv_reset(struct mrc_net *mn, const struct mrc_input *in,
			const struct mrc_wire_reset *msg);
void mrc_conn_reply_reset(struct mrc_net *mn, const struct mrc_input *in,
			  u64 cid, u32 len, u16 reason);

#endif /* _MRC_INPUT_H */
