// SPDX-License-Identifier: GPL-2.0
/*
 * What leaves next, and on which path.
 *
 * Lost packets come first, then new data as far as the receiver's window
 * goes. The scheduler chooses the path for each superframe; the path's window
 * and pacing say how large it is. Socket lock held.
 */
#include "conn/conn.h"
#include "conn/conn_service.h"
#include "conn/output.h"
#include "path/path_object.h"
#include "wire/format.h"

/* Superframes of one push; the rest follows with the next event. */
#define PUSH_MAX	64

/* Too large for the stack; BHs are off while it is in use. */
static DEFINE_PER_CPU(struct mrc_sched_path[MRC_PATHS_MAX], scratch);

#define SEND_STATES	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT | \
			 TCPF_FIN_WAIT1 | TCPF_CLOSING | TCPF_LAST_ACK)

/**
 * struct work - what is to be sent next
 * @chunk: its chunk
 * @packets: packets that may leave together
 * @lost: they are sent again
 */
struct work {
	struct mrc_chunk *chunk;
	u32 packets;
	bool lost;
};

/* Packets of @chunk that the receiver's window lets out; FIN needs none. */
static u32 window_packets(const struct mrc_sock *msk,
			  const struct mrc_chunk *chunk)
{
	u32 left = chunk->npackets - chunk->sent;
	u64 room;

	if (chunk->flags & MRC_CHUNK_FIN)
		return left;
	if (msk->peer_window <= msk->txq.nxt)
		return 0;
	room = msk->peer_window - msk->txq.nxt;
	if (room >= (u64)left * chunk->mss)
		return left;
	if (room < mrc_txq_packet_len(chunk, chunk->sent))
		return 0;
	return min_t(u32, left, max_t(u32, (u32)room / chunk->mss, 1));
}

/* MSG_MORE and TCP_CORK hold a short tail, for a while. */
static bool hold_cork(struct mrc_sock *msk, u64 now)
{
	if (!msk->opts.cork && !msk->more) {
		msk->cork_ns = 0;
		return false;
	}
	if (!msk->cork_ns)
		msk->cork_ns = now;
	if (msk->cork_ns + MRC_CORK_NS <= now)
		return false;
	msk->pace_ns = mrc_conn_earlier(msk->pace_ns,
					msk->cork_ns + MRC_CORK_NS);
	return true;
}

/* Nagle, as Minshall has it: a short tail waits for a short one before it. */
static bool hold_tail(struct mrc_sock *msk, const struct mrc_chunk *chunk,
		      u64 now)
{
	if (chunk->flags & (MRC_CHUNK_FIN | MRC_CHUNK_FULL) ||
	    chunk->len % chunk->mss == 0) {
		msk->cork_ns = 0;
		return false;
	}
	return hold_cork(msk, now) ||
	       (!mrc_conn_is_prompt(msk) && msk->txq.una < msk->short_end);
}

/* Are superframes under way that will be acknowledged in no time? */
static bool busy_and_near(const struct mrc_sock *msk)
{
	u64 bytes = 0, rtt = U64_MAX;
	const struct mrc_path *path;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		bytes += path->inflight.bytes;
		if (path->inflight.bytes)
			rtt = min(rtt, mrc_rtt_smooth_ns(&path->rtt));
	}
	return bytes > MRC_SUPERFRAME_BYTES / 2 && rtt < MRC_SUPERFRAME_NS;
}

/* While superframes are under way a few packets may wait for more to join
 * them: an ACK will come soon and look again (TCP: deferral of TSO).
 */
static bool defer_few(const struct mrc_sock *msk, const struct mrc_chunk *chunk)
{
	u32 left = chunk->npackets - chunk->sent;

	return !(chunk->flags & (MRC_CHUNK_FIN | MRC_CHUNK_FULL)) &&
	       !mrc_conn_is_prompt(msk) && !msk->fin_queued &&
	       left * chunk->mss < MRC_SUPERFRAME_BYTES / 2 &&
	       busy_and_near(msk);
}

