// SPDX-License-Identifier: GPL-2.0
/*
 * Reorder queue of a connection: what to do with runs that arrive.
 *
 * Owns struct mrc_rxq and the entries while they wait in its tree. The
 * receive path inserts, then delivers and asks for what has become due; the
 * reader asks where payload lies in an entry. Pure: guarded by the socket
 * lock.
 */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include "reliable/rxq.h"

#define FIN_UNKNOWN	(~0ULL)

static struct mrc_rx_entry *entry_of(struct rb_node *node)
{
	return node ? rb_entry(node, struct mrc_rx_entry, node) : NULL;
}

static u64 end_of(const struct mrc_rx_entry *entry)
{
	return entry->start + entry->len;
}

static void remove_entry(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	rb_erase(&entry->node, &rxq->root);
	RB_CLEAR_NODE(&entry->node);
	rxq->bytes -= entry->len;
}

static void trim_end(struct mrc_rx_entry *entry, u64 end)
{
	entry->len = end - entry->start;
	entry->flags &= ~MRC_RX_END;
}

/* Offset after the last byte received. */
static u64 highest_end(const struct mrc_rxq *rxq)
{
	struct mrc_rx_entry *last = entry_of(rb_last(&rxq->root));

	return last ? end_of(last) : rxq->nxt;
}

/*
 * The end of the stream may stand exactly at the window's edge: a FIN takes
 * an offset but no memory, and a full window must not hold up the close.
 */
static bool accept_fin(struct mrc_rxq *rxq, const struct mrc_rx_entry *entry)
{
	if (entry->len != 1 || entry->start > rxq->window)
		return false;
	if (rxq->fin != FIN_UNKNOWN)
		return entry->start == rxq->fin;
	if (highest_end(rxq) > entry->start)
		return false;
	rxq->fin = entry->start;
	return true;
}

/* Is a run inside the window, and the stream's end where it was? */
static bool accept_run(struct mrc_rxq *rxq, const struct mrc_rx_entry *entry)
{
	u64 end = end_of(entry);

	if (end < entry->start)
		return false;
	if (entry->flags & MRC_RX_FIN)
		return accept_fin(rxq, entry);
	return end <= rxq->window && end <= rxq->fin;
}

/* The entry with the largest start not after an offset, or NULL. */
static struct mrc_rx_entry *find_before(const struct mrc_rxq *rxq, u64 start)
{
	struct rb_node *node = rxq->root.rb_node;
	struct mrc_rx_entry *found = NULL;
	struct mrc_rx_entry *here;

	while (node) {
		here = entry_of(node);
		if (here->start <= start) {
			found = here;
			node = node->rb_right;
		} else {
			node = node->rb_left;
		}
	}
	return found;
}

static void link_entry(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	struct rb_node **link = &rxq->root.rb_node;
	struct rb_node *parent = NULL;

	while (*link) {
		parent = *link;
		if (entry->start < entry_of(parent)->start)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&entry->node, parent, link);
	rb_insert_color(&entry->node, &rxq->root);
	rxq->bytes += entry->len;
}

/**
 * mrc_rxq_init() - empty queue
 * @rxq: queue
 * @first: stream offset of the first byte
 * @window: first offset not accepted; the caller raises it later in @rxq
 */
void mrc_rxq_init(struct mrc_rxq *rxq, u64 first, u64 window)
{
	rxq->root = RB_ROOT;
	rxq->nxt = first;
	rxq->window = window;
	rxq->fin = FIN_UNKNOWN;
	rxq->bytes = 0;
}

/**
 * mrc_rxq_insert() - a run has arrived
 * @rxq: queue
 * @entry: run; bytes that the queue has are trimmed from it
 * @drop: called for each entry that left the tree because @entry covers it
 *
 * A run in order is not linked: the caller delivers it, calls
 * mrc_rxq_delivered(), then drains mrc_rxq_next(). A FIN fixes the end of the
 * stream at once, also while it waits.
 *
 * Return: what became of @entry; it belongs to the queue only when QUEUED
 * (also when it has nothing new but replaces several entries that waited).
 */
