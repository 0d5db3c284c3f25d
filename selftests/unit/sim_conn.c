// SPDX-License-Identifier: GPL-2.0
/*
 * The sending end of a simulated connection, see sim_net.h: what the kernel's
 * output, timer and probe code do with the pure rooms, in their order.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <stdlib.h>
#include <string.h>
#include "sim_net.h"

static void free_record(struct mrc_record *rec)
{
	net.records--;
	free(rec);
}

static void detach_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	chunk->truesize = 0;
}

static void release_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	net.chunks--;
	free(chunk);
}

/* A chunk as large as a superframe, when the last one has left. */
static void write_ahead(struct net_conn *conn)
{
	u32 most = MRC_SUPERFRAME_BYTES / (conn->mss + NET_HDR);
	struct mrc_chunk *chunk;

	if (conn->txq.unsent || !conn->left)
		return;
	chunk = calloc(1, sizeof(*chunk));
	net.chunks++;
	chunk->mss = conn->mss;
	chunk->len = min_t(u64, conn->left,
			   min_t(u32, most, MRC_CHUNK_PACKETS) * conn->mss);
	chunk->npackets = DIV_ROUND_UP(chunk->len, conn->mss);
	conn->left -= chunk->len;
	mrc_txq_add(&conn->txq, chunk);
}

static void describe(struct net_conn *conn, struct mrc_sched_path *desc)
{
	for (int i = 0; i < conn->npaths; i++) {
		struct net_path *p = &conn->path[i];

		desc[i] = (struct mrc_sched_path) {
			.good = p->good,
			.room = mrc_rate_room(&p->rate, &p->inf),
			.wait_ns = mrc_pacer_wait_ns(&p->pacer, net.now),
			.queue_ns = mrc_pacer_queue_ns(&p->pacer, net.now),
			.inflight = p->inf.bytes,
			.cwnd = p->rate.cwnd,
			.rate = mrc_rate_capacity(&p->rate, &p->rtt),
			.srtt_us = mrc_rtt_aged_us(&p->rtt, net.now),
			.min_us = p->rtt.min_us,
			.mss = p->rate.mss,
		};
	}
}

/* What waits: lost packets first. Return: packets, 0: none may leave. */
static u32 next_work(struct net_conn *conn, struct mrc_chunk **chunk,
		     u32 *first, bool *again)
{
	u32 count;
	u64 room;

	*chunk = mrc_txq_lost_next(&conn->txq, NULL, first, &count);
	*again = *chunk;
	if (*chunk)
		return count;
	write_ahead(conn);
	*chunk = conn->txq.unsent;
	if (!*chunk)
		return 0;
	*first = (*chunk)->sent;
	room = conn->peer_window - min(conn->peer_window, conn->txq.nxt);
	if (room < mrc_txq_packet_len(*chunk, *first))
		return 0;
	return min_t(u64, (*chunk)->npackets - *first,
		     max_t(u64, room / conn->mss, 1));
}

static void leave(struct net_conn *conn, u32 path, struct mrc_chunk *chunk,
		  u32 first, u32 count, bool again)
{
	struct mrc_record *rec = calloc(1, sizeof(*rec));
	struct net_path *p = &conn->path[path];

	net.records++;
	mrc_txq_get(chunk);
	rec->chunk = chunk;
	rec->first = first;
	rec->count = count;
	rec->flags = again ? MRC_RECORD_RETRANS : 0;
	rec->wire = conn->mss + NET_HDR;
	rec->wire_last = NET_HDR + mrc_txq_packet_len(chunk, first + count - 1);
	if (again)
		mrc_txq_resent(&conn->txq, chunk, first, count);
	else
		mrc_txq_sent(&conn->txq, chunk, count);
	mrc_inflight_sent(&p->inf, rec, net.now);
	mrc_pacer_sent(&p->pacer, count * rec->wire, p->rate.pacing_rate,
		       net.now);
	net_transmit(conn - net.conn, path, rec);
}

/* Return: when to try again because of pacing; U64_MAX: after an ACK. */
static u64 push(struct net_conn *conn)
{
	struct mrc_sched_path desc[NET_LINKS];
	struct mrc_sched_req req = {
		.paths = desc, .npaths = conn->npaths, .avoid = -1,
	};
	u32 count, first, wire = conn->mss + NET_HDR;
	struct mrc_chunk *chunk;
	u64 wait;
	int i;

	for (;;) {
		count = next_work(conn, &chunk, &first, &req.urgent);
		if (!count)
			return U64_MAX;
		describe(conn, desc);
		req.last = conn->last;
		req.len = count * wire;
		req.backlog = conn->left + mrc_txq_unsent_bytes(&conn->txq);
		req.backlog = max_t(u64, req.backlog, req.len);
		req.window = conn->peer_window -
			     min(conn->peer_window, conn->txq.nxt);
		wait = U64_MAX;
		i = mrc_sched_earliest.pick(&req, &wait);
		if (i < 0)
			return wait == U64_MAX ? wait : net.now + wait;
		conn->last = i;
		count = clamp_t(u32, min(mrc_rate_burst(&conn->path[i].rate),
					 desc[i].room) / wire, 1, count);
		leave(conn, i, chunk, first, count, req.urgent);
	}
}

