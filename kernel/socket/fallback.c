// SPDX-License-Identifier: GPL-2.0
/*
 * The TCP socket behind an AF_MRC socket: made with it, bound and listening
 * beside it, closed with it.
 *
 * It is a socket of the process (its credentials, cgroup and namespace) with a
 * struct socket of its own, which nobody but this module sees. Its sk_socket
 * and sk_wq lead to the application's socket from the start, so that its
 * events wake who waits there. sock->sk of the application's socket is the
 * AF_MRC one, or, after a fall-back, the TCP one (fallback_switch.c); both live
 * until release(), because calls that have looked up the other one may still
 * be under way. A TCP client that was accepted is a TCP socket from the start.
 *
 * Who owns what is found by i_private of the socket's inode: constant from
 * socket() (or accept() of a TCP client) to release(). The rest is guarded by
 * the lock of the AF_MRC socket, taken before that of the TCP one.
 */
#include <net/inet_common.h>
#include <net/inet_connection_sock.h>
#include <net/inet_hashtables.h>
#include <net/tcp.h>
#include "observe/mib.h"
#include "socket/name.h"
#include "socket/room.h"

static void attach(struct sock *tcp, struct socket *sock)
{
	write_lock_bh(&tcp->sk_callback_lock);
	rcu_assign_pointer(tcp->sk_wq, &sock->wq);
	sk_set_socket(tcp, sock);
	write_unlock_bh(&tcp->sk_callback_lock);
	/* Who asks for signals asks the other socket; the wait queue knows. */
	sock_set_flag(tcp, SOCK_FASYNC);
}

/**
 * mrc_fallback_create() - give a new socket its TCP socket
 * @sock: socket that socket() makes
 * @kern: for the kernel
 *
 * Context: process.
 * Return: 0, or why there is no TCP socket (-ENOMEM, a security module).
 */
int mrc_fallback_create(struct socket *sock, int kern)
{
	struct sock *sk = sock->sk;
	struct mrc_fallback *fb = &mrc_sk(sk)->fallback;
	int err;

	err = __sock_create(sock_net(sk), sk->sk_family, SOCK_STREAM,
			    IPPROTO_TCP, &fb->tcp, kern);
	if (err)
		return err;
	attach(fb->tcp->sk, sock);
	fb->msk = mrc_sk(sk);
	fb->allowed = sk->sk_type == SOCK_STREAM &&
		      !(sk->sk_protocol & MRCPROTO_STRICT);
	INIT_LIST_HEAD(&fb->node);
	mrc_fallback_child(fb->msk);
	mrc_fallback_opts_init(fb->msk);
	SOCK_INODE(sock)->i_private = fb;
	return 0;
}

/**
 * mrc_fallback_of() - what TCP is to a socket
 * @sock: socket of AF_MRC
 *
 * Context: process.
 * Return: NULL: a connection that came by AF_MRC.
 */
struct mrc_fallback *mrc_fallback_of(const struct socket *sock)
{
	return SOCK_INODE((struct socket *)sock)->i_private;
}

/* struct sockaddr of a name, with the scope that the socket is bound to. */
static int write_name(const struct mrc_sock *msk, const struct mrc_addr *name,
		      struct sockaddr_storage *to)
{
	struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)to;
	struct sockaddr_in *sin = (struct sockaddr_in *)to;

	memset(to, 0, sizeof(*to));
	if (name->family == AF_INET) {
		sin->sin_family = AF_INET;
		sin->sin_addr.s_addr = name->ip[0];
		sin->sin_port = name->port;
		return sizeof(*sin);
	}
	sin6->sin6_family = AF_INET6;
	sin6->sin6_addr = *mrc_addr_in6(name);
	sin6->sin6_port = name->port;
	if (mrc_addr_is_link_local(name))
		sin6->sin6_scope_id = mrc_conn_sk(msk)->sk_bound_dev_if;
	return sizeof(*sin6);
}

