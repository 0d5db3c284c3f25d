/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connections over N paths, in one process and in simulated time: the real
 * send queue, records, RTT, rate control, pacing, scheduler, packet number
 * sets, reorder queue and ACKs. Paths run over links with a rate, a delay, a
 * queue that marks above one level and drops above another, and losses; links
 * may be shared. sim_net.c has links and events, sim_conn.c the sender,
 * sim_peer.c what reaches either end.
 *
 * A superframe passes a link as one: its packets are marked and dropped one
 * by one, but arrive together, so that 400 Gbit/s can be simulated.
 */
#ifndef _UNIT_SIM_NET_H
#define _UNIT_SIM_NET_H

#include <linux/types.h>
#include "limits.h"
#include "rand.h"
#include "rate/pacer.h"
#include "rate/rate.h"
#include "reliable/inflight.h"
#include "reliable/psn.h"
#include "reliable/rtt.h"
#include "reliable/rxq.h"
#include "reliable/txq.h"
#include "sched/sched.h"

#define NET_LINKS	8
#define NET_CONNS	16
#define NET_HDR		32

/**
 * struct net_link - a link, one direction; ACKs come back after @delay alone
 * @rate: bytes per second
 * @delay: one way, nanoseconds
 * @mark: packets that find a longer queue are marked, bytes
 * @limit: packets that find a longer queue are dropped, bytes
 * @loss_ppm: packets lost, per million
 * @dead: nothing passes, ACKs neither
 * @free_ns: all that was given to it has left then
 * @most: longest queue so far, bytes
 * @drops: packets that did not pass
 */
struct net_link {
	u64 rate;
	u64 delay;
	u64 mark;
	u64 limit;
	u32 loss_ppm;
	bool dead;
	u64 free_ns;
	u64 most;
	u64 drops;
};

enum net_kind { NET_DATA, NET_ACK, NET_PONG, NET_WAKE };

/**
 * struct net_event - something that will happen
 * @at: when, nanoseconds
 * @order: which came first of those at one time
 * @kind: what
 * @conn: index of the connection
 * @path: index of the path
 * @psn: DATA: number of the first packet
 * @floor: DATA: sender's floor
 * @ts_us: DATA: departure; ACK: echo of it
 * @mask: DATA: packets that have survived
 * @marked: DATA: how many of them are marked
 * @mss: DATA: payload of every packet but the last
 * @len: DATA: payload of all, lost ones too
 * @offset: DATA: stream offset; ACK: data ack
 * @window: ACK: first offset not accepted
 * @sent_ns: PONG: departure of the PING
 * @ack: ACK: report; allocated
 */
struct net_event {
	u64 at;
	u64 order;
	enum net_kind kind;
	u32 conn;
	u32 path;
	u32 psn;
	u32 floor;
	u32 ts_us;
	u64 mask;
	u32 marked;
	u32 mss;
	u32 len;
	u64 offset;
	u64 window;
	u64 sent_ns;
	struct mrc_ack_path *ack;
};

/**
 * struct net_path - one path of a connection, both ends
 * @link: what it runs over
 * @good: may carry data
 * @pongs: answers in a row while it is bad
 * @probe_ns: next PING while it is bad
 * @heard_ns: when anything came back last
 * @timer: next verdict
 * @sent: packets that left
 * @rx_packets: packets received
 * @ce_packets: of those, marked ones
 */
struct net_path {
	struct net_link *link;
	bool good;
	u32 pongs;
	u64 probe_ns;
	u64 heard_ns;
	u64 timer;
	u64 sent;
	struct mrc_inflight inf;
	struct mrc_rtt rtt;
	struct mrc_rate rate;
	struct mrc_pacer pacer;
	struct mrc_psn_set set;
	u32 rx_packets;
	u32 ce_packets;
};

/**
 * struct net_conn - a connection, both ends
 * @npaths: entries of @path
 * @path: paths
 * @mss: payload of a packet
 * @left: bytes that the application still has to write
 * @buffer: receive buffer, bytes
 * @txq: send queue
 * @peer_window: first offset not accepted, as the sender knows
 * @last: path chosen last
 * @rxq: reorder queue
 * @wake: time of the event that counts
 * @bad_count: paths that were assumed bad
 * @arrived_ns: when the stream moved last
 * @gap_ns: longest time without that since it was last set to 0
 */
struct net_conn {
	int npaths;
	struct net_path path[NET_LINKS];
	u32 mss;
	u64 left;
	u64 buffer;
	struct mrc_txq txq;
	u64 peer_window;
	int last;
	struct mrc_rxq rxq;
	u64 wake;
	u32 bad_count;
	u64 arrived_ns;
	u64 gap_ns;
};

/**
 * struct net - the world
 * @now: time, nanoseconds
 * @rand: dice
 * @link: links
 * @conn: connections
 * @nconns: entries of @conn
 * @event: heap, the next one first
 * @nevents: entries of @event
 * @space: entries that fit
 * @order: of the last event
 * @chunks: chunks alive
 * @records: records alive
 */
struct net {
	u64 now;
	struct unit_rand rand;
	struct net_link link[NET_LINKS];
	struct net_conn conn[NET_CONNS];
	int nconns;
	struct net_event *event;
	u32 nevents;
	u32 space;
	u64 order;
	int chunks;
	int records;
};

extern struct net net;

void net_begin(u64 seed);
struct net_link *net_link(int index, u64 mbit, u64 rtt_us);
void net_post(const struct net_event *event);
void net_run(u64 ns);
void net_end(void);
void net_transmit(u32 conn, u32 path, const struct mrc_record *rec);

struct net_conn *net_connect(u32 mss, u64 bytes, u64 buffer, u32 first_psn,
			     int first_link, int nlinks);
void net_conn_data(const struct net_event *event);
void net_conn_ack(const struct net_event *event);
void net_conn_pong(const struct net_event *event);
void net_conn_wake(u32 index);
void net_conn_free(struct net_conn *conn);

#endif /* _UNIT_SIM_NET_H */
