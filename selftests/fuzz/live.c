// SPDX-License-Identifier: GPL-2.0
/*
 * A live connection, see live.h: what the kernel's output, receive and ACK
 * code do with the pure rooms, in their order, without sockets.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include "live.h"
#include "wire/build.h"
#include "wire/parse.h"

struct live live;

static void free_record(struct mrc_record *rec)
{
	u32 index = 0;

	while (index < LIVE_PATHS - 1 &&
	       rec->psn - live.path[index].first_psn >= LIVE_PSNS)
		index++;
	live.path[index].kept += __builtin_popcountll(rec->acked);
	free(rec);
}

static void detach_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	fuzz_assert(list_empty(&chunk->node));
}

static void release_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	live.chunks--;
	free(container_of(chunk, struct live_chunk, chunk));
}

static void drop_entry(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	free(entry);
}

/**
 * live_path_begin() - a path on which nothing has happened
 * @p: path
 * @first_psn: number of its first packet
 */
void live_path_begin(struct live_path *p, u32 first_psn)
{
	memset(p, 0, sizeof(*p));
	p->first_psn = first_psn;
	mrc_inflight_init(&p->inf, first_psn, free_record);
	mrc_rtt_init(&p->rtt);
	mrc_rate_init(&p->rate, &mrc_rate_dctcp, 1480, first_psn);
	mrc_psn_init(&p->set, first_psn);
}

/**
 * live_begin() - a new connection
 * @first_psn: first packet number of each path; far apart
 * @first_offset: where the stream begins
 */
void live_begin(const u32 *first_psn, u64 first_offset)
{
	live.now = MRC_NSEC_PER_SEC;
	mrc_txq_init(&live.txq, first_offset);
	live.txq.detach = detach_chunk;
	live.txq.release = release_chunk;
	live.chunks = 0;
	live.fin = false;
	mrc_rxq_init(&live.rxq, first_offset, first_offset + 262144);
	live.serial = 0;
	live.last = -1;
	live.lied = false;
	live.npackets = 0;
	live.nacks = 0;
	for (u32 i = 0; i < LIVE_PATHS; i++)
		live_path_begin(&live.path[i], first_psn[i]);
}

/**
 * live_write() - the application writes, or ends the stream
 * @mss: payload of a packet
 * @len: bytes
 * @fin: nothing follows
 */
void live_write(u32 mss, u32 len, bool fin)
{
	struct live_chunk *lc;

	if (live.fin || live.chunks == LIVE_CHUNKS)
		return;
	lc = calloc(1, sizeof(*lc));
	live.chunks++;
	live.fin = fin;
	lc->chunk.mss = fin ? 1 : mss;
	lc->chunk.len = fin ? 1 : min(len, mss * MRC_CHUNK_PACKETS);
	lc->chunk.npackets = DIV_ROUND_UP(lc->chunk.len, lc->chunk.mss);
	lc->chunk.flags = fin ? MRC_CHUNK_FIN : 0;
	mrc_txq_add(&live.txq, &lc->chunk);
}

/**
 * live_grow() - the application appends to the last chunk
 * @bytes: how many
 */
void live_grow(u32 bytes)
{
	struct mrc_chunk *chunk = mrc_txq_last(&live.txq);
	u32 room, packets;

	if (!chunk || live.fin ||
	    (chunk->npackets && chunk->sent == chunk->npackets))
		return;
	room = chunk->mss * MRC_CHUNK_PACKETS - chunk->len;
	bytes = min(bytes, room);
	packets = DIV_ROUND_UP(chunk->len + bytes, chunk->mss);
	mrc_txq_grow(&live.txq, chunk, bytes, packets - chunk->npackets);
}