static bool next_work(struct mrc_sock *msk, struct work *work, u64 now)
{
	struct mrc_chunk *chunk;
	u32 first, run;

	chunk = mrc_txq_lost_next(&msk->txq, NULL, &first, &run);
	if (chunk) {
		work->chunk = chunk;
		work->packets = msk->txq.lost_packets;
		work->lost = true;
		return true;
	}
	chunk = msk->txq.unsent;
	if (!chunk || defer_few(msk, chunk))
		return false;
	work->chunk = chunk;
	work->packets = window_packets(msk, chunk);
	work->lost = false;
	if (work->packets == chunk->npackets - chunk->sent &&
	    hold_tail(msk, chunk, now))
		work->packets--;
	return work->packets;
}

static bool any_good(const struct mrc_sock *msk)
{
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->state == MRC_PATH_GOOD &&
		    !msk->path[i]->backup)
			return true;
	return false;
}

/* The paths as the scheduler sees them. */
static void describe(const struct mrc_sock *msk, struct mrc_sched_path *desc,
		     u64 now)
{
	bool primary = any_good(msk);
	const struct mrc_path *path;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		desc[i] = (struct mrc_sched_path) {
			.good = path->state == MRC_PATH_GOOD &&
				(!path->backup || !primary),
			.room = mrc_rate_room(&path->rate, &path->inflight),
			.wait_ns = mrc_pacer_wait_ns(&path->pacer, now),
			.queue_ns = mrc_pacer_queue_ns(&path->pacer, now),
			.inflight = path->inflight.bytes,
			.cwnd = path->rate.cwnd,
			.rate = max_t(u64, mrc_rate_capacity(&path->rate,
							     &path->rtt), 1),
			.srtt_us = mrc_rtt_aged_us(&path->rtt, now),
			.min_us = path->rtt.min_us,
			.mss = path->rate.mss,
		};
	}
}

/* Asks the scheduler; -1: nothing can leave now. */
static int pick(const struct mrc_sock *msk, struct mrc_sched_req *req,
		u64 now, u64 *wait)
{
	struct mrc_sched_path *desc;
	int i;

	local_bh_disable();
	desc = *this_cpu_ptr(&scratch);
	describe(msk, desc, now);
	req->paths = desc;
	i = msk->sched->pick(req, wait);
	local_bh_enable();
	return i;
}

/* Chooses a path; NULL: nothing can leave now. */
static struct mrc_path *choose(struct mrc_sock *msk, const struct work *work,
			       u64 now)
{
	u32 wire = work->chunk->mss + MRC_WIRE_DATA_LEN;
	struct mrc_sched_req req = {
		.npaths = msk->npaths,
		.last = msk->sched_last,
		.avoid = -1,
		.len = min_t(u32, work->packets * wire, MRC_SUPERFRAME_BYTES),
		.backlog = mrc_txq_unsent_bytes(&msk->txq),
		.window = msk->peer_window -
			  min(msk->peer_window, msk->txq.nxt),
		.urgent = work->lost,
	};
	u64 wait = U64_MAX;
	int i;

	req.backlog = max_t(u64, req.backlog, req.len);
	i = pick(msk, &req, now, &wait);
	if (i < 0) {
		if (wait != U64_MAX)
			msk->pace_ns = mrc_conn_earlier(msk->pace_ns,
							now + wait);
		return NULL;
	}
	msk->sched_last = i;
	return msk->path[i];
}

/* Packets for one superframe on @path. */
static u32 quota(const struct mrc_path *path, const struct work *work)
{
	u32 wire = work->chunk->mss + MRC_WIRE_DATA_LEN;
	u32 bytes = min(mrc_rate_burst(&path->rate),
			mrc_rate_room(&path->rate, &path->inflight));

	return clamp_t(u32, bytes / wire, 1,
		       min_t(u32, work->packets, MRC_CHUNK_PACKETS));
}

