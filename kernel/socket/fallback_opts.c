// SPDX-License-Identifier: GPL-2.0
/*
 * Options of level SOL_SOCKET on their way to the TCP socket.
 *
 * The socket layer stores them without telling a protocol, so they are
 * compared with what was carried over last; only what the application has
 * changed is touched, the rest keeps TCP's own values. All other levels pass
 * through sockopt.c and reach both sockets there. Process context, socket lock
 * of the AF_MRC socket held; takes that of the TCP socket inside it.
 */
#include <linux/net.h>
#include <net/tcp.h>
#include "conn/conn.h"
#include "socket/room.h"

/* Flags that mean the same on both. */
static const u8 flags[] = {
	SOCK_KEEPOPEN, SOCK_LINGER, SOCK_URGINLINE, SOCK_LOCALROUTE,
	SOCK_BROADCAST, SOCK_DBG, SOCK_RXQ_OVFL, SOCK_SELECT_ERR_QUEUE,
};

/* Bits of mrc_fallback_opts.flags behind those of the table. */
#define RCVTSTAMP	BIT(ARRAY_SIZE(flags))
#define RCVTSTAMPNS	BIT(ARRAY_SIZE(flags) + 1)
#define TSTAMP_NEW	BIT(ARRAY_SIZE(flags) + 2)
#define RECEIVE_STAMPS	(RCVTSTAMP | RCVTSTAMPNS | TSTAMP_NEW)

static u32 read_flags(const struct sock *sk)
{
	u32 bits = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if (sock_flag(sk, flags[i]))
			bits |= BIT(i);
	if (sock_flag(sk, SOCK_RCVTSTAMP))
		bits |= RCVTSTAMP;
	if (sock_flag(sk, SOCK_RCVTSTAMPNS))
		bits |= RCVTSTAMPNS;
	if (sock_flag(sk, SOCK_TSTAMP_NEW))
		bits |= TSTAMP_NEW;
	return bits;
}

static void read_opts(const struct sock *sk, struct mrc_fallback_opts *opts)
{
	memset(opts, 0, sizeof(*opts));
	opts->rcvtimeo = READ_ONCE(sk->sk_rcvtimeo);
	opts->sndtimeo = READ_ONCE(sk->sk_sndtimeo);
	opts->lingertime = READ_ONCE(sk->sk_lingertime);
	opts->max_pacing = READ_ONCE(sk->sk_max_pacing_rate);
	opts->flags = read_flags(sk);
	opts->priority = READ_ONCE(sk->sk_priority);
	opts->mark = READ_ONCE(sk->sk_mark);
	opts->tsflags = READ_ONCE(sk->sk_tsflags);
	opts->bound_dev_if = READ_ONCE(sk->sk_bound_dev_if);
	opts->incoming_cpu = READ_ONCE(sk->sk_incoming_cpu);
	opts->rcvlowat = READ_ONCE(sk->sk_rcvlowat);
	if (sk->sk_userlocks & SOCK_SNDBUF_LOCK)
		opts->sndbuf = READ_ONCE(sk->sk_sndbuf);
	if (sk->sk_userlocks & SOCK_RCVBUF_LOCK)
		opts->rcvbuf = READ_ONCE(sk->sk_rcvbuf);
#ifdef CONFIG_NET_RX_BUSY_POLL
	opts->busy_poll = READ_ONCE(sk->sk_ll_usec);
#endif
	opts->reuse = sk->sk_reuse;
	opts->reuseport = sk->sk_reuseport;
}

static void set_flags(struct sock *tcp, u32 bits, u32 changed)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		if (!(changed & BIT(i)))
			continue;
		if (flags[i] == SOCK_KEEPOPEN && tcp->sk_prot->keepalive)
			tcp->sk_prot->keepalive(tcp, !!(bits & BIT(i)));
		sock_valbool_flag(tcp, flags[i], bits & BIT(i));
	}
}

static void set_buffers(struct sock *tcp, const struct mrc_fallback_opts *opts,
			const struct mrc_fallback_opts *old)
{
	if (opts->sndbuf != old->sndbuf) {
		tcp->sk_userlocks |= SOCK_SNDBUF_LOCK;
		WRITE_ONCE(tcp->sk_sndbuf, opts->sndbuf);
		tcp->sk_write_space(tcp);
	}
	if (opts->rcvbuf != old->rcvbuf) {
		tcp->sk_userlocks |= SOCK_RCVBUF_LOCK;
		WRITE_ONCE(tcp->sk_rcvbuf, opts->rcvbuf);
	}
	if (opts->rcvlowat != old->rcvlowat)
		tcp_set_rcvlowat(tcp, opts->rcvlowat);
}