static void transmit(u32 path, const struct mrc_record *rec)
{
	struct live_packet *p;

	for (u32 i = 0; i < rec->count && live.npackets < LIVE_NET; i++) {
		p = &live.packet[live.npackets++];
		p->path = path;
		p->psn = rec->psn + i;
		p->floor = mrc_inflight_floor(&live.path[path].inf);
		p->ts = live.now / MRC_NSEC_PER_USEC;
		p->offset = mrc_txq_packet_offset(rec->chunk, rec->first + i);
		p->len = mrc_txq_packet_len(rec->chunk, rec->first + i);
		p->fin = rec->chunk->flags & MRC_CHUNK_FIN;
	}
}

/* Packets of the run that may leave now: 1..64, or 0. */
static u32 next_run(struct mrc_chunk **chunk, u32 *first, bool *lost)
{
	u32 count;
	u64 room;

	*chunk = mrc_txq_lost_next(&live.txq, NULL, first, &count);
	*lost = *chunk;
	if (*chunk)
		return count;
	*chunk = live.txq.unsent;
	if (!*chunk)
		return 0;
	*first = (*chunk)->sent;
	count = (*chunk)->npackets - *first;
	if ((*chunk)->flags & MRC_CHUNK_FIN)
		return count;
	room = live.rxq.window - min(live.rxq.window, live.txq.nxt);
	if (room < mrc_txq_packet_len(*chunk, *first))
		return 0;
	return min_t(u64, count, max_t(u64, room / (*chunk)->mss, 1));
}

/**
 * live_send() - lost packets, else new ones, leave on a path
 * @path: path
 * @count: at most so many
 *
 * Return: false when nothing left.
 */
bool live_send(u32 path, u32 count)
{
	struct live_path *p = &live.path[path];
	struct mrc_chunk *chunk;
	struct mrc_record *rec;
	u32 first, most;
	bool lost;

	most = next_run(&chunk, &first, &lost);
	count = min(count, most);
	if (!count || p->inf.next_psn - p->first_psn + count > LIVE_PSNS)
		return false;
	rec = calloc(1, sizeof(*rec));
	mrc_txq_get(chunk);
	rec->chunk = chunk;
	rec->first = first;
	rec->count = count;
	rec->flags = lost ? MRC_RECORD_RETRANS : 0;
	rec->wire = 32 + chunk->mss;
	rec->wire_last = 32 + mrc_txq_packet_len(chunk, first + count - 1);
	if (lost)
		mrc_txq_resent(&live.txq, chunk, first, count);
	else
		mrc_txq_sent(&live.txq, chunk, count);
	mrc_inflight_sent(&p->inf, rec, live.now);
	mrc_pacer_sent(&p->pacer, count * rec->wire, p->rate.pacing_rate,
		       live.now);
	transmit(path, rec);
	return true;
}

static void describe(struct mrc_sched_path *desc)
{
	for (u32 i = 0; i < LIVE_PATHS; i++) {
		struct live_path *p = &live.path[i];

		desc[i] = (struct mrc_sched_path) {
			.good = !p->bad,
			.room = mrc_rate_room(&p->rate, &p->inf),
			.wait_ns = mrc_pacer_wait_ns(&p->pacer, live.now),
			.queue_ns = mrc_pacer_queue_ns(&p->pacer, live.now),
			.inflight = p->inf.bytes,
			.cwnd = p->rate.cwnd,
			.rate = mrc_rate_capacity(&p->rate, &p->rtt),
			.srtt_us = mrc_rtt_aged_us(&p->rtt, live.now),
			.min_us = p->rtt.min_us,
			.mss = p->rate.mss,
		};
	}
}

/**
 * live_push() - send where the scheduler says
 * @most: superframes at most
 */
