// SPDX-License-Identifier: GPL-2.0
/*
 * Passive open: INIT answered without state, OPEN makes the connection.
 *
 * Id, nonce and cookie of the INIT_ACK are keyed hashes over what the client
 * said and where it said it from; the OPEN brings everything back, so that
 * nothing has to be remembered in between.
 *
 * Softirq; the OPEN takes the listener's lock (or waits in its backlog).
 */
#include <linux/ktime.h>
#include "conn/conn.h"
#include "conn/input.h"
#include "conn/output.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "socket/name.h"
#include "socket/socket.h"
#include "wire/build.h"
#include "wire/parse.h"

static u32 coarse_seconds(void)
{
	return (u32)ktime_get_seconds();
}

static void fill_tuple(struct mrc_key_tuple *tuple, const struct mrc_input *in,
		       __be16 sport, __be16 dport, __be16 mss, u64 cid,
		       u64 nonce, u32 time)
{
	memset(tuple, 0, sizeof(*tuple));
	memcpy(tuple->saddr, in->saddr, sizeof(tuple->saddr));
	memcpy(tuple->daddr, in->daddr, sizeof(tuple->daddr));
	tuple->udp_port = in->sport;
	tuple->sport = sport;
	tuple->dport = dport;
	tuple->mss = mss;
	tuple->cookie_time = time;
	tuple->family = in->family;
	tuple->cid = cid;
	tuple->nonce = nonce;
}

/* Streams and messages do not mix. */
static bool same_type(const struct mrc_sock *listener,
		      const struct mrc_wire_hdr *hdr)
{
	return mrc_conn_has_messages(listener) ==
	       !!(hdr->flags & MRC_WIRE_F_MESSAGES);
}

static void send_refuse(struct mrc_net *mn, const struct mrc_input *in,
			const struct mrc_wire_init *init, u16 reason)
{
	struct mrc_wire_refuse msg = {};

	if (!mrc_input_may_reply(mn))
		return;
	mrc_build_hdr(&msg.hdr, MRC_WIRE_REFUSE, 0, 0, 0,
		      be64_to_cpu(init->cid));
	msg.nonce_echo = init->nonce;
	msg.reason = cpu_to_be16(reason);
	mrc_path_nat_reply(mn, in, init->udp_sport, &msg, sizeof(msg));
}

/* Who listens where the packet was sent to? With a reference, or NULL. */
static struct mrc_sock *find_listener(struct mrc_net *mn,
				      const struct mrc_input *in, __be16 port)
{
	struct mrc_addr local, remote;

	mrc_input_addrs(mn, in, &local, &remote);
	local.port = port;
	return mrc_port_find_listener(mn, &local, in->ifindex);
}

/**
 * mrc_conn_rcv_init() - a client asks
 * @mn: namespace
 * @in: origin of the packet
 * @msg: the INIT; its length is checked here
 *
 * Context: softirq, RCU read side, no lock.
 */
void mrc_conn_rcv_init(struct mrc_net *mn, const struct mrc_input *in,
		       const struct mrc_wire_init *msg)
{
	struct mrc_wire_init_ack ack = {};
	struct mrc_key_tuple tuple;
	struct mrc_sock *listener;
	u64 cid;
	bool full, fits;

	if (in->end - in->pos < sizeof(*msg) || !msg->cid) {
		MRC_INC_STATS(mn, RxShort);
		return;
	}
	listener = find_listener(mn, in, msg->dport);
	if (!listener) {
		send_refuse(mn, in, msg, MRC_WIRE_R_NO_LISTENER);
		return;
	}
	full = mrc_listen_full(listener);
	fits = same_type(listener, &msg->hdr);
	sock_put(mrc_conn_sk(listener));
	if (!fits) {
		send_refuse(mn, in, msg, MRC_WIRE_R_TYPE);
		return;
	}
	if (full) {
		/* As TCP: silence, the client asks again. */
		MRC_INC_STATS(mn, ListenOverflow);
		return;
	}
	fill_tuple(&tuple, in, msg->sport, msg->dport, msg->mss,
		   be64_to_cpu(msg->cid), be64_to_cpu(msg->nonce),
		   coarse_seconds());
	cid = mrc_key_cid(&mn->secret, &tuple);
	mrc_build_hdr(&ack.hdr, MRC_WIRE_INIT_ACK,
		      msg->udp_sport == in->sport ? 0 : MRC_WIRE_F_NAT, 0,
		      be32_to_cpu(msg->hdr.psn), be64_to_cpu(msg->cid));
	ack.cid = cpu_to_be64(cid);
	ack.nonce = cpu_to_be64(mrc_key_nonce(&mn->secret, &tuple));
	ack.cookie = cpu_to_be64(mrc_key_cookie(&mn->secret, &tuple));
	ack.cookie_time = cpu_to_be32(tuple.cookie_time);
	ack.ts_echo = msg->ts;
	ack.nonce_echo = msg->nonce;
	ack.token = cpu_to_be64(mrc_key_token(&mn->secret, cid));
	mrc_path_nat_reply(mn, in, msg->udp_sport, &ack, sizeof(ack));
}

