/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of one path that have left: acknowledged, lost, or still out.
 *
 * One record per run of packets that left together and continue one another.
 * Losses are found as in RACK (RFC 8985): a packet is lost when one that left
 * later on the same path has arrived and the reordering window has passed.
 * The window is a quarter of the minimum RTT, widened to the lateness that
 * was really observed, be it in time or after a spurious loss (a record is
 * kept for a while after it was given up, so that a late ACK shows). Order
 * between paths plays no part. inflight.c keeps the records, inflight_ack.c
 * applies ACKs, inflight_loss.c gives up.
 *
 * Pure; guarded by the socket lock.
 */
#ifndef _MRC_INFLIGHT_H
#define _MRC_INFLIGHT_H

#include <linux/list.h>
#include <linux/types.h>
#include "limits.h"
#include "reliable/psn.h"
#include "reliable/rtt.h"
#include "reliable/txq.h"

/* Flags of struct mrc_record. */
#define MRC_RECORD_RETRANS	0x01	/* carries bytes sent before */
#define MRC_RECORD_APP_LIMITED	0x02	/* sender had no more to send */
#define MRC_RECORD_HEARD	0x80	/* a PING sent later was answered */

/**
 * struct mrc_record - packets that left together on one path
 * @node: in mrc_inflight.records, by PSN
 * @chunk: their bytes; one reference is held
 * @sent_ns: departure
 * @delivered: mrc_inflight.delivered at departure
 * @delivered_ns: mrc_inflight.delivered_ns at departure, or when the path
 *	last became busy
 * @first_sent_ns: when the packet left whose delivery @delivered_ns tells of
 * @overtaken_ns: the reordering window runs from here; 0: nothing that left
 *	later has arrived
 * @psn: packet number of the first
 * @first: index of the first packet in @chunk
 * @count: packets, 1..64
 * @flags: MRC_RECORD_*
 * @wire: bytes of every packet but the last, MRC header included
 * @wire_last: bytes of the last packet
 * @acked: bit per packet: arrived
 * @lost: bit per packet: given up (and may still arrive late)
 */
struct mrc_record {
	struct list_head node;
	struct mrc_chunk *chunk;
	u64 sent_ns;
	u64 delivered;
	u64 delivered_ns;
	u64 first_sent_ns;
	u64 overtaken_ns;
	u32 psn;
	u8 first;
	u8 count;
	u8 flags;
	u16 wire;
	u16 wire_last;
	u64 acked;
	u64 lost;
};

/**
 * struct mrc_inflight_seen - what the last ACK of a path said
 * @cum: every PSN before was settled
 * @count: entries of @range
 * @range: received PSNs, ascending
 *
 * Lets the next ACK be applied in time linear in its news.
 */
struct mrc_inflight_seen {
	u32 cum;
	u32 count;
	struct mrc_psn_range range[MRC_ACK_RANGES];
};

/**
 * struct mrc_inflight - sender's view of one path
 * @records: by PSN, oldest first; those that arrived whole are gone
 * @oldest_out: first record with packets neither acknowledged nor given up;
 *	NULL: none
 * @rack_next: first record with a PSN after @rack_psn; NULL: none
 * @next_psn: number of the next packet
 * @bytes: bytes out: neither acknowledged nor given up
 * @first_out_ns: when the path last went from idle to busy
 * @rack_sent_ns: departure of the latest packet known to have arrived
 * @rack_psn: its PSN
 * @heard_ns: departure of the latest PING that was answered
 * @heard_new: @heard_ns was not looked at yet
 * @reorder_ns: largest lateness inside the path, halves with time
 * @reorder_seen_ns: when it was observed
 * @delivered: bytes acknowledged so far
 * @delivered_ns: when the last of them was acknowledged
 * @ce_packets: CE count of the last ACK, modulo 2^32
 * @rx_packets: packet count of the last ACK, modulo 2^32
 * @sent_packets: packets that left
 * @lost_packets: packets given up
 * @spurious_packets: packets given up that arrived after all
 * @seen: the last ACK
 * @free: gives back the memory of a record
 */
struct mrc_inflight {
	struct list_head records;
	struct mrc_record *oldest_out;
	struct mrc_record *rack_next;
	u32 next_psn;
	u64 bytes;
	u64 first_out_ns;
	u64 rack_sent_ns;
	u32 rack_psn;
	bool heard_new;
	u64 heard_ns;
	u64 reorder_ns;
	u64 reorder_seen_ns;
	u64 delivered;
	u64 delivered_ns;
	u32 ce_packets;
	u32 rx_packets;
	u64 sent_packets;
	u64 lost_packets;
	u64 spurious_packets;
	struct mrc_inflight_seen seen;
	void (*free)(struct mrc_record *rec);
};

