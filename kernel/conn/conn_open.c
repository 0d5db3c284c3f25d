// SPDX-License-Identifier: GPL-2.0
/*
 * Active open: INIT, INIT_ACK, OPEN.
 *
 * The connection counts as established when the INIT_ACK has come; the OPEN
 * is repeated until the peer has answered something (confirmed), data may
 * follow it at once. Socket lock held throughout.
 */
#include <linux/random.h>
#include "conn/conn.h"
#include "conn/control.h"
#include "conn/input.h"
#include "conn/output.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "socket/name.h"
#include "wire/build.h"

/* Largest payload of a data packet that we take; any that fits a datagram. */
#define RCV_MSS		MRC_MSS_MAX

/* Flags of INIT and OPEN. */
static u8 open_flags(const struct mrc_sock *msk)
{
	return mrc_conn_has_messages(msk) ? MRC_WIRE_F_MESSAGES : 0;
}

static u64 init_gap(u32 tries, u64 rto, u64 max)
{
	return min_t(u64, rto << min(tries, 16U), max);
}

/**
 * mrc_conn_send_init() - send an INIT and arm its repetition
 * @msk: connection in SYN_SENT with its first path
 * @now: ktime_get_ns()
 */
void mrc_conn_send_init(struct mrc_sock *msk, u64 now)
{
	struct mrc_path *path = msk->path[0];
	struct mrc_wire_init msg = {};

	if (msk->init_tries >= (msk->opts.syncnt ?: MRC_INIT_TRIES)) {
		if (!mrc_fallback_request(msk, MRC_FALLBACK_SILENT))
			mrc_conn_done(msk, ETIMEDOUT, MRC_CONN_TIMEOUT);
		return;
	}
	mrc_path_nat_choose(path, msk->init_tries);
	mrc_build_hdr(&msg.hdr, MRC_WIRE_INIT, open_flags(msk), 0,
		      msk->init_tries, 0);
	msg.cid = cpu_to_be64(msk->local_cid);
	msg.nonce = cpu_to_be64(msk->local_nonce);
	msg.sport = msk->inet.inet_sport;
	msg.dport = msk->inet.inet_dport;
	msg.udp_sport = path->local.port;
	msg.mss = cpu_to_be16(RCV_MSS);
	msg.ts = cpu_to_be32((u32)(now / MRC_NSEC_PER_USEC));
	mrc_control_send(path, &msg, sizeof(msg));
	msk->init_next_ns = now + init_gap(msk->init_tries++, MRC_INIT_RTO_NS,
					   MRC_INIT_RTO_MAX_NS);
}

/**
 * mrc_conn_send_open() - send the OPEN and arm its repetition
 * @msk: connection that has the peer's INIT_ACK
 * @now: ktime_get_ns()
 */
void mrc_conn_send_open(struct mrc_sock *msk, u64 now)
{
	struct mrc_path *path = msk->path[0];
	struct mrc_wire_open msg = {};
	u64 rto = max(mrc_rtt_silence_ns(&path->rtt), MRC_SILENCE_MIN_NS);

	mrc_build_hdr(&msg.hdr, MRC_WIRE_OPEN, open_flags(msk), 0, 0,
		      msk->remote_cid);
	msg.cid = cpu_to_be64(msk->local_cid);
	msg.nonce = cpu_to_be64(msk->local_nonce);
	msg.cookie = msk->cookie;
	msg.cookie_time = msk->cookie_time;
	msg.sport = msk->inet.inet_sport;
	msg.dport = msk->inet.inet_dport;
	msg.udp_sport = path->local.port;
	msg.mss = cpu_to_be16(RCV_MSS);
	msg.window = cpu_to_be64(mrc_ack_window(msk));
	msg.token = cpu_to_be64(msk->local_token);
	mrc_control_sign_send(path, &msg, sizeof(msg));
	msk->init_next_ns = now + init_gap(msk->init_tries++, rto,
					   MRC_OPEN_RTO_MAX_NS);
}

/**
 * mrc_conn_connect() - begin to open a connection
 * @msk: socket in CLOSE, bound, with its addresses set
 *
 * Context: process, socket lock held.
 * Return: 0 (an INIT is on its way), -ENOMEM, or the error of the route.
 */
int mrc_conn_connect(struct mrc_sock *msk)
{
	struct mrc_addr local, remote;
	u64 now = ktime_get_ns();
	struct mrc_path *path;
	int err;

	mrc_name_ends(mrc_conn_sk(msk), &local, &remote);
	local.port = mrc_path_new_port();
	remote.port = msk->mn->udp_port;
	msk->server = false;
	msk->local_cid = mrc_conn_new_cid();
	msk->local_nonce = get_random_u64();
	msk->local_token = mrc_key_token(&msk->mn->secret, msk->local_cid);
	path = mrc_path_create(msk, 0, &local, &remote, GFP_KERNEL);
	if (IS_ERR(path))
		return PTR_ERR(path);
	if (mrc_addr_is_link_local(&local) || mrc_addr_is_link_local(&remote))
		path->ifindex = mrc_conn_sk(msk)->sk_bound_dev_if;
	err = mrc_udp_path_route(path);
	if (err) {
		mrc_path_free(path);
		return err;
	}
	msk->remotes[0].addr = remote;
	msk->nremotes = 1;
	msk->next_path_id = 2;
	msk->init_tries = 0;
	if (msk->fallback.allowed)
		msk->fallback_ns = now + MRC_NSEC_PER_MSEC *
			READ_ONCE(msk->mn->sysctl_fallback_timeout);
	err = mrc_conn_hash(msk);
	if (err) {
		mrc_path_free(path);
		return err;
	}
	mrc_conn_state_set(msk, TCP_SYN_SENT, MRC_CONN_APP);
	mrc_conn_send_init(msk, now);
	mrc_conn_timer_update(msk);
	return 0;
}

