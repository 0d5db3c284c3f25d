// SPDX-License-Identifier: GPL-2.0
/*
 * Is a path alive: the evidence rules.
 *
 *  - Silence (data out, nothing acknowledged) is first answered with a PING
 *    on the silent path and on idle ones; the PONG tells lost data (resend)
 *    from a dead path.
 *  - When the PING stays unanswered while another path has shown life since,
 *    the path is assumed bad and everything out on it moves elsewhere.
 *  - When nothing is heard on any path the peer or this host stalls: no
 *    verdict; PINGs go on, and after the retransmission time-out, doubled each
 *    time (RFC 6298), what is out counts as lost and is sent again in small
 *    windows.
 *  - A bad path is PINGed with growing gaps; a few answers in a row make it
 *    good again.
 *
 * Socket lock held.
 */
#include "conn/conn.h"
#include "conn/control.h"
#include "conn/output.h"
#include "observe/mib.h"
#include "observe/trace.h"
#include "path/path_object.h"
#include "wire/build.h"

#define BACKOFF_MAX	12

/* PINGs that may be under way on a path at once. */
#define PINGS_OUT_MAX	8

/**
 * mrc_path_probe_ping() - send a PING on a path
 * @path: path
 * @now: ktime_get_ns()
 */
void mrc_path_probe_ping(struct mrc_path *path, u64 now)
{
	struct mrc_wire_ping msg = {};

	path->probe.sent_ns = now;
	path->probe.serial++;
	mrc_build_hdr(&msg.hdr, MRC_WIRE_PING, 0, path->id, path->probe.serial,
		      path->msk->remote_cid);
	msg.ts = cpu_to_be32((u32)(now / MRC_NSEC_PER_USEC));
	mrc_control_sign_send(path, &msg, sizeof(msg));
	MRC_INC_STATS(path->msk->mn, PathProbes);
}

/* When our packets were last known to arrive, or began to be missed. */
static u64 silent_since(const struct mrc_path *path)
{
	u64 since = max(path->inflight.delivered_ns,
			path->inflight.first_out_ns);

	return max(since, path->probe.alive_ns);
}

/* Has another path shown life after @since? */
static bool others_alive(const struct mrc_path *path, u64 since)
{
	const struct mrc_sock *msk = path->msk;
	const struct mrc_path *other;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		other = msk->path[i];
		if (other == path || other->state != MRC_PATH_GOOD)
			continue;
		if (max(other->inflight.delivered_ns,
			other->probe.alive_ns) > since)
			return true;
	}
	return false;
}

/* A question that a NAT which has forgotten the path lets through, too. */
static void ask(struct mrc_path *path, u64 now)
{
	mrc_path_probe_ping(path, now);
	if (mrc_path_nat_is(path))
		mrc_path_join_again(path);
}

/* Asks this path, and those that have no traffic to speak for them. */
static void begin_silence(struct mrc_path *path, u64 now)
{
	struct mrc_sock *msk = path->msk;
	struct mrc_path *other;
	int i;

	path->probe.since_ns = now;
	for (i = 0; i < msk->npaths; i++) {
		other = msk->path[i];
		if (other->state != MRC_PATH_GOOD)
			continue;
		if (other == path)
			ask(other, now);
		else if (!other->inflight.bytes)
			mrc_path_probe_ping(other, now);
	}
}

/* Nothing is heard anywhere: send again, slowly, without a verdict. */
static void stall(struct mrc_path *path, u64 now)
{
	struct mrc_sock *msk = path->msk;
	struct mrc_ack_result res = {};

	MRC_INC_STATS(msk->mn, Timeouts);
	mrc_rate_timeout(&path->rate, &path->rtt, &path->inflight);
	mrc_inflight_lose_all(&path->inflight, &msk->txq, &res);
	path->loss_ns = 0;
	MRC_ADD_STATS(msk->mn, LostPackets, res.lost_packets);
	if (res.lost_packets)
		trace_mrc_loss(path, res.lost_psn, res.lost_packets,
			       res.lost_bytes, MRC_LOSS_TIMEOUT);
	if (path->probe.backoff < BACKOFF_MAX)
		path->probe.backoff++;
	path->probe.since_ns = 0;
	path->probe.sent_ns = 0;
	path->inflight.first_out_ns = now;
	path->probe.due_ns = 0;
	msk->pace_ns = now;
}

static u64 scaled(const struct mrc_path *path, u64 ns)
{
	return min_t(u64, ns << path->probe.backoff, MRC_RTO_MAX_NS);
}

/* Asks again, each time after twice the wait, until the time-out. */
static void ask_again(struct mrc_path *path, u64 answer, u64 now)
{
	struct mrc_path_probe *probe = &path->probe;
	u64 rto = max_t(u64, scaled(path, answer), MRC_RTO_MIN_NS);
	u64 waited = now - probe->since_ns;

	if (waited >= rto) {
		stall(path, now);
		return;
	}
	if (now - probe->sent_ns >= max(waited / 2, answer / 2))
		ask(path, now);
	probe->due_ns = now + min(max(waited, answer), rto - waited);
}

static void give_up(struct mrc_path *path)
{
	mrc_path_state_set(path, MRC_PATH_ASSUMED_BAD, MRC_REASON_TIMEOUT);
	mrc_path_nat_lost(path);
}