void live_push(u32 most)
{
	struct mrc_sched_path desc[LIVE_PATHS];
	struct mrc_sched_req req = { .paths = desc, .npaths = LIVE_PATHS };
	struct mrc_chunk *chunk;
	u32 count, first;
	u64 wait;
	int i;

	while (most--) {
		count = next_run(&chunk, &first, &req.urgent);
		if (!count)
			return;
		describe(desc);
		req.last = live.last;
		req.avoid = -1;
		req.len = count * (chunk->mss + 32U);
		req.backlog = max_t(u64, req.len,
				    mrc_txq_unsent_bytes(&live.txq));
		req.window = live.rxq.window -
			     min(live.rxq.window, live.txq.nxt);
		wait = U64_MAX;
		i = mrc_sched_earliest.pick(&req, &wait);
		fuzz_assert(i < LIVE_PATHS);
		if (i < 0) {
			fuzz_assert(wait);
			return;
		}
		fuzz_assert(desc[i].good && desc[i].room && !desc[i].wait_ns);
		live.last = i;
		count = mrc_rate_burst(&live.path[i].rate) / (chunk->mss + 32);
		if (!live_send(i, clamp_t(u32, count, 1, MRC_CHUNK_PACKETS)))
			return;
	}
}

/* The bytes of a packet find their place. Return: it may be acknowledged. */
static bool place(const struct live_packet *pkt)
{
	struct mrc_rx_entry *entry = calloc(1, sizeof(*entry));

	entry->start = pkt->offset;
	entry->len = pkt->len;
	entry->flags = pkt->fin ? MRC_RX_FIN : 0;
	switch (mrc_rxq_insert(&live.rxq, entry, drop_entry)) {
	case MRC_RX_IN_ORDER:
		do {
			mrc_rxq_delivered(&live.rxq, entry);
			free(entry);
			entry = mrc_rxq_next(&live.rxq, drop_entry);
		} while (entry);
		return true;
	case MRC_RX_QUEUED:
		return true;
	case MRC_RX_DUPLICATE:
		free(entry);
		return true;
	default:
		free(entry);
		return false;
	}
}

/**
 * live_deliver() - a packet arrives
 * @index: which one in the network, modulo their number
 * @keep: it will arrive once more
 * @ce: marked
 */
void live_deliver(u32 index, bool keep, bool ce)
{
	struct live_packet pkt;
	struct live_path *p;
	u32 nr;

	if (!live.npackets)
		return;
	index %= live.npackets;
	pkt = live.packet[index];
	p = &live.path[pkt.path];
	if (!keep)
		live_drop(index);
	nr = pkt.psn - p->first_psn;
	mrc_psn_advance(&p->set, pkt.floor);
	if (nr >= LIVE_PSNS || !place(&pkt))
		return;
	if (pkt.psn == mrc_psn_next(&p->set))
		p->rx_ts = pkt.ts;
	mrc_psn_add(&p->set, pkt.psn, pkt.psn + 1);
	p->received[nr / 64] |= 1ULL << nr % 64;
	p->rx_packets++;
	p->ce_packets += ce;
}

/**
 * live_drop() - the network loses a packet
 * @index: which one, modulo their number
 */
void live_drop(u32 index)
{
	if (live.npackets)
		live.packet[index % live.npackets] =
			live.packet[--live.npackets];
}

/**
 * live_answer() - the receiver sends an ACK
 * @mask: paths that it speaks of, a bit each
 */
void live_answer(u32 mask)
{
	struct live_ack *ack = &live.ack[live.nacks % LIVE_ACKS];
	struct mrc_build_ack build;

	mrc_build_ack_begin(&build, ack->pkt, sizeof(ack->pkt), 1, 0,
			    ++live.serial, live.rxq.nxt, live.rxq.window);
	for (u32 i = 0; i < LIVE_PATHS; i++) {
		struct live_path *p = &live.path[i];
		struct mrc_build_path rec = {
			.path_id = i,
			.set = &p->set,
			.ts_echo = p->rx_ts,
			.rx_packets = p->rx_packets,
			.ce_packets = p->ce_packets,
		};

		if (mask >> i & 1)
			fuzz_assert(mrc_build_ack_path(&build, &rec));
	}
	ack->len = mrc_build_ack_end(&build);
	if (live.nacks < LIVE_ACKS)
		live.nacks++;
}