static void give_up(struct net_conn *conn, struct net_path *p, bool bad)
{
	struct mrc_ack_result res = { 0 };

	mrc_inflight_lose_all(&p->inf, &conn->txq, &res);
	p->timer = 0;
	p->heard_ns = net.now;
	if (!bad) {
		mrc_rate_timeout(&p->rate, &p->rtt, &p->inf);
		return;
	}
	conn->bad_count++;
	p->good = false;
	p->pongs = 0;
	p->probe_ns = net.now;
}

static bool others_alive(const struct net_conn *conn, const struct net_path *p,
			 u64 since)
{
	for (int i = 0; i < conn->npaths; i++)
		if (&conn->path[i] != p && conn->path[i].good &&
		    conn->path[i].heard_ns > since)
			return true;
	return false;
}

/* A bad path is asked now and then; the PING waits behind the data. */
static u64 probe(struct net_conn *conn, struct net_path *p)
{
	struct net_event event = {
		.kind = NET_PONG,
		.at = max(p->link->free_ns, net.now) + 2 * p->link->delay,
		.conn = conn - net.conn,
		.path = p - conn->path,
		.sent_ns = net.now,
	};

	if (p->probe_ns > net.now)
		return p->probe_ns;
	if (!p->link->dead)
		net_post(&event);
	p->probe_ns = net.now + max_t(u64, 2 * mrc_rtt_smooth_ns(&p->rtt),
				      MRC_PROBE_MIN_NS);
	return p->probe_ns;
}

/* Silence and verdicts of a path. Return: when to look again. */
static u64 service(struct net_conn *conn, struct net_path *p)
{
	struct mrc_ack_result res = { 0 };
	u64 since, due;

	if (!p->good)
		return probe(conn, p);
	if (p->timer && p->timer <= net.now) {
		p->timer = mrc_inflight_detect(&p->inf, &conn->txq, &p->rtt,
					       net.now, &res);
		mrc_rate_update(&p->rate, &p->rtt, &p->inf, &res, false,
				net.now);
	}
	if (!p->inf.bytes)
		return p->timer ? p->timer : U64_MAX;
	since = max(p->inf.first_out_ns, p->heard_ns);
	due = since + mrc_rtt_silence_ns(&p->rtt);
	if (due <= net.now) {
		if (others_alive(conn, p, since))
			give_up(conn, p, true);
		else if (net.now - since >= MRC_RTO_MIN_NS)
			give_up(conn, p, false);
		return net.now + MRC_NSEC_PER_MSEC;
	}
	return p->timer ? min(p->timer, due) : due;
}

/**
 * net_conn_wake() - look at everything of a connection
 * @index: connection
 */
void net_conn_wake(u32 index)
{
	struct net_conn *conn = &net.conn[index];
	struct net_event event = { .kind = NET_WAKE, .conn = index };
	u64 next = U64_MAX;

	for (int i = 0; i < conn->npaths; i++)
		next = min(next, service(conn, &conn->path[i]));
	next = min(next, push(conn));
	for (int i = 0; i < conn->npaths; i++)
		if (conn->path[i].timer)
			next = min(next, conn->path[i].timer);
	conn->wake = max(next, net.now + 1);
	event.at = conn->wake;
	if (next != U64_MAX)
		net_post(&event);
}

/**
 * net_connect() - a connection that begins to send at once
 * @mss: payload of a packet
 * @bytes: how much the application writes
 * @buffer: receive buffer
 * @first_psn: number of the first packet of each path
 * @first_link: link of the first path
 * @nlinks: paths, each over the next link
 *
 * Return: connection.
 */
struct net_conn *net_connect(u32 mss, u64 bytes, u64 buffer, u32 first_psn,
			     int first_link, int nlinks)
{
	struct net_conn *conn = &net.conn[net.nconns];

	memset(conn, 0, sizeof(*conn));
	conn->mss = mss;
	conn->left = bytes;
	conn->buffer = buffer;
	conn->peer_window = buffer;
	conn->last = -1;
	conn->arrived_ns = net.now;
	mrc_txq_init(&conn->txq, 0);
	conn->txq.detach = detach_chunk;
	conn->txq.release = release_chunk;
	mrc_rxq_init(&conn->rxq, 0, buffer);
	for (; conn->npaths < nlinks; conn->npaths++) {
		struct net_path *p = &conn->path[conn->npaths];

		p->link = &net.link[first_link + conn->npaths];
		p->good = true;
		mrc_inflight_init(&p->inf, first_psn, free_record);
		mrc_rtt_init(&p->rtt);
		/* The handshake has measured the path. */
		mrc_rtt_sample(&p->rtt, 2 * p->link->delay / 1000, net.now);
		mrc_rate_init(&p->rate, &mrc_rate_dctcp, mss + NET_HDR,
			      first_psn);
		mrc_psn_init(&p->set, first_psn);
	}
	net_conn_wake(net.nconns++);
	return conn;
}

/**
 * net_conn_free() - take a connection down
 * @conn: connection
 */
void net_conn_free(struct net_conn *conn)
{
	struct rb_node *node;

	for (int i = 0; i < conn->npaths; i++)
		mrc_inflight_purge(&conn->path[i].inf, &conn->txq);
	mrc_txq_purge(&conn->txq);
	while ((node = rb_first(&conn->rxq.root))) {
		rb_erase(node, &conn->rxq.root);
		free(rb_entry(node, struct mrc_rx_entry, node));
	}
}
