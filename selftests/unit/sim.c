// SPDX-License-Identifier: GPL-2.0
/*
 * Simulated path, see sim.h. Time advances from event to event.
 */
#include <linux/minmax.h>
#include <stdlib.h>
#include <string.h>
#include "sim.h"

#define SIM_MSS		1000
#define SIM_WIRE	(SIM_MSS + 32)

/* Callbacks carry no context: the world that runs. */
static struct sim *world;

static void free_record(struct mrc_record *rec)
{
	world->records--;
	free(rec);
}

static void detach_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	chunk->truesize = 0;
}

static void release_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	world->chunks--;
	free(chunk);
}

static void drop_entry(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	free(entry);
}

static void complain(struct sim *sim, bool wrong, const char *what)
{
	if (wrong && !sim->wrong)
		sim->wrong = what;
}

static struct sim_event *new_event(struct sim *sim)
{
	if (sim->nevents == SIM_EVENTS)
		abort();
	memset(&sim->event[sim->nevents], 0, sizeof(*sim->event));
	return &sim->event[sim->nevents++];
}

static u64 arrival(struct sim *sim, u64 from)
{
	u64 at = from + sim->link.delay;

	if (sim->link.jitter)
		at += unit_rand_u64(&sim->rand) % sim->link.jitter;
	return at;
}

/* A packet enters the link. */
static void transmit(struct sim *sim, const struct mrc_record *rec, u32 index)
{
	u32 copies = 1 + unit_rand_in(&sim->rand, sim->link.repeat);
	struct sim_event *event;

	sim->link_free = max(sim->link_free, sim->now) + sim->link.gap;
	if (unit_rand_in(&sim->rand, sim->link.loss)) {
		sim->dropped++;
		return;
	}
	while (copies--) {
		event = new_event(sim);
		event->at = arrival(sim, sim->link_free);
		event->ce = unit_rand_in(&sim->rand, sim->link.mark);
		event->psn = rec->psn + index;
		event->floor = mrc_inflight_floor(&sim->inf);
		event->offset = mrc_txq_packet_offset(rec->chunk,
						      rec->first + index);
		event->len = mrc_txq_packet_len(rec->chunk,
						rec->first + index);
		event->sent_ns = sim->now;
	}
}

static void send_record(struct sim *sim, struct mrc_chunk *chunk, u32 first,
			u32 count, u8 flags)
{
	struct mrc_record *rec = calloc(1, sizeof(*rec));

	sim->records++;
	mrc_txq_get(chunk);
	rec->chunk = chunk;
	rec->first = first;
	rec->count = count;
	rec->flags = flags;
	rec->wire = SIM_WIRE;
	rec->wire_last = 32 + mrc_txq_packet_len(chunk, first + count - 1);
	mrc_inflight_sent(&sim->inf, rec, sim->now);
	for (u32 i = 0; i < count; i++)
		transmit(sim, rec, i);
}

/* Writes chunks ahead, so that there always is something to send. */
static void write_ahead(struct sim *sim)
{
	while (sim->written < sim->stream &&
	       mrc_txq_unsent_bytes(&sim->txq) < 64 * SIM_MSS) {
		struct mrc_chunk *chunk = calloc(1, sizeof(*chunk));

		sim->chunks++;
		chunk->mss = SIM_MSS;
		chunk->len = min(sim->stream - sim->written,
				 1ULL + unit_rand_below(&sim->rand,
							64 * SIM_MSS));
		chunk->npackets = (chunk->len + SIM_MSS - 1) / SIM_MSS;
		sim->written += chunk->len;
		mrc_txq_add(&sim->txq, chunk);
	}
}

static void send_some(struct sim *sim)
{
	struct mrc_chunk *chunk;
	u32 first, count, room;

	for (;;) {
		write_ahead(sim);
		room = sim->inf.bytes / SIM_WIRE;
		room = room < sim->window ? sim->window - room : 0;
		room = min(room, 1 + unit_rand_below(&sim->rand, 16));
		if (!room)
			return;
		chunk = mrc_txq_lost_next(&sim->txq, NULL, &first, &count);
		if (chunk) {
			count = min(count, room);
			mrc_txq_resent(&sim->txq, chunk, first, count);
			send_record(sim, chunk, first, count,
				    MRC_RECORD_RETRANS);
			continue;
		}
		chunk = sim->txq.unsent;
		if (!chunk)
			return;
		first = chunk->sent;
		count = min_t(u32, chunk->npackets - first, room);
		mrc_txq_sent(&sim->txq, chunk, count);
		send_record(sim, chunk, first, count, 0);
	}
}

