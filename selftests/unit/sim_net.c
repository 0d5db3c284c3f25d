// SPDX-License-Identifier: GPL-2.0
/*
 * Links and the order of events, see sim_net.h.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <stdlib.h>
#include <string.h>
#include "rate/span.h"
#include "sim_net.h"

struct net net;

static bool sooner(const struct net_event *a, const struct net_event *b)
{
	return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void swap_events(u32 a, u32 b)
{
	struct net_event event = net.event[a];

	net.event[a] = net.event[b];
	net.event[b] = event;
}

/**
 * net_post() - something will happen
 * @event: what; copied
 */
void net_post(const struct net_event *event)
{
	u32 at = net.nevents++;

	if (net.nevents > net.space) {
		net.space = net.space ? 2 * net.space : 1024;
		net.event = realloc(net.event,
				    net.space * sizeof(*net.event));
	}
	net.event[at] = *event;
	net.event[at].order = net.order++;
	for (; at && sooner(&net.event[at], &net.event[(at - 1) / 2]);
	     at = (at - 1) / 2)
		swap_events(at, (at - 1) / 2);
}

static struct net_event take_event(void)
{
	struct net_event first = net.event[0];
	u32 at = 0, child;

	net.event[0] = net.event[--net.nevents];
	for (;; at = child) {
		child = 2 * at + 1;
		if (child >= net.nevents)
			break;
		if (child + 1 < net.nevents &&
		    sooner(&net.event[child + 1], &net.event[child]))
			child++;
		if (!sooner(&net.event[child], &net.event[at]))
			break;
		swap_events(at, child);
	}
	return first;
}

/**
 * net_begin() - an empty world
 * @seed: of the dice
 */
void net_begin(u64 seed)
{
	memset(&net, 0, sizeof(net));
	net.rand.state = seed;
	net.now = MRC_NSEC_PER_SEC;
}

/**
 * net_link() - set up a link
 * @index: which
 * @mbit: rate, Mbit/s
 * @rtt_us: round-trip time of the empty link, microseconds
 *
 * The queue marks from a fifth of what the link holds on, and drops beyond
 * three times that; see RFC 8257 section 6.
 *
 * Return: link.
 */
struct net_link *net_link(int index, u64 mbit, u64 rtt_us)
{
	struct net_link *link = &net.link[index];
	u64 bdp;

	memset(link, 0, sizeof(*link));
	link->rate = mbit * 125000;
	link->delay = rtt_us * MRC_NSEC_PER_USEC / 2;
	bdp = mrc_span_bytes(link->rate, 2 * link->delay);
	link->mark = bdp / 5 + 8000;
	link->limit = 3 * bdp + 30000;
	/* Superframes are bursts: a short queue must take two of them. */
	if (mbit > 1000) {
		link->mark += MRC_SUPERFRAME_BYTES;
		link->limit += 4 * MRC_SUPERFRAME_BYTES;
	}
	return link;
}

static bool lost(struct net_link *link)
{
	if (link->dead)
		return true;
	return link->loss_ppm &&
	       unit_rand_below(&net.rand, 1000000) < link->loss_ppm;
}

/**
 * net_transmit() - a superframe enters a link
 * @conn: index of the connection
 * @path: index of its path
 * @rec: packets
 */
void net_transmit(u32 conn, u32 path, const struct mrc_record *rec)
{
	struct net_path *p = &net.conn[conn].path[path];
	struct net_link *link = p->link;
	struct net_event event = {
		.kind = NET_DATA,
		.conn = conn,
		.path = path,
		.psn = rec->psn,
		.floor = mrc_inflight_floor(&p->inf),
		.ts_us = net.now / MRC_NSEC_PER_USEC,
		.mss = rec->chunk->mss,
		.len = mrc_txq_run_len(rec->chunk, rec->first, rec->count),
		.offset = mrc_txq_packet_offset(rec->chunk, rec->first),
	};
	u64 start = max(link->free_ns, net.now);
	u64 queue = mrc_span_bytes(link->rate, start - net.now);
	u64 bytes = 0;
	u32 i;

	p->sent += rec->count;
	for (i = 0; i < rec->count; i++) {
		if (queue + bytes > link->limit || lost(link)) {
			link->drops++;
			continue;
		}
		event.mask |= 1ULL << i;
		event.marked += queue + bytes > link->mark;
		bytes += i + 1 < rec->count ? rec->wire : rec->wire_last;
	}
	link->most = max(link->most, queue + bytes);
	link->free_ns = start + mrc_span_ns(bytes, link->rate);
	event.at = link->free_ns + link->delay;
	if (event.mask)
		net_post(&event);
}

/**
 * net_run() - let time pass
 * @ns: how much, nanoseconds
 */
void net_run(u64 ns)
{
	u64 end = net.now + ns;
	struct net_event event;

	while (net.nevents && net.event[0].at <= end) {
		event = take_event();
		net.now = max(net.now, event.at);
		switch (event.kind) {
		case NET_DATA:
			net_conn_data(&event);
			break;
		case NET_ACK:
			net_conn_ack(&event);
			free(event.ack);
			break;
		case NET_PONG:
			net_conn_pong(&event);
			break;
		case NET_WAKE:
			if (event.at == net.conn[event.conn].wake)
				net_conn_wake(event.conn);
			break;
		}
	}
	net.now = end;
}

/**
 * net_end() - take everything down; nothing may be left
 */
void net_end(void)
{
	while (net.nevents)
		free(take_event().ack);
	free(net.event);
	for (int i = 0; i < net.nconns; i++)
		net_conn_free(&net.conn[i]);
	if (net.chunks || net.records)
		abort();
}