/* Is the cookie ours and fresh, and does the MAC fit? Fills @key, @tuple. */
static bool open_valid(struct mrc_net *mn, const struct mrc_input *in,
		       const struct mrc_wire_open *msg,
		       struct mrc_key_tuple *tuple, siphash_key_t *key)
{
	u32 time = be32_to_cpu(msg->cookie_time);
	u64 cid = be64_to_cpu(msg->hdr.cid);

	if (in->end - in->pos != sizeof(*msg) || !msg->cid)
		return false;
	if (coarse_seconds() - time > MRC_COOKIE_SECONDS)
		return false;
	fill_tuple(tuple, in, msg->sport, msg->dport, msg->mss,
		   be64_to_cpu(msg->cid), be64_to_cpu(msg->nonce), time);
	if (mrc_key_cookie(&mn->secret, tuple) != be64_to_cpu(msg->cookie) ||
	    mrc_key_cid(&mn->secret, tuple) != cid)
		return false;
	mrc_key_derive(key, tuple->cid, cid, tuple->nonce,
		       mrc_key_nonce(&mn->secret, tuple));
	return mrc_key_verify(key, msg, sizeof(*msg));
}

/* The names that the client has called. */
static void set_names(struct mrc_sock *child, const struct mrc_input *in,
		      const struct mrc_wire_open *msg)
{
	struct sock *sk = mrc_conn_sk(child);
	struct mrc_addr local, remote;

	mrc_input_addrs(child->mn, in, &local, &remote);
	mrc_name_set_local(sk, &local);
	mrc_name_set_remote(sk, &remote);
	child->inet.inet_dport = msg->sport;
	child->inet.inet_sport = msg->dport;
	child->inet.inet_num = be16_to_cpu(msg->dport);
	/* As with TCP the name holds for one link only. */
	if (mrc_input_scope(in))
		sk->sk_bound_dev_if = mrc_input_scope(in);
}

/* Fills a new child from the OPEN; its lock is held. */
static int setup_child(struct mrc_sock *child, const struct mrc_input *in,
		       const struct mrc_wire_open *msg,
		       const siphash_key_t *key, u64 now)
{
	struct mrc_net *mn = child->mn;
	struct mrc_addr local, remote;
	struct mrc_path *path;

	mrc_path_nat_ports(mn, in, msg->udp_sport, &local, &remote);
	child->server = true;
	child->confirmed = true;
	child->local_cid = be64_to_cpu(msg->hdr.cid);
	child->remote_cid = be64_to_cpu(msg->cid);
	child->key = *key;
	child->local_token = mrc_key_token(&mn->secret, child->local_cid);
	child->remote_token = be64_to_cpu(msg->token);
	child->peer_window = be64_to_cpu(msg->window);
	child->next_path_id = 1;
	child->remotes[0].addr = remote;
	child->nremotes = 1;
	child->progress_ns = now;
	mrc_fallback_forget(mn, &remote);
	set_names(child, in, msg);
	path = mrc_path_create(child, 0, &local, &remote, GFP_ATOMIC);
	if (IS_ERR(path))
		return PTR_ERR(path);
	path->ifindex = mrc_input_scope(in);
	path->peer_mss = max_t(u16, be16_to_cpu(msg->mss), MRC_MSS_MIN);
	path->rx.heard_ns = now;
	mrc_udp_path_route(path);
	mrc_path_state_set(path, MRC_PATH_GOOD, MRC_REASON_OPEN);
	return 0;
}