/**
 * struct mrc_ack_path - one path in a parsed ACK, host order
 * @path_id: the path
 * @nranges: entries of @range
 * @cum: every PSN before is settled at the receiver
 * @ts_echo: echoed timestamp, microseconds
 * @delay_us: how long the receiver held it
 * @rx_packets: data packets it has received, modulo 2^32
 * @rx_bytes: their bytes, modulo 2^32
 * @ce_packets: those with a CE mark, modulo 2^32
 * @range: received PSNs, highest first
 */
struct mrc_ack_path {
	u16 path_id;
	u16 nranges;
	u32 cum;
	u32 ts_echo;
	u32 delay_us;
	u32 rx_packets;
	u32 rx_bytes;
	u32 ce_packets;
	struct mrc_psn_range range[MRC_ACK_RANGES];
};

/**
 * struct mrc_ack_result - what an ACK or a timer has changed on one path
 * @acked_bytes: wire bytes newly acknowledged
 * @lost_bytes: wire bytes newly given up
 * @acked_packets: packets newly acknowledged
 * @ce_packets: packets newly reported with a CE mark
 * @rx_packets: packets newly reported as received (base of the CE share)
 * @lost_packets: packets newly given up
 * @lost_psn: highest PSN among them
 * @spurious_packets: packets given up earlier that have arrived after all
 * @newest_acked: a PSN higher than all before was acknowledged: the echoed
 *	timestamp is fresh
 * @retrans: a newly acknowledged packet was a retransmission
 * @rate: delivery rate sample, bytes per second; 0: none
 * @app_limited: the sample was taken while the sender had nothing to send
 */
struct mrc_ack_result {
	u64 acked_bytes;
	u64 lost_bytes;
	u32 acked_packets;
	u32 ce_packets;
	u32 rx_packets;
	u32 lost_packets;
	u32 lost_psn;
	u32 spurious_packets;
	bool newest_acked;
	bool retrans;
	u64 rate;
	bool app_limited;
};

/**
 * mrc_inflight_all() - every packet of a record
 * @rec: record
 *
 * Return: a bit for each.
 */
static inline u64 mrc_inflight_all(const struct mrc_record *rec)
{
	return ~0ULL >> (MRC_CHUNK_PACKETS - rec->count);
}

/**
 * mrc_inflight_out() - packets of a record still out
 * @rec: record
 *
 * Return: a bit for each that is neither acknowledged nor given up.
 */
static inline u64 mrc_inflight_out(const struct mrc_record *rec)
{
	return mrc_inflight_all(rec) & ~(rec->acked | rec->lost);
}

/**
 * mrc_inflight_first() - oldest record
 * @inf: path
 *
 * Return: record, or NULL.
 */
static inline struct mrc_record *
mrc_inflight_first(const struct mrc_inflight *inf)
{
	return list_empty(&inf->records) ? NULL :
	       list_first_entry(&inf->records, struct mrc_record, node);
}

/**
 * mrc_inflight_next() - record that left next
 * @inf: path
 * @rec: record
 *
 * Return: the next newer record, or NULL.
 */
static inline struct mrc_record *
mrc_inflight_next(const struct mrc_inflight *inf, struct mrc_record *rec)
{
	return list_is_last(&rec->node, &inf->records) ? NULL :
	       list_next_entry(rec, node);
}

void mrc_inflight_init(struct mrc_inflight *inf, u32 first_psn,
		       void (*free)(struct mrc_record *rec));
void mrc_inflight_sent(struct mrc_inflight *inf, struct mrc_record *rec,
		       u64 now);
u32 mrc_inflight_wire(const struct mrc_record *rec, u64 mask);
void mrc_inflight_settle(struct mrc_inflight *inf);
void mrc_inflight_drop(struct mrc_inflight *inf, struct mrc_txq *txq,
		       struct mrc_record *rec);
int mrc_inflight_ack(struct mrc_inflight *inf, struct mrc_txq *txq,
		     const struct mrc_ack_path *ack, u64 now,
		     struct mrc_ack_result *res);
void mrc_inflight_heard(struct mrc_inflight *inf, u64 sent_ns);
u64 mrc_inflight_late_ns(const struct mrc_inflight *inf, u64 now);
u64 mrc_inflight_reorder_ns(const struct mrc_inflight *inf,
			    const struct mrc_rtt *rtt, u64 now);
u64 mrc_inflight_detect(struct mrc_inflight *inf, struct mrc_txq *txq,
			const struct mrc_rtt *rtt, u64 now,
			struct mrc_ack_result *res);
void mrc_inflight_lose_all(struct mrc_inflight *inf, struct mrc_txq *txq,
			   struct mrc_ack_result *res);
void mrc_inflight_forget(struct mrc_inflight *inf, struct mrc_txq *txq,
			 u64 before_ns);
u32 mrc_inflight_floor(const struct mrc_inflight *inf);
void mrc_inflight_purge(struct mrc_inflight *inf, struct mrc_txq *txq);

#endif /* _MRC_INFLIGHT_H */
