// SPDX-License-Identifier: GPL-2.0
/*
 * What reaches the ends of a simulated connection, see sim_net.h: data at the
 * receiver, ACKs and PONGs at the sender, as in the kernel's receive and ACK
 * code.
 */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <stdlib.h>
#include "sim_net.h"
#include "wire/build.h"
#include "wire/parse.h"

static void drop_entry(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	free(entry);
}

/* A run of packets that have survived finds its place. */
static void receive_run(struct net_conn *conn, u64 offset, u32 len)
{
	struct mrc_rx_entry *entry = calloc(1, sizeof(*entry));

	entry->start = offset;
	entry->len = len;
	switch (mrc_rxq_insert(&conn->rxq, entry, drop_entry)) {
	case MRC_RX_IN_ORDER:
		do {
			mrc_rxq_delivered(&conn->rxq, entry);
			free(entry);
			entry = mrc_rxq_next(&conn->rxq, drop_entry);
		} while (entry);
		conn->gap_ns = max(conn->gap_ns, net.now - conn->arrived_ns);
		conn->arrived_ns = net.now;
		break;
	case MRC_RX_QUEUED:
		break;
	case MRC_RX_OUTSIDE:
		abort();
	default:
		free(entry);
	}
}

/* As it would arrive: through the builder and the parser. */
static void answer(struct net_conn *conn, struct net_path *p, u32 ts_us)
{
	u8 pkt[MRC_ACK_BYTES_MAX] __aligned(4);
	struct mrc_build_path rec = {
		.path_id = p - conn->path, .set = &p->set, .ts_echo = ts_us,
		.rx_packets = p->rx_packets, .ce_packets = p->ce_packets,
	};
	struct net_event event = {
		.kind = NET_ACK, .at = net.now + p->link->delay,
		.conn = conn - net.conn, .path = rec.path_id,
	};
	struct mrc_build_ack build;
	struct mrc_parse_ack ack;

	if (p->link->dead)
		return;
	conn->rxq.window = max(conn->rxq.window,
			       conn->rxq.nxt + conn->buffer);
	mrc_build_ack_begin(&build, pkt, sizeof(pkt), 1, 0, 0, conn->rxq.nxt,
			    conn->rxq.window);
	mrc_build_ack_path(&build, &rec);
	event.ack = calloc(1, sizeof(*event.ack));
	if (mrc_parse_ack(pkt, mrc_build_ack_end(&build), &ack) ||
	    !mrc_parse_ack_next(&ack, event.ack))
		abort();
	event.offset = ack.data_ack;
	event.window = ack.window;
	net_post(&event);
}

/**
 * net_conn_data() - a superframe arrives
 * @event: it
 */
void net_conn_data(const struct net_event *event)
{
	struct net_conn *conn = &net.conn[event->conn];
	struct net_path *p = &conn->path[event->path];
	u64 mask = event->mask;
	u32 first, count, at;

	mrc_psn_advance(&p->set, event->floor);
	while (mask) {
		first = __ffs64(mask);
		count = ~(mask >> first) ? __ffs64(~(mask >> first)) : 64;
		mask &= ~((~0ULL >> (64 - count)) << first);
		at = first * event->mss;
		receive_run(conn, event->offset + at,
			    min(event->len, (first + count) * event->mss) - at);
		mrc_psn_add(&p->set, event->psn + first,
			    event->psn + first + count);
		p->rx_packets += count;
	}
	p->ce_packets += event->marked;
	answer(conn, p, event->ts_us);
}

/**
 * net_conn_ack() - an ACK arrives
 * @event: it
 */
void net_conn_ack(const struct net_event *event)
{
	struct net_conn *conn = &net.conn[event->conn];
	struct net_path *p = &conn->path[event->path];
	bool limited = mrc_rate_room(&p->rate, &p->inf) < 2 * p->rate.mss;
	struct mrc_ack_result res;

	if (mrc_inflight_ack(&p->inf, &conn->txq, event->ack, net.now, &res))
		abort();
	p->heard_ns = net.now;
	if (res.newest_acked)
		mrc_rtt_sample(&p->rtt, (u32)(net.now / 1000) -
			       event->ack->ts_echo, net.now);
	p->timer = mrc_inflight_detect(&p->inf, &conn->txq, &p->rtt, net.now,
				       &res);
	mrc_rate_update(&p->rate, &p->rtt, &p->inf, &res, limited, net.now);
	mrc_inflight_forget(&p->inf, &conn->txq, net.now -
			    min(net.now, 4 * mrc_rtt_silence_ns(&p->rtt)));
	mrc_txq_ack(&conn->txq, event->offset);
	conn->peer_window = max(conn->peer_window, event->window);
	net_conn_wake(event->conn);
}

/**
 * net_conn_pong() - a bad path has answered
 * @event: the answer
 */
void net_conn_pong(const struct net_event *event)
{
	struct net_conn *conn = &net.conn[event->conn];
	struct net_path *p = &conn->path[event->path];

	if (p->good || p->link->dead || ++p->pongs < MRC_PROBE_GOOD)
		return;
	p->good = true;
	p->heard_ns = net.now;
	mrc_rtt_sample(&p->rtt, (net.now - event->sent_ns) / 1000, net.now);
	mrc_rate_init(&p->rate, &mrc_rate_dctcp, p->rate.mss,
		      p->inf.next_psn);
	net_conn_wake(event->conn);
}