/* What the ACK builder does: the highest ranges, highest first. */
static void fill_ack(const struct sim *sim, struct mrc_ack_path *ack)
{
	u32 i;

	ack->cum = mrc_psn_cum(&sim->set);
	ack->rx_packets = sim->rx_packets;
	ack->ce_packets = sim->ce_packets;
	for (i = sim->set.count; i > 0 && ack->nranges < MRC_ACK_RANGES; i--)
		ack->range[ack->nranges++] = sim->set.range[i - 1];
}

static void send_ack(struct sim *sim, u64 sent_ns)
{
	struct sim_event *event;

	if (unit_rand_in(&sim->rand, sim->link.ack_loss))
		return;
	event = new_event(sim);
	event->is_ack = true;
	event->at = arrival(sim, sim->now);
	event->sent_ns = sent_ns;
	event->una = sim->rxq.nxt;
	fill_ack(sim, &event->ack);
}

static void receive_bytes(struct sim *sim, u64 offset, u32 len)
{
	struct mrc_rx_entry *entry = calloc(1, sizeof(*entry));

	entry->start = offset;
	entry->len = len;
	switch (mrc_rxq_insert(&sim->rxq, entry, drop_entry)) {
	case MRC_RX_IN_ORDER:
		do {
			mrc_rxq_delivered(&sim->rxq, entry);
			free(entry);
			entry = mrc_rxq_next(&sim->rxq, drop_entry);
		} while (entry);
		break;
	case MRC_RX_QUEUED:
		break;
	case MRC_RX_OUTSIDE:
		complain(sim, true, "bytes outside of the window");
		fallthrough;
	case MRC_RX_DUPLICATE:
		free(entry);
		break;
	}
}

static void receive(struct sim *sim, const struct sim_event *event)
{
	u32 fresh;

	mrc_psn_advance(&sim->set, event->floor);
	fresh = mrc_psn_add(&sim->set, event->psn, event->psn + 1);
	sim->rx_packets++;
	sim->ce_packets += event->ce;
	sim->received[event->psn - sim->first_psn] = 1;
	receive_bytes(sim, event->offset, event->len);
	/* Mostly every other packet; at once when something is missing. */
	if (!fresh || mrc_psn_has_gap(&sim->set) ||
	    unit_rand_in(&sim->rand, 50))
		send_ack(sim, event->sent_ns);
}

/* The records against what really happened. */
static void check_records(struct sim *sim)
{
	struct mrc_record *rec;
	bool out_seen = false;
	u64 bytes = 0;
	u32 i;

	list_for_each_entry(rec, &sim->inf.records, node) {
		bytes += mrc_inflight_wire(rec, mrc_inflight_out(rec));
		if (mrc_inflight_out(rec) && !out_seen) {
			out_seen = true;
			complain(sim, rec != sim->inf.oldest_out,
				 "wrong oldest record");
		}
		complain(sim, rec->acked == mrc_inflight_all(rec),
			 "record kept that arrived whole");
		for (i = 0; i < rec->count; i++)
			complain(sim, (rec->acked >> i & 1) &&
				 !sim->received[rec->psn + i - sim->first_psn],
				 "acknowledged but never received");
	}
	complain(sim, !out_seen && sim->inf.oldest_out, "stale cursor");
	complain(sim, bytes != sim->inf.bytes, "bytes out miscounted");
}

static void detect(struct sim *sim)
{
	struct mrc_ack_result res = { 0 };

	sim->timer = mrc_inflight_detect(&sim->inf, &sim->txq, &sim->rtt,
					 sim->now, &res);
	complain(sim, sim->timer && sim->timer <= sim->now, "timer in the past");
	mrc_inflight_forget(&sim->inf, &sim->txq,
			    sim->now - min(sim->now, 8 *
				    mrc_rtt_smooth_ns(&sim->rtt)));
}

