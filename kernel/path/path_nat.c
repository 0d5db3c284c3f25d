// SPDX-License-Identifier: GPL-2.0
/*
 * Paths through a NAT: the port that reaches us, and keeping the NAT's entry.
 *
 * A path's packets leave from a port of its own (EV) and answers come to the
 * well-known one, which most NATs do not let in. Who opens a path therefore
 * tries the well-known port as the source, too, with every second question;
 * when that is what gets an answer, something on the way lets only answers in.
 * Such a path, and one whose peer has seen another port than was sent, is asked
 * now and then while it is idle, and joined anew while it is silent: a NAT that
 * has forgotten it gives it another port or address, and the JOIN proves that
 * it is still the peer.
 *
 * Socket lock held, unless said otherwise.
 */
#include "conn/conn.h"
#include "conn/input.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/format.h"

static bool is_ours(const struct mrc_path *path)
{
	return (path->id & 1) == path->msk->server;
}

/* The peer opened it and sees our packets only as answers: it may move. */
static bool peer_needs_answers(const struct mrc_path *path)
{
	return !is_ours(path) && path->local.port == path->msk->mn->udp_port;
}

/**
 * mrc_path_nat_choose() - source port of the next question
 * @path: path that this side opens
 * @serial: number of the question; even: the EV, odd: the well-known port
 */
void mrc_path_nat_choose(struct mrc_path *path, u32 serial)
{
	__be16 port = serial & 1 ? path->msk->mn->udp_port : path->ev;

	path->nat = port != path->ev;
	if (path->local.port == port)
		return;
	path->local.port = port;
	/* Routes may depend on the port. */
	dst_release(path->dst);
	path->dst = NULL;
}

/**
 * mrc_path_nat_answered() - a question of ours got through
 * @path: path that this side opens
 * @serial: number of the question
 * @seen: the peer has seen it come from another port
 */
void mrc_path_nat_answered(struct mrc_path *path, u32 serial, bool seen)
{
	mrc_path_nat_choose(path, serial);
	path->nat |= seen;
}

/**
 * mrc_path_nat_reply() - answer a question without keeping anything
 * @mn: namespace
 * @in: origin of the question
 * @claimed: UDP source port as the peer sent it
 * @msg: the answer
 * @len: its bytes
 *
 * It goes to the well-known port, unless a NAT has changed the one it came from.
 *
 * Context: any, no lock.
 */
void mrc_path_nat_reply(struct mrc_net *mn, const struct mrc_input *in,
			__be16 claimed, const void *msg, u32 len)
{
	struct mrc_addr local, remote;

	mrc_input_addrs(mn, in, &local, &remote);
	if (claimed == in->sport)
		remote.port = mn->udp_port;
	mrc_udp_reply(mn, &local, &remote, mrc_input_scope(in), msg, len);
}

/**
 * mrc_path_nat_ports() - ports of a path that the peer opens
 * @mn: namespace
 * @in: origin of the packet that opens it
 * @claimed: UDP source port as the peer sent it
 * @local: address that it was sent to; gets the port to send from
 * @remote: address that it came from; gets the port to send to
 *
 * The EV of this direction is our own choice, except where the answers have to
 * be answers to what the NAT has seen.
 */
void mrc_path_nat_ports(const struct mrc_net *mn, const struct mrc_input *in,
			__be16 claimed, struct mrc_addr *local,
			struct mrc_addr *remote)
{
	mrc_input_addrs(mn, in, local, remote);
	if (claimed != in->sport || claimed == mn->udp_port)
		return;
	remote->port = mn->udp_port;
	local->port = mrc_path_new_port();
}

/**
 * mrc_path_nat_is() - does this side reach the peer through a NAT
 * @path: path
 *
 * Return: true for a path that this side opened, and that needs answers.
 */
bool mrc_path_nat_is(const struct mrc_path *path)
{
	return path->nat && is_ours(path);
}

/**
 * mrc_path_nat_follow() - the peer has proved that it moved
 * @path: path
 * @in: origin of the valid CONFIRM
 * @nonce: of the CONFIRM
 *
 * What is out went to where nobody is any more. An old CONFIRM, repeated by
 * somebody, changes nothing: nonces of a path count upwards.
 *
 * Return: false when it is not the peer's path, there is no NAT, or the nonce is
 * not new.
 */
bool mrc_path_nat_follow(struct mrc_path *path, const struct mrc_input *in,
			 u64 nonce)
{
	if (!peer_needs_answers(path) ||
	    (s64)(nonce - path->join.nonce) <= 0)
		return false;
	path->join.nonce = nonce;
	if (mrc_input_on(in, path) && path->remote.port == in->sport)
		return true;
	if (path->state == MRC_PATH_GOOD || path->state == MRC_PATH_SKIP)
		mrc_path_state_set(path, MRC_PATH_ASSUMED_BAD,
				   MRC_REASON_MOVED);
	mrc_input_addrs(path->msk->mn, in, &path->local, &path->remote);
	path->ifindex = mrc_input_scope(in);
	dst_release(path->dst);
	path->dst = NULL;
	MRC_INC_STATS(path->msk->mn, PathMoved);
	if (path->state == MRC_PATH_ASSUMED_BAD)
		mrc_path_state_set(path, MRC_PATH_GOOD, MRC_REASON_MOVED);
	return true;
}

/**
 * mrc_path_nat_lost() - a path has fallen silent
 * @path: path that has just been given up
 *
 * Behind the NAT the peer may see nothing of it: what it sends still arrives,
 * and is acknowledged on another path. It has to be told, so that it joins.
 */
void mrc_path_nat_lost(struct mrc_path *path)
{
	if (peer_needs_answers(path))
		mrc_path_send_status(path->msk, path->id, MRC_WIRE_PATH_DOWN,
				     MRC_WIRE_R_TIMEOUT);
}

/**
 * mrc_path_nat_due() - when to ask an idle path, so that it is not forgotten
 * @path: path in use without anything out
 *
 * Return: time in ktime_get_ns() terms; 0: never.
 */
u64 mrc_path_nat_due(const struct mrc_path *path)
{
	u64 gap = READ_ONCE(path->msk->mn->sysctl_nat_keepalive) *
		  MRC_NSEC_PER_SEC;

	if (!gap || !mrc_path_nat_is(path))
		return 0;
	return path->rx.heard_ns + gap;
}
