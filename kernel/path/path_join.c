// SPDX-License-Identifier: GPL-2.0
/*
 * Opening one more path: JOIN, CHALLENGE, CONFIRM, JOINED.
 *
 * All four travel over the very addresses and ports that will carry data and
 * are signed with the connection's key. The answering side remembers nothing
 * until the challenge, a keyed hash over the observed addresses, has come
 * back. The joining side repeats until the path is open, ever more slowly.
 *
 * Socket lock held.
 */
#include <linux/random.h>
#include "conn/conn.h"
#include "conn/control.h"
#include "conn/input.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "wire/build.h"

/* Serial of a question from the well-known port (mrc_path_nat_choose()). */
#define WELL_KNOWN	1

static void fill(struct mrc_wire_join *msg, enum mrc_wire_type type,
		 const struct mrc_sock *msk, u16 path_id, u32 serial)
{
	memset(msg, 0, sizeof(*msg));
	mrc_build_hdr(&msg->hdr, type, 0, path_id, serial, msk->remote_cid);
	msg->mss = cpu_to_be16(MRC_MSS_MAX);
}

/* JOIN, or CONFIRM once the challenge is known. */
static void send_join(struct mrc_path *path, u32 serial)
{
	struct mrc_wire_join msg;

	fill(&msg, path->join.challenge ? MRC_WIRE_CONFIRM : MRC_WIRE_JOIN,
	     path->msk, path->id, serial);
	msg.nonce = cpu_to_be64(path->join.nonce);
	msg.challenge = path->join.challenge;
	msg.udp_sport = path->local.port;
	msg.flags = path->backup ? MRC_WIRE_JOIN_BACKUP : 0;
	mrc_control_sign_send(path, &msg, sizeof(msg));
}

/**
 * mrc_path_join_start() - begin to open a path
 * @path: path in state PROBING
 * @now: ktime_get_ns()
 */
void mrc_path_join_start(struct mrc_path *path, u64 now)
{
	path->initiator = true;
	path->join.nonce = get_random_u64();
	path->join.challenge = 0;
	path->join.tries = 0;
	MRC_INC_STATS(path->msk->mn, PathJoinTx);
	mrc_path_join_service(path, now);
}

/**
 * mrc_path_join_service() - send JOIN or CONFIRM, again
 * @path: path in state PROBING that this side opens
 * @now: ktime_get_ns()
 */
void mrc_path_join_service(struct mrc_path *path, u64 now)
{
	u64 gap = mrc_rtt_silence_ns(&path->msk->path[0]->rtt);

	if (path->state != MRC_PATH_PROBING) {
		path->join.next_ns = 0;
		return;
	}
	/* A challenge may have gone stale: begin anew every eighth try. */
	if (path->join.tries && path->join.tries % 8 == 0)
		path->join.challenge = 0;
	/* The CONFIRM leaves from the port that was challenged. */
	if (!path->join.challenge)
		mrc_path_nat_choose(path, path->join.tries);
	send_join(path, path->join.tries);
	gap = max_t(u64, gap, MRC_PROBE_MIN_NS) << min(path->join.tries, 10U);
	path->join.tries++;
	path->join.next_ns = now + min_t(u64, gap, MRC_JOIN_RTO_MAX_NS);
}

/**
 * mrc_path_join_again() - ask the peer to follow a path that is open
 * @path: path that this side opened, from the well-known port
 *
 * Sent with every question of a silent path, so that nothing repeats it.
 */
void mrc_path_join_again(struct mrc_path *path)
{
	if (!path->join.again || path->join.challenge)
		path->join.nonce++;
	path->join.again = true;
	path->join.challenge = 0;
	send_join(path, WELL_KNOWN);
}

/* The challenge for what was observed; the namespace's secret keys it. */
static u64 challenge_for(const struct mrc_sock *msk, const struct mrc_input *in,
			 const struct mrc_wire_join *msg)
{
	struct mrc_key_tuple tuple = {
		.udp_port = in->sport,
		.family = in->family,
		.cid = msk->local_cid,
		.nonce = be64_to_cpu(msg->nonce),
	};

	memcpy(tuple.saddr, in->saddr, sizeof(tuple.saddr));
	memcpy(tuple.daddr, in->daddr, sizeof(tuple.daddr));
	return mrc_key_challenge(&msk->mn->secret.cookie, &tuple,
				 be16_to_cpu(msg->hdr.path_id));
}

static void send_answer(struct mrc_sock *msk, const struct mrc_input *in,
			const struct mrc_wire_join *ask,
			struct mrc_wire_join *msg)
{
	msg->nonce = ask->nonce;
	mrc_key_sign(&msk->key, msg, sizeof(*msg));
	mrc_path_nat_reply(msk->mn, in, ask->udp_sport, msg, sizeof(*msg));
}

static void rcv_join(struct mrc_sock *msk, const struct mrc_input *in,
		     const struct mrc_wire_join *msg)
{
	struct mrc_wire_join answer;

	fill(&answer, MRC_WIRE_CHALLENGE, msk, be16_to_cpu(msg->hdr.path_id),
	     be32_to_cpu(msg->hdr.psn));
	answer.challenge = cpu_to_be64(challenge_for(msk, in, msg));
	answer.flags = msg->udp_sport == in->sport ? 0 : MRC_WIRE_JOIN_NAT;
	answer.udp_sport = msk->mn->udp_port;
	send_answer(msk, in, msg, &answer);
}