/* What is only stored. */
static void set_values(struct sock *tcp, const struct mrc_fallback_opts *opts,
		       const struct mrc_fallback_opts *old)
{
	if (opts->rcvtimeo != old->rcvtimeo)
		WRITE_ONCE(tcp->sk_rcvtimeo, opts->rcvtimeo);
	if (opts->sndtimeo != old->sndtimeo)
		WRITE_ONCE(tcp->sk_sndtimeo, opts->sndtimeo);
	if (opts->lingertime != old->lingertime)
		WRITE_ONCE(tcp->sk_lingertime, opts->lingertime);
	if (opts->priority != old->priority)
		WRITE_ONCE(tcp->sk_priority, opts->priority);
	if (opts->incoming_cpu != old->incoming_cpu)
		WRITE_ONCE(tcp->sk_incoming_cpu, opts->incoming_cpu);
#ifdef CONFIG_NET_RX_BUSY_POLL
	if (opts->busy_poll != old->busy_poll)
		WRITE_ONCE(tcp->sk_ll_usec, opts->busy_poll);
#endif
	tcp->sk_reuse = opts->reuse;
	tcp->sk_reuseport = opts->reuseport;
}

/* TCP socket locked. */
static void set_opts(struct sock *tcp, const struct mrc_fallback_opts *opts,
		     const struct mrc_fallback_opts *old)
{
	set_values(tcp, opts, old);
	if (opts->mark != old->mark ||
	    opts->bound_dev_if != old->bound_dev_if) {
		WRITE_ONCE(tcp->sk_mark, opts->mark);
		WRITE_ONCE(tcp->sk_bound_dev_if, opts->bound_dev_if);
		sk_dst_reset(tcp);
	}
	if (opts->max_pacing != old->max_pacing) {
		WRITE_ONCE(tcp->sk_max_pacing_rate, opts->max_pacing);
		tcp->sk_pacing_rate = min(tcp->sk_pacing_rate,
					  opts->max_pacing);
		cmpxchg(&tcp->sk_pacing_status, SK_PACING_NONE,
			SK_PACING_NEEDED);
	}
	set_flags(tcp, opts->flags, opts->flags ^ old->flags);
	set_buffers(tcp, opts, old);
}

static void set_int(struct socket *tcp, int name, int val)
{
	sock_setsockopt(tcp, SOL_SOCKET, name, KERNEL_SOCKPTR(&val),
			sizeof(val));
}

/* Time stamps are counted by the core, so it must set them itself. */
static void set_stamps(struct socket *tcp, const struct mrc_fallback_opts *opts,
		       const struct mrc_fallback_opts *old)
{
	bool on = opts->flags & RCVTSTAMP, ns = opts->flags & RCVTSTAMPNS;
	struct so_timestamping stamping = { .flags = opts->tsflags };

	if ((opts->flags ^ old->flags) & RECEIVE_STAMPS) {
		if (opts->flags & TSTAMP_NEW)
			set_int(tcp, ns ? SO_TIMESTAMPNS_NEW :
					  SO_TIMESTAMP_NEW, on);
		else
			set_int(tcp, ns ? SO_TIMESTAMPNS_OLD :
					  SO_TIMESTAMP_OLD, on);
	}
	if (opts->tsflags != old->tsflags)
		sock_setsockopt(tcp, SOL_SOCKET, opts->flags & TSTAMP_NEW ?
				SO_TIMESTAMPING_NEW : SO_TIMESTAMPING_OLD,
				KERNEL_SOCKPTR(&stamping), sizeof(stamping));
}

/**
 * mrc_fallback_opts_init() - begin to compare
 * @msk: new socket, nothing was set yet
 */
void mrc_fallback_opts_init(struct mrc_sock *msk)
{
	read_opts(mrc_conn_sk(msk), &msk->fallback.seen);
}

/**
 * mrc_fallback_opts_changed() - is there something to carry over
 * @msk: socket with a TCP socket
 *
 * Context: any, socket lock held.
 * Return: true when an option was set since mrc_fallback_opts_sync().
 */
bool mrc_fallback_opts_changed(const struct mrc_sock *msk)
{
	struct mrc_fallback_opts opts;

	read_opts(mrc_conn_sk(msk), &opts);
	return memcmp(&opts, &msk->fallback.seen, sizeof(opts));
}

/**
 * mrc_fallback_opts_sync() - give TCP what was set since the last time
 * @msk: socket with a TCP socket
 *
 * Context: process, socket lock held.
 */
void mrc_fallback_opts_sync(struct mrc_sock *msk)
{
	struct mrc_fallback *fb = &msk->fallback;
	struct mrc_fallback_opts opts;

	sock_owned_by_me(mrc_conn_sk(msk));
	read_opts(mrc_conn_sk(msk), &opts);
	if (!memcmp(&opts, &fb->seen, sizeof(opts)))
		return;
	lock_sock(fb->tcp->sk);
	set_opts(fb->tcp->sk, &opts, &fb->seen);
	release_sock(fb->tcp->sk);
	set_stamps(fb->tcp, &opts, &fb->seen);
	memcpy(&fb->seen, &opts, sizeof(opts));	/* with its padding */
}
