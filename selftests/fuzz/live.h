/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A live connection in one process: sender and receiver with the real queues,
 * records, rate control and scheduler, and a network between them that does
 * what the input says. live.c runs it, live_check.c judges it.
 */
#ifndef _FUZZ_LIVE_H
#define _FUZZ_LIVE_H

#include <linux/kernel.h>
#include <linux/types.h>
#include "fuzz.h"
#include "limits.h"
#include "rate/pacer.h"
#include "rate/rate.h"
#include "reliable/inflight.h"
#include "reliable/psn.h"
#include "reliable/rtt.h"
#include "reliable/rxq.h"
#include "reliable/txq.h"
#include "sched/sched.h"

#define LIVE_PATHS	3
#define LIVE_PSNS	4096	/* packets of one path, drained ones included */
#define LIVE_CHUNKS	12
#define LIVE_NET	256
#define LIVE_ACKS	8

/**
 * struct live_packet - a data packet in the network
 * @path: path
 * @psn: number
 * @floor: sender's floor
 * @ts: departure, microseconds
 * @offset: first stream byte
 * @len: stream bytes
 * @fin: it is the end of the stream
 */
struct live_packet {
	u32 path;
	u32 psn;
	u32 floor;
	u32 ts;
	u64 offset;
	u32 len;
	bool fin;
};

/**
 * struct live_ack - an ACK in the network, as it stands on the wire
 * @len: bytes
 * @pkt: packet
 */
struct live_ack {
	u32 len;
	u8 pkt[MRC_ACK_BYTES_MAX] __aligned(4);
};

/**
 * struct live_path - one path, both ends
 * @inf: sender's records
 * @rtt: its round-trip time
 * @rate: its rate control
 * @pacer: its pacing
 * @timer: when the next verdict is due; 0: never
 * @bad: assumed bad
 * @set: receiver's packet numbers
 * @rx_packets: packets received
 * @ce_packets: of those, marked ones
 * @rx_ts: timestamp to echo
 * @first_psn: number of the first packet
 * @told: packets that ACKs have acknowledged, as their results say
 * @kept: the same, as the records say that were dropped
 * @received: bit per packet
 */
struct live_path {
	struct mrc_inflight inf;
	struct mrc_rtt rtt;
	struct mrc_rate rate;
	struct mrc_pacer pacer;
	u64 timer;
	bool bad;
	struct mrc_psn_set set;
	u32 rx_packets;
	u32 ce_packets;
	u32 rx_ts;
	u32 first_psn;
	u64 told;
	u64 kept;
	u64 received[LIVE_PSNS / 64];
};

/**
 * struct live_chunk - chunk with room for the judge's notes
 * @chunk: what the queue sees
 * @refs: records that refer to it
 * @out: packets that are out on some path
 */
struct live_chunk {
	struct mrc_chunk chunk;
	u32 refs;
	u64 out;
};

/**
 * struct live - the connection
 * @now: time, nanoseconds
 * @txq: send queue
 * @chunks: chunks alive
 * @fin: the end was written
 * @rxq: reorder queue
 * @serial: number of the last ACK
 * @last: path that the scheduler chose last
 * @lied: a forged ACK was believed: the receiver may lack what is acked
 * @path: paths
 * @npackets: entries of @packet
 * @packet: data in the network
 * @nacks: entries of @ack
 * @ack: ACKs in the network
 */
struct live {
	u64 now;
	struct mrc_txq txq;
	int chunks;
	bool fin;
	struct mrc_rxq rxq;
	u32 serial;
	int last;
	bool lied;
	struct live_path path[LIVE_PATHS];
	u32 npackets;
	struct live_packet packet[LIVE_NET];
	u32 nacks;
	struct live_ack ack[LIVE_ACKS];
};

extern struct live live;

void live_path_begin(struct live_path *p, u32 first_psn);
void live_begin(const u32 *first_psn, u64 first_offset);
void live_write(u32 mss, u32 len, bool fin);
void live_grow(u32 bytes);
bool live_send(u32 path, u32 count);
void live_push(u32 most);
void live_deliver(u32 index, bool keep, bool ce);
void live_drop(u32 index);
void live_answer(u32 mask);
void live_take(u32 index, bool keep);
void live_apply(const struct mrc_ack_path *ack, bool forged);
void live_detect(u32 path);
void live_give_up(u32 path);
void live_restart(u32 path, u32 first_psn);
void live_drain(void);
void live_end(void);
void live_check(void);

#endif /* _FUZZ_LIVE_H */
