// SPDX-License-Identifier: GPL-2.0
/*
 * Small runs that wait are copied together: an skb costs far more memory than
 * the few bytes that it brings, and the window promises bytes.
 *
 * A collector is an skb of our own: bytes of the stream without headers, or
 * (MRC_RX_PACKED) whole messages, each behind its length. Owns no state: works
 * on the receive and the reorder queue. Called by receive.c, socket lock held.
 */
#include <linux/string.h>
#include "conn/rx_collect.h"

/* Runs up to this size are copied together when the reader is slow. */
#define COLLECT_MAX	512
#define COLLECTOR_SIZE	2048

/* Is it worth copying; where do its bytes lie? Messages must be whole. */
static bool is_small(struct mrc_sock *msk, struct sk_buff *skb, u32 *pos)
{
	const struct mrc_rx_entry *entry = mrc_rx_entry(skb);
	const u8 whole = MRC_RX_BEGIN | MRC_RX_END;
	struct sock *sk = mrc_conn_sk(msk);

	if (mrc_conn_has_messages(msk) && (entry->flags & whole) != whole)
		return false;
	return entry->len <= COLLECT_MAX && skb->len <= 2 * COLLECT_MAX &&
	       atomic_read(&sk->sk_rmem_alloc) >=
	       READ_ONCE(sk->sk_rcvbuf) / 8 &&
	       mrc_rxq_piece(entry, 0, pos) == entry->len;
}

/* Bytes before those of each run in a collector: the length of a message. */
static u32 head_len(struct mrc_sock *msk)
{
	return mrc_conn_has_messages(msk) ? MRC_RX_PACKED_HEAD : 0;
}

/* Adds the bytes of @skb, at @pos, to a collector that has room. */
static bool append(struct mrc_sock *msk, struct sk_buff *big,
		   struct sk_buff *skb, u32 pos)
{
	u32 head = head_len(msk);
	u16 len = mrc_rx_entry(skb)->len;

	if (skb_tailroom(big) < head + len ||
	    skb_copy_bits(skb, pos, skb_tail_pointer(big) + head, len))
		return false;
	memcpy(skb_tail_pointer(big), &len, head);
	skb_put(big, head + len);
	return true;
}

/* Only memory of our own can be written to. */
static bool is_collector(struct mrc_sock *msk, struct sk_buff *skb)
{
	const struct mrc_rx_entry *entry = mrc_rx_entry(skb);

	return !entry->hdr && (!mrc_conn_has_messages(msk) ||
			       entry->flags & MRC_RX_PACKED);
}

/* A new collector with the bytes of @skb, charged; NULL: keep the old one. */
static struct sk_buff *begin(struct mrc_sock *msk, struct sk_buff *skb,
			     u32 pos)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_rx_entry *entry;
	struct sk_buff *big;

	big = alloc_skb(COLLECTOR_SIZE, GFP_ATOMIC | __GFP_NOWARN);
	if (!big)
		return NULL;
	if (!append(msk, big, skb, pos) ||
	    !sk_rmem_schedule(sk, big, big->truesize)) {
		kfree_skb(big);
		return NULL;
	}
	skb_set_owner_r(big, sk);
	entry = mrc_rx_entry(big);
	memset(entry, 0, sizeof(*entry));
	entry->start = mrc_rx_entry(skb)->start;
	entry->len = mrc_rx_entry(skb)->len;
	entry->pos = head_len(msk);
	entry->stride = U16_MAX;
	if (mrc_conn_has_messages(msk))
		entry->flags = MRC_RX_BEGIN | MRC_RX_END | MRC_RX_PACKED;
	return big;
}

/**
 * mrc_rx_collect() - a run is about to join the receive queue
 * @msk: connection
 * @skb: the run, charged; consumed
 *
 * Return: what is to be queued; NULL: its bytes were added to the tail.
 */
struct sk_buff *mrc_rx_collect(struct mrc_sock *msk, struct sk_buff *skb)
{
	struct sk_buff *tail, *big = NULL;
	u32 pos;

	if (!is_small(msk, skb, &pos))
		return skb;
	tail = skb_peek_tail(&mrc_conn_sk(msk)->sk_receive_queue);
	if (tail && is_collector(msk, tail) && append(msk, tail, skb, pos)) {
		mrc_rx_entry(tail)->len += mrc_rx_entry(skb)->len;
	} else {
		big = begin(msk, skb, pos);
		if (!big)
			return skb;
	}
	kfree_skb(skb);
	return big;
}

/**
 * mrc_rx_collect_waiting() - a run of a stream has joined the reorder queue
 * @msk: connection
 * @skb: the run; freed when its bytes move to the run before it, or to a
 *	collector for those that follow
 *
 * Messages stay as they came: each may be asked for by itself.
 */
void mrc_rx_collect_waiting(struct mrc_sock *msk, struct sk_buff *skb)
{
	struct mrc_rx_entry *before;
	struct sk_buff *big;
	u32 pos;

	if (mrc_conn_has_messages(msk) || !is_small(msk, skb, &pos))
		return;
	before = mrc_rxq_before(mrc_rx_entry(skb));
	if (!before)
		return;
	big = mrc_rx_skb(before);
	if (is_collector(msk, big) && append(msk, big, skb, pos)) {
		mrc_rxq_join(&msk->rxq, before, mrc_rx_entry(skb));
	} else {
		/* One that follows nothing is cheaper as it is. */
		big = begin(msk, skb, pos);
		if (!big)
			return;
		mrc_rxq_replace(&msk->rxq, mrc_rx_entry(skb),
				mrc_rx_entry(big));
	}
	kfree_skb(skb);
}