/* Makes the path of a valid CONFIRM; returns enum mrc_wire_reason. */
static u8 open_path(struct mrc_sock *msk, const struct mrc_input *in,
		    const struct mrc_wire_join *msg)
{
	u16 id = be16_to_cpu(msg->hdr.path_id);
	struct mrc_path *path = mrc_path_find(msk, id);
	struct mrc_addr local, remote;

	if (path && mrc_path_nat_follow(path, in, be64_to_cpu(msg->nonce)))
		return MRC_WIRE_R_NONE;
	if (path)	/* the JOINED was lost */
		return mrc_input_on(in, path) ? MRC_WIRE_R_NONE :
						MRC_WIRE_R_LIMIT;
	/* Ids of the other side have the other parity. */
	if ((id & 1) == msk->server)
		return MRC_WIRE_R_LIMIT;
	if (msk->npaths >= READ_ONCE(msk->mn->limits.max_paths))
		return MRC_WIRE_R_LIMIT;
	mrc_path_nat_ports(msk->mn, in, msg->udp_sport, &local, &remote);
	path = mrc_path_create(msk, id, &local, &remote, GFP_ATOMIC);
	if (IS_ERR(path))
		return MRC_WIRE_R_LIMIT;
	path->ifindex = mrc_input_scope(in);
	path->backup = msg->flags & MRC_WIRE_JOIN_BACKUP;
	path->peer_mss = max_t(u16, be16_to_cpu(msg->mss), MRC_MSS_MIN);
	path->rx.heard_ns = ktime_get_ns();
	path->join.nonce = be64_to_cpu(msg->nonce);
	MRC_INC_STATS(msk->mn, PathJoinRx);
	mrc_path_state_set(path, MRC_PATH_GOOD, MRC_REASON_JOIN);
	mrc_path_probe_ping(path, path->rx.heard_ns);
	return MRC_WIRE_R_NONE;
}

static void rcv_confirm(struct mrc_sock *msk, const struct mrc_input *in,
			const struct mrc_wire_join *msg)
{
	struct mrc_wire_join answer;

	if (be64_to_cpu(msg->challenge) != challenge_for(msk, in, msg)) {
		MRC_INC_STATS(msk->mn, RxBadMac);
		return;
	}
	fill(&answer, MRC_WIRE_JOINED, msk, be16_to_cpu(msg->hdr.path_id),
	     be32_to_cpu(msg->hdr.psn));
	answer.challenge = msg->challenge;
	answer.udp_sport = msk->mn->udp_port;
	answer.reason = open_path(msk, in, msg);
	if (answer.reason)
		MRC_INC_STATS(msk->mn, PathJoinRefused);
	send_answer(msk, in, msg, &answer);
}

/* The same for a path that is open, whose peer follows us now. */
static void rcv_answer_again(struct mrc_path *path,
			     const struct mrc_wire_join *msg, bool joined,
			     u64 now)
{
	path->rx.heard_ns = now;
	if (!joined) {
		path->join.challenge = msg->challenge;
		send_join(path, WELL_KNOWN);
		return;
	}
	if (!path->join.challenge || path->join.challenge != msg->challenge ||
	    msg->reason)
		return;
	path->join.again = false;
	if (path->state == MRC_PATH_ASSUMED_BAD)
		mrc_path_state_set(path, MRC_PATH_GOOD, MRC_REASON_JOIN);
	/* What did not come while it did not know where to. */
	mrc_path_probe_ping(path, now);
}

/* CHALLENGE or JOINED for a path that we open. */
static void rcv_answer(struct mrc_sock *msk, const struct mrc_input *in,
		       const struct mrc_wire_join *msg, bool joined)
{
	struct mrc_path *path;
	u64 now = ktime_get_ns();

	path = mrc_input_path(msk, in, be16_to_cpu(msg->hdr.path_id));
	if (!path || be64_to_cpu(msg->nonce) != path->join.nonce)
		return;
	if (path->join.again) {
		rcv_answer_again(path, msg, joined, now);
		return;
	}
	if (!path->initiator || path->state != MRC_PATH_PROBING)
		return;
	path->rx.heard_ns = now;
	path->peer_mss = max_t(u16, be16_to_cpu(msg->mss), MRC_MSS_MIN);
	if (!joined) {
		/* That of an earlier question is being confirmed. */
		if (path->join.challenge)
			return;
		path->join.challenge = msg->challenge;
		path->join.tries = 0;
		mrc_path_nat_answered(path, be32_to_cpu(msg->hdr.psn),
				      msg->flags & MRC_WIRE_JOIN_NAT);
		mrc_path_join_service(path, now);
		return;
	}
	if (!path->join.challenge || path->join.challenge != msg->challenge)
		return;
	if (msg->reason) {
		/* No room there now; ask again, rarely. */
		path->join.challenge = 0;
		path->join.tries = 10;
		path->join.next_ns = now + MRC_JOIN_RTO_MAX_NS;
		MRC_INC_STATS(msk->mn, PathJoinRefused);
		return;
	}
	mrc_path_state_set(path, MRC_PATH_GOOD, MRC_REASON_JOIN);
	/* A first RTT sample, and news for the peer's rate control. */
	mrc_path_probe_ping(path, now);
}

/**
 * mrc_path_join_rcv() - one of the four messages has arrived, MAC verified
 * @msk: connection
 * @in: origin of the packet
 * @msg: the message
 */
void mrc_path_join_rcv(struct mrc_sock *msk, const struct mrc_input *in,
		       const struct mrc_wire_join *msg)
{
	switch (in->type) {
	case MRC_WIRE_JOIN:
		rcv_join(msk, in, msg);
		break;
	case MRC_WIRE_CONFIRM:
		rcv_confirm(msk, in, msg);
		break;
	case MRC_WIRE_CHALLENGE:
		rcv_answer(msk, in, msg, false);
		break;
	case MRC_WIRE_JOINED:
		rcv_answer(msk, in, msg, true);
		break;
	}
}
