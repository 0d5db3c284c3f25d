// SPDX-License-Identifier: GPL-2.0
/*
 * connect(), and undoing it.
 *
 * Chooses the names of the connection (addresses and ports that getsockname()
 * and getpeername() give) as TCP does, then hands over to the handshake.
 * Waiting for its outcome is done by fallback_switch.c. Called through
 * mrc_prot in process context, socket lock held.
 */
#include <linux/bpf-cgroup.h>
#include <net/inet_hashtables.h>
#include <net/ip.h>
#include <net/route.h>
#include "socket/name.h"
#include "socket/room.h"
#include "wire/format.h"

/**
 * mrc_connect_check() - let cgroup programs see an address
 * @sk: socket
 * @uaddr: address given to connect()
 * @len: its length
 *
 * Context: process, socket lock held.
 * Return: 0; -EINVAL: too short; what the program says.
 */
int mrc_connect_check(struct sock *sk, struct sockaddr *uaddr, int len)
{
	sock_owned_by_me(sk);
	if (len < (int)sizeof(struct sockaddr_in))
		return -EINVAL;
	return BPF_CGROUP_RUN_PROG_INET4_CONNECT(sk, uaddr);
}

/**
 * mrc_connect_route() - choose both addresses, IPv4
 * @sk: socket
 * @daddr: address to connect to, network order; 0: this host
 *
 * The route that a first packet would take tells them.
 *
 * Context: process, socket lock held.
 * Return: 0, -ENETUNREACH, and what else routing says.
 */
int mrc_connect_route(struct sock *sk, __be32 daddr)
{
	struct mrc_addr addr = { .family = AF_INET };
	struct inet_sock *inet = inet_sk(sk);
	struct flowi4 fl4;
	struct rtable *rt;
	unsigned int flags;

	rt = ip_route_connect(&fl4, daddr, inet->inet_saddr,
			      sk->sk_bound_dev_if, IPPROTO_UDP, 0,
			      mrc_sk(sk)->mn->udp_port, sk);
	if (IS_ERR(rt))
		return PTR_ERR(rt);
	flags = rt->rt_flags;
	ip_rt_put(rt);
	if (flags & (RTCF_MULTICAST | RTCF_BROADCAST))
		return -ENETUNREACH;
	addr.ip[0] = inet->inet_saddr ?: fl4.saddr;
	mrc_name_set_local(sk, &addr);
	addr.ip[0] = fl4.daddr;
	mrc_name_set_remote(sk, &addr);
	return 0;
}

static int take_address(struct sock *sk, const struct sockaddr *uaddr, int len)
{
	const struct sockaddr_in *addr = (const struct sockaddr_in *)uaddr;
	int err;

	if (sk->sk_family == AF_INET6)
		return mrc_connect6_address(sk, uaddr, len);
	if (len < (int)sizeof(*addr))
		return -EINVAL;
	if (addr->sin_family != AF_INET)
		return -EAFNOSUPPORT;
	err = mrc_connect_route(sk, addr->sin_addr.s_addr);
	if (!err)
		inet_sk(sk)->inet_dport = addr->sin_port;
	return err;
}

/* Takes back the names that were not given by bind(). */
static void forget_names(struct sock *sk)
{
	struct inet_sock *inet = inet_sk(sk);

	mrc_name_forget_remote(sk);
	if (!(sk->sk_userlocks & SOCK_BINDADDR_LOCK))
		inet_reset_saddr(sk);
	if (!(sk->sk_userlocks & SOCK_BINDPORT_LOCK)) {
		mrc_port_put(mrc_sk(sk));
		mrc_fallback_unbind(mrc_sk(sk));
		inet->inet_sport = 0;
	}
}

/**
 * mrc_connect_start_over() - back to a socket that can be connected
 * @sk: socket in state CLOSE
 *
 * Context: process, socket lock held.
 */
void mrc_connect_start_over(struct sock *sk)
{
	__skb_queue_purge(&sk->sk_receive_queue);
	forget_names(sk);
	mrc_family_restart(mrc_sk(sk));
	if (sk->sk_frag.page) {
		put_page(sk->sk_frag.page);
		sk->sk_frag.page = NULL;
		sk->sk_frag.offset = 0;
	}
	WRITE_ONCE(sk->sk_shutdown, 0);
	sock_reset_flag(sk, SOCK_DONE);
}

/**
 * mrc_connect_start() - begin to connect
 * @sk: socket in state CLOSE
 * @uaddr: struct sockaddr_in, or for AF_INET6 struct sockaddr_in6; INADDR_ANY
 *	and :: mean this host, as for TCP
 * @len: its length
 *
 * Context: process, socket lock held; may sleep.
 * Return: 0: state is SYN_SENT or beyond; -EINVAL, -EAFNOSUPPORT: address;
 * -ENETUNREACH, -EHOSTUNREACH and what else routing says; -EADDRNOTAVAIL: no
 * port is left; errors of mrc_conn_connect().
 */
int mrc_connect_start(struct sock *sk, struct sockaddr *uaddr, int len)
{
	struct inet_sock *inet = inet_sk(sk);
	int err;

	sock_owned_by_me(sk);
	err = take_address(sk, uaddr, len);
	if (err)
		return err;
	if (!inet->inet_num) {
		err = mrc_port_connect(mrc_sk(sk));
		if (err) {
			forget_names(sk);
			return err;
		}
		inet->inet_sport = htons(inet->inet_num);
	}
	err = mrc_conn_connect(mrc_sk(sk));
	if (err) {
		mrc_conn_done(mrc_sk(sk), 0, MRC_CONN_APP);
		mrc_connect_start_over(sk);
	}
	return err;
}

/**
 * mrc_connect_undo() - disconnect
 * @sk: socket in any state
 * @flags: of the file; not used
 *
 * connect() to AF_UNSPEC, connect() that failed, shutdown() of a socket that
 * listens or is still connecting. The socket can be used again.
 *
 * Context: process, socket lock held.
 * Return: 0.
 */
int mrc_connect_undo(struct sock *sk, int flags)
{
	struct mrc_sock *msk = mrc_sk(sk);

	sock_owned_by_me(sk);
	if (sk->sk_state == TCP_LISTEN)
		mrc_listen_stop(msk);
	else if (sk->sk_state == TCP_SYN_SENT)
		mrc_conn_done(msk, ECONNRESET, MRC_CONN_APP);
	else if (sk->sk_state != TCP_CLOSE)
		mrc_conn_abort(msk, ECONNRESET, MRC_WIRE_R_ABORT);
	mrc_connect_start_over(sk);
	sk_error_report(sk);
	return 0;
}
