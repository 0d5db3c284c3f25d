/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Putting the stream back in order: the decisions, without the skbs.
 *
 * An entry is a run of stream bytes that lies in one buffer (kernel: in the
 * control block of an skb). Runs ahead of a hole wait in an rbtree of
 * disjoint entries. A new run is trimmed where its neighbours already have
 * the bytes; entries that it covers whole are dropped in its favour. What was
 * acknowledged is never lost: the caller asks before it acknowledges. Pure;
 * guarded by the socket lock.
 */
#ifndef _MRC_RXQ_H
#define _MRC_RXQ_H

#include <linux/rbtree.h>
#include <linux/types.h>

/* Flags of struct mrc_rx_entry. */
#define MRC_RX_FIN	0x01	/* no bytes: the stream ends at @start */
#define MRC_RX_BEGIN	0x02	/* a message begins with the first byte */
#define MRC_RX_END	0x04	/* a message ends with the last byte */
#define MRC_RX_GONE	0x08	/* a message that was delivered early: no data */
#define MRC_RX_PACKED	0x10	/* whole messages, each behind its length */

/* Bytes of the length (u16) before each message of a packed entry; @pos is
 * where the first message that is left begins, behind its length.
 */
#define MRC_RX_PACKED_HEAD	sizeof(u16)

/**
 * struct mrc_rx_entry - run of the stream in one buffer
 * @node: in mrc_rxq.root while it waits
 * @start: stream offset of the first byte not yet consumed or trimmed
 * @len: bytes left; a FIN has 1
 * @skip: bytes between the first payload byte in the buffer and @start
 * @pos: where the first packet's MRC header stands in the buffer
 * @stride: bytes from one packet to the next in the buffer
 * @hdr: bytes of MRC header before each payload; 0: plain bytes
 * @flags: MRC_RX_*
 */
struct mrc_rx_entry {
	struct rb_node node;
	u64 start;
	u32 len;
	u32 skip;
	u16 pos;
	u16 stride;
	u8 hdr;
	u8 flags;
};

/**
 * struct mrc_rxq - reorder queue of a connection
 * @root: entries ahead of a hole, by @start, disjoint
 * @nxt: next stream offset expected
 * @window: first offset not accepted (largest edge ever advertised)
 * @fin: offset at which the stream ends; U64_MAX: not known
 * @bytes: stream bytes in @root
 */
struct mrc_rxq {
	struct rb_root root;
	u64 nxt;
	u64 window;
	u64 fin;
	u64 bytes;
};

/* What to do with a run. */
enum mrc_rx_verdict {
	MRC_RX_IN_ORDER,	/* trimmed to start at nxt: deliver it */
	MRC_RX_QUEUED,		/* now in the tree */
	MRC_RX_DUPLICATE,	/* nothing new in it: drop */
	MRC_RX_OUTSIDE,		/* beyond the window or the end: drop, no ack */
};

void mrc_rxq_init(struct mrc_rxq *rxq, u64 first, u64 window);
enum mrc_rx_verdict mrc_rxq_insert(struct mrc_rxq *rxq,
				   struct mrc_rx_entry *entry,
				   void (*drop)(struct mrc_rxq *rxq,
						struct mrc_rx_entry *entry));
void mrc_rxq_delivered(struct mrc_rxq *rxq, const struct mrc_rx_entry *entry);
struct mrc_rx_entry *mrc_rxq_next(struct mrc_rxq *rxq,
				  void (*drop)(struct mrc_rxq *rxq,
					       struct mrc_rx_entry *entry));
struct mrc_rx_entry *mrc_rxq_message(const struct mrc_rxq *rxq,
				     struct mrc_rx_entry *entry, u32 *len);
struct mrc_rx_entry *mrc_rxq_before(struct mrc_rx_entry *entry);
void mrc_rxq_join(struct mrc_rxq *rxq, struct mrc_rx_entry *before,
		  struct mrc_rx_entry *entry);
void mrc_rxq_replace(struct mrc_rxq *rxq, struct mrc_rx_entry *entry,
		     struct mrc_rx_entry *by);
struct mrc_rx_entry *mrc_rxq_take(struct mrc_rxq *rxq,
				  struct mrc_rx_entry *entry);
void mrc_rxq_leave(struct mrc_rxq *rxq, struct mrc_rx_entry *gone);
void mrc_rxq_trim(struct mrc_rx_entry *entry, u32 bytes);
u32 mrc_rxq_piece(const struct mrc_rx_entry *entry, u32 done, u32 *pos);

#endif /* _MRC_RXQ_H */
