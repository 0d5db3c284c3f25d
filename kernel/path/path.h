/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One path: a UDP 4-tuple with its own packet numbers, RTT, window, pacing
 * and ECN state. Owned by one connection; everything is guarded by its socket
 * lock (process context: lock_sock, softirq: bh_lock_sock and not owned).
 */
#ifndef _MRC_PATH_H
#define _MRC_PATH_H

#include <linux/types.h>
#include <net/dst.h>
#include "path/addr.h"
#include "rate/pacer.h"
#include "rate/rate.h"
#include "reliable/inflight.h"
#include "reliable/psn.h"
#include "reliable/rtt.h"
#include "uapi/linux/mrc.h"

struct mrc_sock;

/* Why a path changed its state; names in observe/trace.h. */
enum mrc_path_reason {
	MRC_REASON_NONE,
	MRC_REASON_OPEN,	/* the connection was opened over it */
	MRC_REASON_JOIN,	/* challenge answered */
	MRC_REASON_TIMEOUT,	/* silent while others made progress */
	MRC_REASON_PROBE,	/* answers probes again */
	MRC_REASON_CARRIER,	/* local device down */
	MRC_REASON_ROUTE,	/* no route from this address */
	MRC_REASON_ADDRESS,	/* local address is gone */
	MRC_REASON_PEER,	/* the peer said so */
	MRC_REASON_ADMIN,	/* endpoint was deleted */
	MRC_REASON_ECN,		/* congested */
	MRC_REASON_MOVED,	/* the peer has another port or address */
	__MRC_REASONS
};

/* How many ACKs repeat the news of a path. */
#define MRC_PATH_NEWS	2

/**
 * struct mrc_path_rx - what arrives on a path
 * @set: PSNs received
 * @ts: timestamp of the packet with the highest PSN, to be echoed
 * @ts_ns: when it arrived
 * @packets: data packets received
 * @bytes: their bytes after the UDP header
 * @ce_packets: those with a CE mark
 * @duplicates: packets whose PSN had been seen
 * @ce: the last of them had a CE mark
 * @heard_ns: when anything valid last arrived on this path
 * @news: ACKs that still have to report this path; more than one, since any
 *	of them may be lost
 */
struct mrc_path_rx {
	struct mrc_psn_set set;
	u32 ts;
	u64 ts_ns;
	u64 packets;
	u64 bytes;
	u64 ce_packets;
	u64 duplicates;
	bool ce;
	u64 heard_ns;
	u8 news;
};

/**
 * struct mrc_path_probe - liveness of a path
 * @serial: number of the last PING
 * @sent_ns: when it left; 0: none is out
 * @since_ns: when the running silence was first probed; 0: not silent
 * @alive_ns: when the peer last proved that our packets arrive
 * @due_ns: when to look at the path again; 0: never
 * @gap_ns: bad path: gap between probes, grows
 * @good: answers in a row since the path was given up
 * @backoff: doublings of the silence time while nothing is heard anywhere
 */
struct mrc_path_probe {
	u32 serial;
	u64 sent_ns;
	u64 since_ns;
	u64 alive_ns;
	u64 due_ns;
	u64 gap_ns;
	u32 good;
	u32 backoff;
};

/**
 * struct mrc_path_join - a path being opened by this side
 * @nonce: ours, one more each time the path is joined anew; of a path that the
 *	peer opened: the last one of the peer
 * @challenge: theirs, network order; 0: not received yet
 * @next_ns: when to repeat JOIN or CONFIRM
 * @tries: messages sent
 * @again: the path is open; its peer is to learn where we are now
 */
struct mrc_path_join {
	u64 nonce;
	__be64 challenge;
	u64 next_ns;
	u32 tries;
	bool again;
};

/**
 * struct mrc_path - one path of a connection
 * @msk: connection
 * @local: our address and the UDP source port (EV) we send from
 * @ev: source port to try first; @local has this or the well-known one
 * @remote: where we send to
 * @ifindex: device that the endpoint or the scope of a link-local address
 *	names; 0: the route decides
 * @endpoint_id: endpoint that it came from; 0: none
 * @id: number on the wire; even: chosen by the client, odd: by the server
 * @state: written by mrc_path_state_set() only
 * @backup: used only while no other path is good
 * @initiator: we opened it and repeat JOIN until it is open
 * @nat: we opened it, and answers reach us only where the peer sees us
 * @mss: payload bytes of a data packet that fit (MTU and peer's limit)
 * @peer_mss: peer's limit
 * @dst: cached route, revalidated with @dst_cookie
 * @dst_cookie: for dst_check()
 * @rtt: round-trip time
 * @rate: window and pacing rate
 * @pacer: next departure
 * @inflight: what is out
 * @loss_ns: when a packet may have to be given up; 0: none
 * @rx: what arrives
 * @probe: liveness
 * @join: opening
 * @sent_bytes: payload bytes sent, every copy counted
 * @acked_bytes: wire bytes acknowledged
 * @retransmitted_packets: packets that carried bytes sent before
 * @ce_packets: packets that the peer reported with a CE mark
 * @bad_count: how often it was given up
 */
struct mrc_path {
	struct mrc_sock *msk;
	struct mrc_addr local;
	__be16 ev;
	struct mrc_addr remote;
	int ifindex;
	u32 endpoint_id;
	u16 id;
	u8 state;
	bool backup;
	bool initiator;
	bool nat;
	u16 mss;
	u16 peer_mss;
	struct dst_entry *dst;
	u32 dst_cookie;

	struct mrc_rtt rtt;
	struct mrc_rate rate;
	struct mrc_pacer pacer;
	struct mrc_inflight inflight;
	u64 loss_ns;

	struct mrc_path_rx rx;
	struct mrc_path_probe probe;
	struct mrc_path_join join;

	u64 sent_bytes;
	u64 acked_bytes;
	u64 retransmitted_packets;
	u64 ce_packets;
	u32 bad_count;
};

#endif /* _MRC_PATH_H */