/**
 * mrc_fallback_peer() - the address that connect() was called with
 * @msk: socket in SYN_SENT
 * @to: set to it
 *
 * Context: socket lock held.
 * Return: its length.
 */
int mrc_fallback_peer(const struct mrc_sock *msk, struct sockaddr_storage *to)
{
	struct mrc_addr name;

	mrc_name_remote(mrc_conn_sk(msk), &name);
	return write_name(msk, &name, to);
}

/**
 * mrc_fallback_bind() - take a port of TCP, too
 * @msk: socket with its local address set
 * @port: host order; 0: the address only
 *
 * Context: process, socket lock held.
 * Return: 0, -EADDRINUSE, and what else bind() of TCP says.
 */
int mrc_fallback_bind(struct mrc_sock *msk, u16 port)
{
	struct socket *tcp = msk->fallback.tcp;
	struct sockaddr_storage addr;
	struct mrc_addr name;
	int len;

	if (!tcp)
		return 0;
	mrc_fallback_opts_sync(msk);
	mrc_name_local(mrc_conn_sk(msk), &name);
	name.port = htons(port);
	len = write_name(msk, &name, &addr);
	return kernel_bind(tcp, (struct sockaddr *)&addr, len);
}

/**
 * mrc_fallback_unbind() - give back the port of TCP
 * @msk: socket, bound or not
 *
 * Nothing happens when the socket has become the TCP one.
 *
 * Context: process, socket lock held.
 */
void mrc_fallback_unbind(struct mrc_sock *msk)
{
	struct mrc_fallback *fb = &msk->fallback;
	struct sock *tcp;

	if (!fb->tcp || fb->active)
		return;
	tcp = fb->tcp->sk;
	lock_sock(tcp);
	if (tcp->sk_state == TCP_CLOSE && inet_csk(tcp)->icsk_bind_hash) {
		inet_put_port(tcp);
		tcp->sk_userlocks &= ~(SOCK_BINDADDR_LOCK |
				       SOCK_BINDPORT_LOCK);
		inet_sk(tcp)->inet_sport = 0;
		inet_reset_saddr(tcp);
	}
	release_sock(tcp);
}

/**
 * mrc_fallback_listen() - listen for TCP clients, too
 * @msk: bound socket
 * @backlog: of TCP's own queue
 *
 * Context: process, socket lock held.
 * Return: 0 or -EADDRINUSE.
 */
int mrc_fallback_listen(struct mrc_sock *msk, int backlog)
{
	struct mrc_fallback *fb = &msk->fallback;

	if (!fb->tcp || !fb->allowed)
		return 0;
	mrc_fallback_opts_sync(msk);
	return inet_listen(fb->tcp, backlog);
}

/**
 * mrc_fallback_unlisten() - a listener stops; waiting TCP clients are reset
 * @msk: socket, listening or not
 *
 * Context: process, socket lock held.
 */
void mrc_fallback_unlisten(struct mrc_sock *msk)
{
	struct sock *tcp;

	if (!msk->fallback.tcp)
		return;
	tcp = msk->fallback.tcp->sk;
	lock_sock(tcp);
	if (tcp->sk_state == TCP_LISTEN)
		tcp->sk_prot->disconnect(tcp, 0);
	release_sock(tcp);
}

/**
 * mrc_fallback_waits() - does a TCP client wait for accept()
 * @msk: listener
 *
 * Context: any; exact when nobody else accepts.
 * Return: true when there is one.
 */
bool mrc_fallback_waits(const struct mrc_sock *msk)
{
	const struct socket *tcp = READ_ONCE(msk->fallback.tcp);

	return tcp && READ_ONCE(tcp->sk->sk_state) == TCP_LISTEN &&
	       inet_csk_listen_poll(tcp->sk);
}

/**
 * mrc_fallback_accept() - take a TCP client
 * @msk: listener
 * @kern: accept() by the kernel
 *
 * Context: process, socket lock held.
 * Return: TCP socket whose reference passes to the caller; NULL: none waits.
 */
