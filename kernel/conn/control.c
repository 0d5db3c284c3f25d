// SPDX-License-Identifier: GPL-2.0
/*
 * Control packets of an existing connection: sending, checking, dispatch.
 *
 * Socket lock held.
 */
#include "conn/control.h"
#include "conn/output.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/build.h"
#include "wire/parse.h"

/**
 * mrc_control_send() - send a control packet on a path
 * @path: path
 * @msg: message, complete
 * @len: its bytes
 *
 * Return: 0 or a negative error; control packets may always be lost.
 */
int mrc_control_send(struct mrc_path *path, void *msg, u32 len)
{
	struct sk_buff *skb = mrc_udp_alloc(msg, len, GFP_ATOMIC);

	return skb ? mrc_udp_xmit(path, skb, false) : -ENOMEM;
}

/**
 * mrc_control_sign_send() - sign and send a control packet
 * @path: path
 * @msg: message; its last 8 bytes take the MAC
 * @len: its bytes
 *
 * Return: 0 or a negative error.
 */
int mrc_control_sign_send(struct mrc_path *path, void *msg, u32 len)
{
	mrc_key_sign(&path->msk->key, msg, len);
	return mrc_control_send(path, msg, len);
}

/* A PING is answered at once, after an ACK with all that is known. */
static void rcv_ping(struct mrc_sock *msk, struct mrc_path *path,
		     const struct mrc_wire_ping *msg, u64 now)
{
	struct mrc_wire_ping pong = *msg;
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->rx.packets)
			msk->path[i]->rx.news = MRC_PATH_NEWS;
	mrc_ack_send_on(msk, path, now);
	mrc_build_hdr(&pong.hdr, MRC_WIRE_PONG, 0, path->id,
		      be32_to_cpu(msg->hdr.psn), msk->remote_cid);
	mrc_control_sign_send(path, &pong, sizeof(pong));
}

static void rcv_on_path(struct mrc_sock *msk, const struct mrc_input *in,
			const struct mrc_wire_hdr *hdr, u32 len)
{
	u16 id = be16_to_cpu(hdr->path_id);
	struct mrc_path *path = mrc_input_path(msk, in, id);
	u64 now = ktime_get_ns();

	if (!path) {
		/* The peer speaks of a path that is gone here. */
		if (in->type == MRC_WIRE_PING && !mrc_path_find(msk, id))
			mrc_path_send_status(msk, id, MRC_WIRE_PATH_GONE,
					     MRC_WIRE_R_REMOVED);
		return;
	}
	path->rx.heard_ns = now;
	switch (in->type) {
	case MRC_WIRE_ACK:
		mrc_ack_apply(msk, path, hdr, len);
		break;
	case MRC_WIRE_PING:
		rcv_ping(msk, path, (const void *)hdr, now);
		break;
	case MRC_WIRE_PONG:
		mrc_path_probe_rcv(path, (const void *)hdr, now);
		break;
	case MRC_WIRE_ADDR:
	case MRC_WIRE_ADDR_ACK:
		mrc_path_addr_rcv(msk, path, (const void *)hdr);
		break;
	}
}

/**
 * mrc_control_confirm() - the peer has shown that it has the connection
 * @msk: connection
 */
void mrc_control_confirm(struct mrc_sock *msk)
{
	if (msk->confirmed)
		return;
	msk->confirmed = true;
	msk->confirmed_ns = ktime_get_ns();
	msk->init_next_ns = 0;
	if (msk->npaths)
		mrc_path_probe_service(msk->path[0], msk->confirmed_ns);
	mrc_path_manage(msk);
}

static bool has_mac(enum mrc_wire_type type)
{
	return type >= MRC_WIRE_JOIN && type != MRC_WIRE_RESET;
}

static void dispatch(struct mrc_sock *msk, const struct mrc_input *in,
		     const struct mrc_wire_hdr *hdr, u32 len)
{
	switch (in->type) {
	case MRC_WIRE_INIT_ACK:
		mrc_conn_init_ack(msk, in, (const void *)hdr);
		return;
	case MRC_WIRE_REFUSE:
		mrc_conn_refuse(msk, (const void *)hdr);
		return;
	case MRC_WIRE_OPEN:
		/* Repeated: our ACK was lost. */
		msk->ack_now = true;
		return;
	}
	if (mrc_conn_sk(msk)->sk_state == TCP_SYN_SENT)
		return;
	if (has_mac(in->type) && !mrc_key_verify(&msk->key, hdr, len)) {
		MRC_INC_STATS(msk->mn, RxBadMac);
		return;
	}
	mrc_control_confirm(msk);
	switch (in->type) {
	case MRC_WIRE_JOIN:
	case MRC_WIRE_CHALLENGE:
	case MRC_WIRE_CONFIRM:
	case MRC_WIRE_JOINED:
		mrc_path_join_rcv(msk, in, (const void *)hdr);
		break;
	case MRC_WIRE_PATH:
		mrc_path_status_rcv(msk, (const void *)hdr);
		break;
	default:
		rcv_on_path(msk, in, hdr, len);
		break;
	}
}

/**
 * mrc_control_rcv() - a control packet has arrived
 * @msk: connection
 * @skb: skb that holds it; not consumed
 * @in: its origin; the packet lies at @in->pos..@in->end
 *
 * The header was parsed (version, type, exact length of fixed messages).
 */
void mrc_control_rcv(struct mrc_sock *msk, struct sk_buff *skb,
		     const struct mrc_input *in)
{
	u32 len = in->end - in->pos;
	u8 buf[MRC_ACK_BYTES_MAX];
	const void *pkt;

	if (len > sizeof(buf)) {
		MRC_INC_STATS(msk->mn, RxLength);
		return;
	}
	pkt = skb_header_pointer(skb, in->pos, len, buf);
	if (!pkt)
		return;
	/* The structures want four byte alignment. */
	if (!IS_ALIGNED((unsigned long)pkt, 4) &&
	    !IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS))
		pkt = memcpy(buf, pkt, len);
	dispatch(msk, in, pkt, len);
}