enum mrc_rx_verdict mrc_rxq_insert(struct mrc_rxq *rxq,
				   struct mrc_rx_entry *entry,
				   void (*drop)(struct mrc_rxq *rxq,
						struct mrc_rx_entry *entry))
{
	struct mrc_rx_entry *here, *next;

	if (!accept_run(rxq, entry))
		return MRC_RX_OUTSIDE;
	if (end_of(entry) <= rxq->nxt || !entry->len)
		return MRC_RX_DUPLICATE;
	if (entry->start < rxq->nxt)
		mrc_rxq_trim(entry, rxq->nxt - entry->start);
	if (entry->start == rxq->nxt)
		return MRC_RX_IN_ORDER;

	here = find_before(rxq, entry->start);
	if (here) {
		if (end_of(here) >= end_of(entry))
			return MRC_RX_DUPLICATE;
		if (end_of(here) > entry->start)
			mrc_rxq_trim(entry, end_of(here) - entry->start);
		here = entry_of(rb_next(&here->node));
	} else {
		here = entry_of(rb_first(&rxq->root));
	}
	for (; here && here->start < end_of(entry); here = next) {
		if (end_of(here) > end_of(entry)) {
			trim_end(entry, here->start);
			break;
		}
		next = entry_of(rb_next(&here->node));
		remove_entry(rxq, here);
		drop(rxq, here);
	}
	/* Two neighbours together may have had all of it. */
	if (!entry->len)
		return MRC_RX_DUPLICATE;
	link_entry(rxq, entry);
	return MRC_RX_QUEUED;
}

/**
 * mrc_rxq_delivered() - a run in order was handed over
 * @rxq: queue
 * @entry: it; not in the tree, starts at @rxq->nxt
 */
void mrc_rxq_delivered(struct mrc_rxq *rxq, const struct mrc_rx_entry *entry)
{
	if (WARN_ON_ONCE(entry->start != rxq->nxt))
		return;
	rxq->nxt = end_of(entry);
}

/**
 * mrc_rxq_next() - what has become due
 * @rxq: queue
 * @drop: called for each entry that left the tree because all of it was
 *	delivered from elsewhere
 *
 * Return: entry that starts at @rxq->nxt, out of the tree, to be delivered;
 * NULL: a hole, or nothing waits.
 */
struct mrc_rx_entry *mrc_rxq_next(struct mrc_rxq *rxq,
				  void (*drop)(struct mrc_rxq *rxq,
					       struct mrc_rx_entry *entry))
{
	struct mrc_rx_entry *entry;

	while ((entry = entry_of(rb_first(&rxq->root)))) {
		if (entry->start > rxq->nxt)
			return NULL;
		remove_entry(rxq, entry);
		if (end_of(entry) > rxq->nxt) {
			mrc_rxq_trim(entry, rxq->nxt - entry->start);
			return entry;
		}
		drop(rxq, entry);
	}
	return NULL;
}

/**
 * mrc_rxq_message() - is the message complete that an entry belongs to
 * @rxq: queue
 * @entry: entry in the tree
 * @len: set to the bytes of the message
 *
 * Return: its first entry; NULL: a part is missing, or it was taken already.
 */
struct mrc_rx_entry *mrc_rxq_message(const struct mrc_rxq *rxq,
				     struct mrc_rx_entry *entry, u32 *len)
{
	struct mrc_rx_entry *first = entry, *last = entry, *next;

	while (!(first->flags & MRC_RX_BEGIN)) {
		next = entry_of(rb_prev(&first->node));
		if (!next || end_of(next) != first->start ||
		    next->flags & (MRC_RX_END | MRC_RX_FIN))
			return NULL;
		first = next;
	}
	while (!(last->flags & MRC_RX_END)) {
		next = entry_of(rb_next(&last->node));
		if (!next || end_of(last) != next->start ||
		    next->flags & (MRC_RX_BEGIN | MRC_RX_FIN))
			return NULL;
		last = next;
	}
	if (first->flags & MRC_RX_GONE)
		return NULL;
	*len = end_of(last) - first->start;
	return first;
}

