/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One path between two ends, in one process: the sender's queues and records
 * on one side, PSN set and reorder queue on the other, and between them a
 * link that delays, loses, repeats and reorders packets and ACKs. What was
 * really received is remembered beside, to judge the sender by.
 */
#ifndef _UNIT_SIM_H
#define _UNIT_SIM_H

#include <linux/types.h>
#include "limits.h"
#include "rand.h"
#include "reliable/inflight.h"
#include "reliable/psn.h"
#include "reliable/rtt.h"
#include "reliable/rxq.h"
#include "reliable/txq.h"

#define SIM_PSNS	1048576
#define SIM_EVENTS	8192

/**
 * struct sim_link - what the network does; all times in nanoseconds
 * @delay: one-way delay
 * @jitter: added at random, so that packets overtake one another
 * @gap: serialisation time of a packet; 0: infinitely fast
 * @loss: packets lost, percent
 * @repeat: packets that arrive twice, percent
 * @ack_loss: ACKs lost, percent
 * @mark: packets marked CE, percent
 */
struct sim_link {
	u64 delay;
	u64 jitter;
	u64 gap;
	u32 loss;
	u32 repeat;
	u32 ack_loss;
	u32 mark;
};

/**
 * struct sim_event - a packet or an ACK under way
 * @at: arrival, nanoseconds
 * @is_ack: an ACK
 * @ce: marked
 * @psn: DATA: packet number
 * @floor: DATA: sender's floor
 * @offset: DATA: stream offset
 * @len: DATA: stream bytes
 * @sent_ns: DATA: departure; ACK: that of the packet that caused it
 * @una: ACK: data ack
 * @ack: ACK: report
 */
struct sim_event {
	u64 at;
	bool is_ack;
	bool ce;
	u32 psn;
	u32 floor;
	u64 offset;
	u32 len;
	u64 sent_ns;
	u64 una;
	struct mrc_ack_path ack;
};

/**
 * struct sim - the world
 * @rand: generator
 * @link: network
 * @now: time, nanoseconds
 * @link_free: the link is busy until then
 * @txq: sender's queue
 * @inf: sender's records
 * @rtt: sender's estimate
 * @timer: next verdict, 0: none
 * @window: packets that may be out
 * @first_psn: number of the first packet
 * @stream: bytes to transfer
 * @written: bytes written so far
 * @set: receiver's PSNs
 * @rxq: receiver's reorder queue
 * @rx_packets: packets received
 * @ce_packets: marked ones
 * @received: by PSN: arrived at least once
 * @dropped: packets that the link lost
 * @acked_ce: sum of what ACKs reported as new
 * @acked_rx: the same for packets
 * @rate_max: largest delivery rate sample
 * @rate_last: last one
 * @rates: samples
 * @stall_lost: packets given up because nothing moved any more
 * @records: records alive
 * @chunks: chunks alive
 * @wrong: what was found wrong first; NULL: nothing
 * @nevents: entries of @event
 * @event: under way
 */
struct sim {
	struct unit_rand rand;
	struct sim_link link;
	u64 now;
	u64 link_free;
	struct mrc_txq txq;
	struct mrc_inflight inf;
	struct mrc_rtt rtt;
	u64 timer;
	u32 window;
	u32 first_psn;
	u64 stream;
	u64 written;
	struct mrc_psn_set set;
	struct mrc_rxq rxq;
	u32 rx_packets;
	u32 ce_packets;
	u8 *received;
	u64 dropped;
	u64 acked_ce;
	u64 acked_rx;
	u64 rate_max;
	u64 rate_last;
	u64 rates;
	u64 stall_lost;
	int records;
	int chunks;
	const char *wrong;
	u32 nevents;
	struct sim_event *event;
};

void sim_init(struct sim *sim, u64 seed, const struct sim_link *link,
	      u32 window, u32 first_psn);
void sim_transfer(struct sim *sim, u64 bytes);
void sim_exit(struct sim *sim);

#endif /* _UNIT_SIM_H */