/* Keeps a NAT from forgetting an idle path; asks again, ever more slowly. */
static void service_idle(struct mrc_path *path, u64 silence, u64 now)
{
	struct mrc_path_probe *probe = &path->probe;
	u64 due = mrc_path_nat_due(path);

	if (!due)
		return;
	if (due > now) {
		probe->gap_ns = 0;
		probe->due_ns = due;
		return;
	}
	due = probe->sent_ns + probe->gap_ns;
	if (due <= now) {
		/* A first question only; then the entry may be gone. */
		if (probe->gap_ns)
			ask(path, now);
		else
			mrc_path_probe_ping(path, now);
		probe->gap_ns = probe->gap_ns ? 2 * probe->gap_ns : silence;
		probe->gap_ns = min_t(u64, probe->gap_ns, MRC_NAT_ASK_MAX_NS);
		due = now + probe->gap_ns;
	}
	probe->due_ns = due;
}

static void service_good(struct mrc_path *path, u64 now)
{
	struct mrc_path_probe *probe = &path->probe;
	u64 ping = mrc_rtt_probe_ns(&path->rtt);
	u64 answer = mrc_rtt_silence_ns(&path->rtt) - ping;
	u64 due;

	/* The peer holds an ACK for long only while little has arrived, or
	 * when there is no other path that could take over.
	 */
	if (path->msk->npaths > 1 &&
	    path->inflight.bytes > 2 * MRC_DELACK_PACKETS * path->rate.mss)
		ping -= mrc_rtt_delack_ns(&path->rtt) -
			clamp_t(u64, mrc_rtt_smooth_ns(&path->rtt) / 16,
				MRC_DELACK_BURST_NS,
				mrc_rtt_delack_ns(&path->rtt));

	probe->due_ns = 0;
	if (!path->inflight.bytes) {
		probe->since_ns = 0;
		service_idle(path, ping + answer, now);
		return;
	}
	if (!probe->since_ns) {
		due = silent_since(path) + scaled(path, ping);
		if (due > now) {
			probe->due_ns = due;
			return;
		}
		begin_silence(path, now);
	}
	due = probe->since_ns + answer;
	if (due > now)
		probe->due_ns = due;
	else if (others_alive(path, probe->since_ns))
		give_up(path);
	else
		ask_again(path, answer, now);
}

static void service_bad(struct mrc_path *path, u64 now)
{
	struct mrc_path_probe *probe = &path->probe;
	u64 first = max_t(u64, mrc_rtt_smooth_ns(&path->rtt),
			  MRC_PROBE_MIN_NS);

	mrc_inflight_forget(&path->inflight, &path->msk->txq,
			    now - min(now, 4 * mrc_rtt_silence_ns(&path->rtt)));
	/* The last PING got no answer. */
	if (probe->sent_ns)
		probe->good = 0;
	probe->gap_ns = probe->gap_ns ? 2 * probe->gap_ns : first;
	probe->gap_ns = min_t(u64, probe->gap_ns,
			      max_t(u64, MRC_PROBE_MAX_NS, first));
	ask(path, now);
	probe->due_ns = now + probe->gap_ns;
}

/**
 * mrc_path_probe_service() - look at the silence of a path
 * @path: path; its probe.due_ns has passed, or data has just left
 * @now: ktime_get_ns()
 *
 * Sets probe.due_ns to the time of the next look.
 */
void mrc_path_probe_service(struct mrc_path *path, u64 now)
{
	switch (path->state) {
	case MRC_PATH_GOOD:
	case MRC_PATH_SKIP:
		service_good(path, now);
		break;
	case MRC_PATH_ASSUMED_BAD:
		service_bad(path, now);
		break;
	default:
		path->probe.due_ns = 0;
		break;
	}
}

/**
 * mrc_path_probe_now() - probe a bad path at once, something has changed
 * @path: path
 * @now: ktime_get_ns()
 */
void mrc_path_probe_now(struct mrc_path *path, u64 now)
{
	if (path->state != MRC_PATH_ASSUMED_BAD)
		return;
	path->probe.gap_ns = 0;
	path->probe.due_ns = now;
}

/**
 * mrc_path_probe_alive() - the peer has proved that our packets arrive
 * @path: path on which it did
 * @now: ktime_get_ns()
 */
void mrc_path_probe_alive(struct mrc_path *path, u64 now)
{
	path->probe.alive_ns = now;
	path->probe.since_ns = 0;
	path->probe.backoff = 0;
}

/**
 * mrc_path_probe_rcv() - a PONG has arrived, its MAC is right
 * @path: path on which it arrived
 * @msg: the message
 * @now: ktime_get_ns()
 */
void mrc_path_probe_rcv(struct mrc_path *path, const struct mrc_wire_ping *msg,
			u64 now)
{
	struct mrc_path_probe *probe = &path->probe;
	u32 rtt_us = (u32)(now / MRC_NSEC_PER_USEC) - be32_to_cpu(msg->ts);
	u64 sent = now - min_t(u64, now, rtt_us * MRC_NSEC_PER_USEC);

	/* An answer that took longer than the next question counts, too. */
	if (!probe->serial ||
	    probe->serial - be32_to_cpu(msg->hdr.psn) >= PINGS_OUT_MAX)
		return;
	probe->sent_ns = 0;
	mrc_rtt_sample(&path->rtt, rtt_us, now);
	if (path->state == MRC_PATH_ASSUMED_BAD) {
		if (++probe->good >= MRC_PROBE_GOOD) {
			mrc_path_state_set(path, MRC_PATH_GOOD,
					   MRC_REASON_PROBE);
			return;
		}
		probe->due_ns = now;
		probe->gap_ns = 0;
		return;
	}
	mrc_path_probe_alive(path, now);
	/* What left before the PING and is still missing is lost. */
	mrc_inflight_heard(&path->inflight, sent);
	mrc_ack_detect(path, now);
	mrc_path_probe_service(path, now);
}