/* Listener locked. Makes the connection of a valid OPEN. */
static void accept_open(struct mrc_sock *listener, const struct mrc_input *in,
			const struct mrc_wire_open *msg,
			const siphash_key_t *key)
{
	struct mrc_net *mn = listener->mn;
	struct mrc_sock *child, *twin;
	u64 now = ktime_get_ns();

	/* A repeated OPEN whose first copy waited in the backlog. */
	rcu_read_lock();
	twin = mrc_conn_find(mn->net, be64_to_cpu(msg->hdr.cid));
	rcu_read_unlock();
	if (twin) {
		sock_put(mrc_conn_sk(twin));
		return;
	}
	if (mrc_listen_full(listener)) {
		MRC_INC_STATS(mn, ListenOverflow);
		return;
	}
	if (!same_type(listener, &msg->hdr)) {
		mrc_conn_reply_reset(mn, in, be64_to_cpu(msg->hdr.cid),
				     sizeof(*msg), MRC_WIRE_R_TYPE);
		return;
	}
	child = mrc_listen_child(listener);
	if (!child)
		return;
	local_bh_disable();
	bh_lock_sock_nested(mrc_conn_sk(child));
	if (setup_child(child, in, msg, key, now) || mrc_conn_hash(child)) {
		mrc_conn_done(child, ENOMEM, MRC_CONN_ABORT);
		sock_orphan(mrc_conn_sk(child));
		bh_unlock_sock(mrc_conn_sk(child));
		local_bh_enable();
		sock_put(mrc_conn_sk(child));
		return;
	}
	mrc_conn_state_set(child, TCP_ESTABLISHED, MRC_CONN_HANDSHAKE);
	mrc_path_addr_announce(child);
	child->ack_now = true;
	/* The RTT, before there is anything to send. */
	mrc_path_probe_ping(child->path[0], now);
	mrc_output_finish(child);
	bh_unlock_sock(mrc_conn_sk(child));
	local_bh_enable();
	mrc_listen_queue(listener, child);
}

/**
 * mrc_conn_rcv_open() - a client has brought its cookie back
 * @mn: namespace
 * @skb: the packet; consumed
 * @in: its origin, in the control block of @skb
 * @msg: the OPEN; its length is checked here
 *
 * Context: softirq, RCU read side, no lock.
 */
void mrc_conn_rcv_open(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_input *in,
		       const struct mrc_wire_open *msg)
{
	struct mrc_key_tuple tuple;
	struct mrc_sock *listener;
	siphash_key_t key;
	struct sock *sk;

	if (!open_valid(mn, in, msg, &tuple, &key)) {
		MRC_INC_STATS(mn, CookieBad);
		kfree_skb(skb);
		return;
	}
	listener = find_listener(mn, in, msg->dport);
	if (!listener) {
		mrc_conn_reply_reset(mn, in, be64_to_cpu(msg->hdr.cid),
				     sizeof(*msg), MRC_WIRE_R_NO_LISTENER);
		kfree_skb(skb);
		return;
	}
	sk = mrc_conn_sk(listener);
	bh_lock_sock(sk);
	if (sock_owned_by_user(sk)) {
		/* A lost OPEN is repeated: no need for a large backlog. */
		if (sk_add_backlog(sk, skb, READ_ONCE(sk->sk_rcvbuf))) {
			MRC_INC_STATS(mn, RxBacklogDrops);
			kfree_skb(skb);
		}
	} else {
		if (sk->sk_state == TCP_LISTEN)
			accept_open(listener, in, msg, &key);
		consume_skb(skb);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
}

/**
 * mrc_conn_open_backlog() - an OPEN that had waited for the listener's lock
 * @sk: listener
 * @skb: the packet; consumed
 *
 * Context: process, socket lock held.
 */
void mrc_conn_open_backlog(struct sock *sk, struct sk_buff *skb)
{
	const struct mrc_input *in = mrc_input_cb(skb);
	const struct mrc_wire_open *msg;
	struct mrc_wire_open buf;
	struct mrc_key_tuple tuple;
	siphash_key_t key;

	msg = skb_header_pointer(skb, in->pos, sizeof(buf), &buf);
	if (in->type == MRC_WIRE_OPEN && msg &&
	    open_valid(mrc_sk(sk)->mn, in, msg, &tuple, &key))
		accept_open(mrc_sk(sk), in, msg, &key);
	consume_skb(skb);
}