struct sock *mrc_fallback_accept(struct mrc_sock *msk, bool kern)
{
	struct sock *child;
	int err;

	if (!mrc_fallback_waits(msk))
		return NULL;
	child = inet_csk_accept(msk->fallback.tcp->sk, O_NONBLOCK, &err, kern);
	if (child) {
		mrc_class_child(child, msk->opts.class);
		MRC_INC_STATS(msk->mn, FallbackAccepted);
	}
	return child;
}

/**
 * mrc_fallback_adopt() - a TCP client has got its socket
 * @sock: new socket of accept(); not visible yet
 *
 * Without memory it works all the same, and is not listed.
 *
 * Context: process.
 */
void mrc_fallback_adopt(struct socket *sock)
{
	struct mrc_fallback *fb = kzalloc(sizeof(*fb), GFP_KERNEL);

	set_bit(SOCK_SUPPORT_ZC, &sock->flags);
	if (!fb)
		return;
	fb->reason = MRC_FALLBACK_ACCEPTED;
	INIT_LIST_HEAD(&fb->node);
	SOCK_INODE(sock)->i_private = fb;
	mrc_fallback_list_add(fb, sock->sk);
}

/**
 * mrc_fallback_list_add() - show a connection of TCP with those of AF_MRC
 * @fb: of a socket
 * @tcp: its TCP socket, which stays until mrc_fallback_list_del()
 *
 * Context: process.
 */
void mrc_fallback_list_add(struct mrc_fallback *fb, struct sock *tcp)
{
	struct mrc_net *mn = mrc_net_ns_get(sock_net(tcp));

	fb->id = mrc_conn_new_public_id();
	spin_lock_bh(&mn->fallback_lock);
	fb->sk = tcp;
	list_add_tail(&fb->node, &mn->fallbacks);
	spin_unlock_bh(&mn->fallback_lock);
}

/**
 * mrc_fallback_list_del() - take it off the list
 * @fb: of a socket, in the list or not
 *
 * Context: process; the TCP socket still exists.
 */
void mrc_fallback_list_del(struct mrc_fallback *fb)
{
	struct mrc_net *mn;

	if (!fb->sk)
		return;
	mn = mrc_net_ns_get(sock_net(fb->sk));
	spin_lock_bh(&mn->fallback_lock);
	list_del_init(&fb->node);
	fb->sk = NULL;
	spin_unlock_bh(&mn->fallback_lock);
}

static void release_inet(struct socket *sock)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (sock->sk->sk_family == AF_INET6) {
		inet6_release(sock);
		return;
	}
#endif
	inet_release(sock);
}

/* Socket and TCP socket of @fb, whichever is in use, both are closed. */
static void release_both(struct socket *sock, struct mrc_fallback *fb)
{
	struct sock *sk = mrc_conn_sk(fb->msk);
	struct socket *tcp;
	bool active;

	lock_sock(sk);
	tcp = fb->tcp;
	fb->tcp = NULL;		/* no fall-back begins from here on */
	active = fb->active;
	release_sock(sk);
	mrc_fallback_list_del(fb);
	if (active) {
		mrc_fallback_settle(tcp->sk);
		tcp->sk = NULL;
	}
	release_inet(sock);
	tcp->file = NULL;
	sock_release(tcp);
	if (active)
		mrc_close_end(sk, 0);
}

/**
 * mrc_fallback_release() - proto_ops.release
 * @sock: socket; nobody else uses it any more
 *
 * Context: process, may sleep as long as SO_LINGER says.
 * Return: 0.
 */
int mrc_fallback_release(struct socket *sock)
{
	struct mrc_fallback *fb = mrc_fallback_of(sock);

	if (!sock->sk)
		return 0;
	SOCK_INODE(sock)->i_private = NULL;
	if (fb && fb->msk) {
		release_both(sock, fb);
		return 0;
	}
	if (fb) {
		mrc_fallback_list_del(fb);
		kfree(fb);
	}
	release_inet(sock);
	return 0;
}