/**
 * mrc_rxq_before() - the neighbour that an entry continues
 * @entry: entry in a tree
 *
 * Return: the entry that ends where @entry begins, or NULL.
 */
struct mrc_rx_entry *mrc_rxq_before(struct mrc_rx_entry *entry)
{
	struct mrc_rx_entry *before = entry_of(rb_prev(&entry->node));

	return before && end_of(before) == entry->start ? before : NULL;
}

/**
 * mrc_rxq_join() - the bytes of an entry were added to the one before it
 * @rxq: queue
 * @before: mrc_rxq_before() of @entry
 * @entry: entry in the tree; leaves it
 */
void mrc_rxq_join(struct mrc_rxq *rxq, struct mrc_rx_entry *before,
		  struct mrc_rx_entry *entry)
{
	rb_erase(&entry->node, &rxq->root);
	before->len += entry->len;
}

/**
 * mrc_rxq_replace() - the bytes of an entry were moved to another buffer
 * @rxq: queue
 * @entry: entry in the tree; leaves it
 * @by: entry of the same range
 */
void mrc_rxq_replace(struct mrc_rxq *rxq, struct mrc_rx_entry *entry,
		     struct mrc_rx_entry *by)
{
	rb_replace_node(&entry->node, &by->node, &rxq->root);
}

/**
 * mrc_rxq_take() - take an entry out before it is due
 * @rxq: queue
 * @entry: entry in the tree
 *
 * Return: the entry that followed it, or NULL.
 */
struct mrc_rx_entry *mrc_rxq_take(struct mrc_rxq *rxq,
				  struct mrc_rx_entry *entry)
{
	struct mrc_rx_entry *next = entry_of(rb_next(&entry->node));

	remove_entry(rxq, entry);
	return next;
}

/**
 * mrc_rxq_leave() - remember that bytes were taken before they were due
 * @rxq: queue
 * @gone: entry without data for the range, which is free
 */
void mrc_rxq_leave(struct mrc_rxq *rxq, struct mrc_rx_entry *gone)
{
	gone->flags = MRC_RX_BEGIN | MRC_RX_END | MRC_RX_GONE;
	link_entry(rxq, gone);
}

/**
 * mrc_rxq_trim() - bytes at the start of an entry are of no interest
 * @entry: entry, not in a tree
 * @bytes: how many, at most its length
 */
void mrc_rxq_trim(struct mrc_rx_entry *entry, u32 bytes)
{
	entry->start += bytes;
	entry->len -= bytes;
	entry->skip += bytes;
	if (bytes)
		entry->flags &= ~MRC_RX_BEGIN;
}

/**
 * mrc_rxq_piece() - where payload lies in the buffer of an entry
 * @entry: entry
 * @done: bytes of it already read
 * @pos: set to the buffer position of the next payload byte
 *
 * Return: payload bytes from there to the next MRC header or the end of the
 * entry; 0: nothing is left (a FIN has nothing to read).
 */
u32 mrc_rxq_piece(const struct mrc_rx_entry *entry, u32 done, u32 *pos)
{
	u32 at = entry->skip + done;
	u32 left, per;

	if ((entry->flags & MRC_RX_FIN) || done >= entry->len)
		return 0;
	left = entry->len - done;
	if (!entry->hdr) {
		*pos = entry->pos + at;
		return left;
	}
	if (WARN_ON_ONCE(entry->stride <= entry->hdr))
		return 0;
	per = entry->stride - entry->hdr;
	*pos = entry->pos + at / per * entry->stride + entry->hdr + at % per;
	return min(left, per - at % per);
}