static bool send_new(struct mrc_sock *msk, struct mrc_path *path,
		     const struct work *work, u32 count, u64 now)
{
	struct mrc_chunk *chunk = work->chunk;
	bool tail = chunk->sent + count == chunk->npackets &&
		    chunk->len % chunk->mss;
	bool last = count == work->packets && !list_is_last(&chunk->node,
							    &msk->txq.chunks);
	u32 bytes = count * path->rate.mss;
	u32 room = mrc_rate_room(&path->rate, &path->inflight);
	/* A window of a few bursts must not wait for a delayed ACK. */
	bool ack_now = chunk->flags & MRC_CHUNK_FIN ||
		       (room <= bytes + path->rate.mss &&
			path->rate.cwnd < 8 * bytes);

	/* The window ends here, or Nagle holds what follows. */
	if (last && count < chunk->npackets - chunk->sent)
		ack_now = true;
	if (!mrc_superframe_send(msk, path, chunk, count, ack_now, now))
		return false;
	if (tail) {
		msk->short_end = msk->txq.nxt;
		msk->cork_ns = 0;
	}
	return true;
}

/* Sends one superframe; false: nothing left, or nothing may leave now. */
static bool push_one(struct mrc_sock *msk, u64 now)
{
	struct mrc_path *path;
	struct work work;
	u32 count;
	bool sent;

	if (!next_work(msk, &work, now))
		return false;
	path = choose(msk, &work, now);
	if (!path)
		return false;
	count = quota(path, &work);
	if (!path->inflight.bytes) {
		path->inflight.first_out_ns = now;
		/* What an idle path had waited for comes too late now. */
		path->probe.due_ns = 0;
	}
	if (work.lost)
		sent = mrc_superframe_resend(msk, path, count, now);
	else
		sent = send_new(msk, path, &work, count, now);
	if (!sent) {
		/* No memory: try again soon, whatever else happens. */
		msk->pace_ns = mrc_conn_earlier(msk->pace_ns, now +
						MRC_NSEC_PER_MSEC);
		return false;
	}
	if (!path->probe.due_ns)
		mrc_path_probe_service(path, now);
	return true;
}

/* Window closed with nothing out: only the peer can go on, so ask it. */
static void update_persist(struct mrc_sock *msk, u64 now)
{
	bool stuck = msk->txq.unsent && msk->txq.una == msk->txq.nxt &&
		     !window_packets(msk, msk->txq.unsent);

	if (!stuck)
		msk->persist_ns = 0;
	else if (!msk->persist_ns)
		msk->persist_ns = now + 2 * MRC_DELACK_MAX_NS +
				  mrc_rtt_silence_ns(&msk->path[0]->rtt);
}

static void push(struct mrc_sock *msk, u64 now)
{
	int i;

	if (!((1 << mrc_conn_sk(msk)->sk_state) & SEND_STATES) ||
	    !msk->npaths)
		return;
	if (msk->txq.una == msk->txq.end) {
		msk->idle = true;
		return;
	}
	if (msk->idle) {
		msk->idle = false;
		msk->progress_ns = now;
	}
	for (i = 0; i < PUSH_MAX; i++)
		if (!push_one(msk, now))
			break;
	if (i == PUSH_MAX)
		msk->pace_ns = now;
	update_persist(msk, now);
}

/**
 * mrc_output_push() - send what may leave now
 * @msk: connection
 *
 * Context: socket lock held, softirq or process.
 */
void mrc_output_push(struct mrc_sock *msk)
{
	push(msk, ktime_get_ns());
	mrc_conn_timer_update(msk);
}

/**
 * mrc_output_finish() - after an event: ACK, data, timer
 * @msk: connection
 *
 * Context: socket lock held, softirq or process.
 */
void mrc_output_finish(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 now = ktime_get_ns();

	if (sk->sk_state == TCP_CLOSE || sk->sk_state == TCP_LISTEN)
		return;
	if (msk->ack_now && sk->sk_state != TCP_SYN_SENT)
		mrc_ack_send(msk, now);
	mrc_conn_service_silence(msk, now);
	push(msk, now);
	mrc_conn_timer_update(msk);
}