static void receive_ack(struct sim *sim, const struct sim_event *event)
{
	u64 delivered = sim->inf.delivered;
	struct mrc_ack_result res;

	complain(sim, !mrc_txq_ack_valid(&sim->txq, event->una),
		 "data ack beyond what was sent");
	mrc_txq_ack(&sim->txq, event->una);
	complain(sim, mrc_inflight_ack(&sim->inf, &sim->txq, &event->ack,
				       sim->now, &res), "ACK refused");
	complain(sim, sim->inf.delivered != delivered + res.acked_bytes,
		 "delivered bytes miscounted");
	sim->acked_ce += res.ce_packets;
	sim->acked_rx += res.rx_packets;
	if (res.acked_packets)
		mrc_rtt_sample(&sim->rtt, (sim->now - event->sent_ns) / 1000,
			       sim->now);
	if (res.rate) {
		sim->rate_max = max(sim->rate_max, res.rate);
		sim->rate_last = res.rate;
		sim->rates++;
	}
	detect(sim);
	check_records(sim);
}

/* Index of what happens next, or -1. */
static int next_event(const struct sim *sim)
{
	int best = -1;

	for (u32 i = 0; i < sim->nevents; i++)
		if (best < 0 || sim->event[i].at < sim->event[best].at)
			best = i;
	return best;
}

/* Nothing under way and no verdict due: the peer is silent. */
static void stall(struct sim *sim)
{
	struct mrc_ack_result res = { 0 };

	sim->now += mrc_rtt_silence_ns(&sim->rtt);
	mrc_inflight_lose_all(&sim->inf, &sim->txq, &res);
	complain(sim, sim->inf.bytes, "bytes out after all was given up");
	/* The peer repeats its ACK, as after a PING. */
	if (!sim->inf.bytes && !sim->txq.lost_packets && !sim->txq.unsent)
		send_ack(sim, sim->now);
	sim->stall_lost += res.lost_packets;
	check_records(sim);
}

/**
 * sim_init() - a path at rest
 * @sim: world
 * @seed: of the generator
 * @link: network
 * @window: packets that may be out
 * @first_psn: number of the first packet
 */
void sim_init(struct sim *sim, u64 seed, const struct sim_link *link,
	      u32 window, u32 first_psn)
{
	memset(sim, 0, sizeof(*sim));
	world = sim;
	sim->rand.state = seed;
	sim->link = *link;
	sim->now = MRC_NSEC_PER_SEC;
	sim->window = window;
	sim->first_psn = first_psn;
	sim->received = calloc(1, SIM_PSNS);
	sim->event = calloc(SIM_EVENTS, sizeof(*sim->event));
	mrc_txq_init(&sim->txq, 0);
	sim->txq.detach = detach_chunk;
	sim->txq.release = release_chunk;
	mrc_inflight_init(&sim->inf, first_psn, free_record);
	mrc_rtt_init(&sim->rtt);
	mrc_psn_init(&sim->set, first_psn);
	mrc_rxq_init(&sim->rxq, 0, ~0ULL >> 1);
}

/**
 * sim_transfer() - transfer some more bytes, until all are acknowledged
 * @sim: world; @wrong tells afterwards what went wrong
 * @bytes: how many
 */
void sim_transfer(struct sim *sim, u64 bytes)
{
	struct sim_event event;
	int next;

	sim->stream += bytes;
	while (sim->txq.una < sim->stream && !sim->wrong) {
		send_some(sim);
		if (sim->inf.next_psn - sim->first_psn > SIM_PSNS - 4096)
			sim->wrong = "more packets than the model holds";
		next = next_event(sim);
		if (sim->timer && (next < 0 ||
				   sim->timer <= sim->event[next].at)) {
			sim->now = sim->timer;
			detect(sim);
			continue;
		}
		if (next < 0) {
			stall(sim);
			continue;
		}
		event = sim->event[next];
		sim->event[next] = sim->event[--sim->nevents];
		sim->now = max(sim->now, event.at);
		if (event.is_ack)
			receive_ack(sim, &event);
		else
			receive(sim, &event);
	}
}

/**
 * sim_exit() - take everything down
 * @sim: world; @records and @chunks are 0 afterwards unless some leaked
 */
void sim_exit(struct sim *sim)
{
	struct rb_node *node;

	mrc_inflight_purge(&sim->inf, &sim->txq);
	mrc_txq_purge(&sim->txq);
	while ((node = rb_first(&sim->rxq.root))) {
		rb_erase(node, &sim->rxq.root);
		free(rb_entry(node, struct mrc_rx_entry, node));
	}
	free(sim->received);
	free(sim->event);
}
