// SPDX-License-Identifier: GPL-2.0
/*
 * The operations of an AF_MRC socket: mostly those of any INET stream.
 *
 * The INET helpers call back through mrc_prot and take the socket lock
 * themselves. They fit because the head is a struct inet_sock and because the
 * protocol number is never IPPROTO_TCP. Called by the socket layer.
 */
#include <linux/module.h>
#include <linux/sockios.h>
#include <linux/uaccess.h>
#include <net/inet_common.h>
#include <net/ipv6.h>
#include <asm/ioctls.h>
#include "socket/room.h"

/* What all sockets have in common. */
#define COMMON_OPS							\
	.family		= PF_MRC,					\
	.owner		= THIS_MODULE,					\
	.release	= mrc_fallback_release,				\
	.bind		= mrc_fallback_bind_socket,			\
	.connect	= mrc_fallback_connect,				\
	.socketpair	= sock_no_socketpair,				\
	.accept		= mrc_fallback_accept_socket,			\
	.poll		= mrc_fallback_poll,				\
	.gettstamp	= sock_gettstamp,				\
	.listen		= mrc_fallback_listen_socket,			\
	.shutdown	= mrc_fallback_shutdown,			\
	.setsockopt	= mrc_fallback_setsockopt,			\
	.getsockopt	= mrc_fallback_getsockopt,			\
	.mmap		= sock_no_mmap

/* Streams may be TCP; what AF_MRC does not have inet_sendpage() knows. */
#define STREAM_OPS							\
	.sendmsg	= mrc_fallback_sendmsg,				\
	.recvmsg	= mrc_fallback_recvmsg,				\
	.splice_read	= mrc_fallback_splice_read,			\
	.set_rcvlowat	= mrc_fallback_lowat,				\
	.sendpage	= inet_sendpage

#define MESSAGE_OPS							\
	.sendmsg	= inet_sendmsg,					\
	.recvmsg	= inet_recvmsg,					\
	.sendpage	= sock_no_sendpage

/* getsockname() and getpeername() answer in sockaddr_in. */
#define INET_OPS							\
	.getname	= inet_getname,					\
	.ioctl		= inet_ioctl

const struct proto_ops mrc_ops_stream = {
	COMMON_OPS,
	INET_OPS,
	STREAM_OPS,
};

/* The same, without what makes no sense for messages. */
const struct proto_ops mrc_ops_seqpacket = {
	COMMON_OPS,
	INET_OPS,
	MESSAGE_OPS,
};

#if IS_ENABLED(CONFIG_IPV6)
/* They answer in sockaddr_in6. */
#define INET6_OPS							\
	.getname	= inet6_getname,				\
	.ioctl		= inet6_ioctl

const struct proto_ops mrc_ops_stream6 = {
	COMMON_OPS,
	INET6_OPS,
	STREAM_OPS,
};

const struct proto_ops mrc_ops_seqpacket6 = {
	COMMON_OPS,
	INET6_OPS,
	MESSAGE_OPS,
};
#endif

/* Bytes as an int: what does not fit is told as the largest int. */
static int as_int(u64 bytes)
{
	return min_t(u64, bytes, INT_MAX);
}

/**
 * mrc_ops_ioctl() - sizes of the queues
 * @sk: socket
 * @cmd: SIOCINQ (FIONREAD), SIOCOUTQ, SIOCOUTQNSD or SIOCATMARK
 * @arg: user address of an int
 *
 * Context: process; takes the socket lock.
 * Return: 0; -EINVAL on a listener; -EFAULT; -ENOIOCTLCMD: not ours.
 */
int mrc_ops_ioctl(struct sock *sk, int cmd, unsigned long arg)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int answer = 0;
	bool slow;

	if (cmd != SIOCINQ && cmd != SIOCOUTQ && cmd != SIOCOUTQNSD &&
	    cmd != SIOCATMARK)
		return -ENOIOCTLCMD;
	slow = lock_sock_fast(sk);
	if (sk->sk_state == TCP_LISTEN && cmd != SIOCATMARK)
		answer = -EINVAL;
	else if (cmd == SIOCINQ)
		answer = mrc_conn_has_messages(msk) ?
			 mrc_message_next_len(msk) :
			 as_int(mrc_recv_ready(msk));
	else if (cmd == SIOCOUTQ)
		answer = as_int(msk->txq.end - msk->txq.una);
	else if (cmd == SIOCOUTQNSD)
		answer = as_int(mrc_txq_unsent_bytes(&msk->txq));
	unlock_sock_fast(sk, slow);
	if (answer < 0)
		return answer;
	return put_user(answer, (int __user *)arg);
}

/**
 * mrc_ops_keepalive() - SO_KEEPALIVE was set
 * @sk: socket
 * @on: new value
 *
 * The socket layer sets the flag after this call, the timer needs it now.
 *
 * Context: socket lock held.
 */
void mrc_ops_keepalive(struct sock *sk, int on)
{
	sock_owned_by_me(sk);
	sock_valbool_flag(sk, SOCK_KEEPOPEN, on);
	if (!mrc_socket_in(sk, TCPF_CLOSE | TCPF_LISTEN))
		mrc_conn_timer_update(mrc_sk(sk));
}