/**
 * mrc_conn_init_ack() - the peer has answered our INIT
 * @msk: connection
 * @in: origin of the packet
 * @msg: the answer, of full length
 */
void mrc_conn_init_ack(struct mrc_sock *msk, const struct mrc_input *in,
		       const struct mrc_wire_init_ack *msg)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_path *path = msk->path[0];
	u64 now = ktime_get_ns();
	u32 rtt_us;

	if (sk->sk_state != TCP_SYN_SENT || !msg->cid ||
	    be64_to_cpu(msg->nonce_echo) != msk->local_nonce ||
	    !mrc_input_on(in, path))
		return;
	msk->fallback_ns = 0;
	mrc_fallback_forget(msk->mn, &path->remote);
	/* The cookie is good for the port of that INIT only. */
	mrc_path_nat_answered(path, be32_to_cpu(msg->hdr.psn),
			      msg->hdr.flags & MRC_WIRE_F_NAT);
	msk->remote_cid = be64_to_cpu(msg->cid);
	msk->remote_nonce = be64_to_cpu(msg->nonce);
	msk->remote_token = be64_to_cpu(msg->token);
	msk->cookie = msg->cookie;
	msk->cookie_time = msg->cookie_time;
	mrc_key_derive(&msk->key, msk->local_cid, msk->remote_cid,
		       msk->local_nonce, msk->remote_nonce);
	mrc_conn_hash(msk);
	rtt_us = (u32)(now / MRC_NSEC_PER_USEC) - be32_to_cpu(msg->ts_echo);
	mrc_rtt_sample(&path->rtt, rtt_us, now);
	path->rx.heard_ns = now;
	/* The server takes the window of the OPEN; ours comes with its first
	 * ACK. Until then an initial window's worth may leave.
	 */
	msk->peer_window = MRC_CWND_INITIAL * (u64)path->mss;
	msk->progress_ns = now;
	msk->init_tries = 0;
	mrc_path_state_set(path, MRC_PATH_GOOD, MRC_REASON_OPEN);
	mrc_conn_state_set(msk, TCP_ESTABLISHED, MRC_CONN_HANDSHAKE);
	mrc_conn_send_open(msk, now);
	sk->sk_state_change(sk);
	sk_wake_async(sk, SOCK_WAKE_IO, POLL_OUT);
}

/**
 * mrc_conn_refuse() - nobody listens at the peer
 * @msk: connection
 * @msg: the message, of full length
 *
 * A plain TCP server may listen there, except where the listener has the other
 * type: the port is its own in both families.
 */
void mrc_conn_refuse(struct mrc_sock *msk, const struct mrc_wire_refuse *msg)
{
	int err = ECONNREFUSED;

	if (mrc_conn_sk(msk)->sk_state != TCP_SYN_SENT ||
	    be64_to_cpu(msg->nonce_echo) != msk->local_nonce)
		return;
	if (be16_to_cpu(msg->reason) == MRC_WIRE_R_VERSION)
		err = EPROTONOSUPPORT;
	else if (be16_to_cpu(msg->reason) == MRC_WIRE_R_TYPE)
		err = EPROTOTYPE;
	MRC_INC_STATS(msk->mn, ConnRefused);
	mrc_fallback_forget(msk->mn, &msk->path[0]->remote);
	if (err != EPROTOTYPE &&
	    mrc_fallback_request(msk, MRC_FALLBACK_REFUSED))
		return;
	mrc_conn_done(msk, err, MRC_CONN_REFUSED);
}

/**
 * mrc_conn_unreachable() - ICMP says that the peer has no AF_MRC
 * @msk: connection, found by the id in the packet that ICMP quotes
 * @local: where that packet came from
 * @remote: where it went
 * @nonce: of that packet
 *
 * Whoever saw the INIT can forge this; see Documentation/security.rst.
 *
 * Context: softirq, no lock.
 */
void mrc_conn_unreachable(struct mrc_sock *msk, const struct mrc_addr *local,
			  const struct mrc_addr *remote, u64 nonce)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_path *path;

	bh_lock_sock(sk);
	if (sock_owned_by_user(sk)) {
		/* connect() itself has just sent the INIT. */
		if (nonce == READ_ONCE(msk->local_nonce))
			set_bit(MRC_DEFER_UNREACHABLE, &msk->deferred);
	} else if (sk->sk_state == TCP_SYN_SENT) {
		path = msk->path[0];
		if (nonce == msk->local_nonce &&
		    mrc_addr_same_ip(&path->local, local) &&
		    mrc_addr_same_ip(&path->remote, remote) &&
		    (local->port == path->ev ||
		     local->port == msk->mn->udp_port))
			mrc_fallback_request(msk, MRC_FALLBACK_UNREACHABLE);
	}
	bh_unlock_sock(sk);
}
