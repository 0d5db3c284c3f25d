// SPDX-License-Identifier: GPL-2.0
/*
 * Where messages begin and end among what was received, and those that are
 * handed over before their turn (MRC_UNORDERED).
 *
 * A message that is complete behind a hole moves to the receive queue; an
 * entry without data takes its place in the reorder queue, so that its bytes
 * are neither accepted nor delivered again. Socket lock held.
 */
#include "conn/rx_message.h"
#include "observe/trace.h"

/**
 * mrc_rx_message_next() - boundaries in the run that is delivered next
 * @msk: connection with messages
 * @entry: run in order
 *
 * Return: false when the peer does not keep to the rules for boundaries.
 */
bool mrc_rx_message_next(struct mrc_sock *msk,
			 const struct mrc_rx_entry *entry)
{
	bool begins = entry->flags & MRC_RX_BEGIN;

	if (begins == !!msk->rx_partial)
		return false;
	if (entry->flags & MRC_RX_GONE)
		return true;
	msk->rx_partial += entry->len;
	if (msk->rx_partial > MRC_MESSAGE_MAX)
		return false;
	if (entry->flags & MRC_RX_END) {
		msk->rx_partial = 0;
		WRITE_ONCE(msk->rx_messages, msk->rx_messages + 1);
	}
	return true;
}

/* The skb behind the last whole message of the receive queue, or NULL. */
static struct sk_buff *first_partial(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct sk_buff *skb;

	if (!msk->rx_partial)
		return NULL;
	skb_queue_reverse_walk(&sk->sk_receive_queue, skb)
		if (mrc_rx_entry(skb)->flags & MRC_RX_BEGIN)
			return skb;
	return NULL;
}

static void hand_over(struct sock *sk, struct sk_buff *skb,
		      struct sk_buff *before)
{
	if (before)
		__skb_queue_before(&sk->sk_receive_queue, before, skb);
	else
		__skb_queue_tail(&sk->sk_receive_queue, skb);
}

/* What stays in the reorder queue in place of a message; NULL: no memory. */
static struct mrc_rx_entry *make_gone(struct sock *sk, u64 start, u32 len)
{
	struct mrc_rx_entry *entry;
	struct sk_buff *skb;

	skb = alloc_skb(0, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	if (!sk_rmem_schedule(sk, skb, skb->truesize)) {
		kfree_skb(skb);
		return NULL;
	}
	skb_set_owner_r(skb, sk);
	entry = mrc_rx_entry(skb);
	memset(entry, 0, sizeof(*entry));
	entry->start = start;
	entry->len = len;
	return entry;
}

/**
 * mrc_rx_message_early() - a run has come to wait in the reorder queue
 * @msk: connection
 * @entry: the run
 *
 * Hands over the message that it completes, when the application wants that.
 */
void mrc_rx_message_early(struct mrc_sock *msk, struct mrc_rx_entry *entry)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_rx_entry *gone, *next;
	struct sk_buff *before;
	u64 left;
	u32 len;

	if (!msk->opts.unordered || !mrc_conn_has_messages(msk))
		return;
	entry = mrc_rxq_message(&msk->rxq, entry, &len);
	if (!entry || len > MRC_MESSAGE_MAX)
		return;
	gone = make_gone(sk, entry->start, len);
	if (!gone)
		return;
	trace_mrc_deliver(msk, entry->start, len);
	before = first_partial(msk);
	for (left = len; left; entry = next) {
		left -= entry->len;
		next = mrc_rxq_take(&msk->rxq, entry);
		hand_over(sk, mrc_rx_skb(entry), before);
	}
	mrc_rxq_leave(&msk->rxq, gone);
	WRITE_ONCE(msk->rx_messages, msk->rx_messages + 1);
	msk->rx_early = true;
}
