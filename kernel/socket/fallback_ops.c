// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of a socket that may be a TCP one: which of both answers.
 *
 * A call looks up sock->sk once; when the socket becomes a TCP socket while it
 * runs, it is made again (MRC_MOVED, or a look at sock->sk afterwards).
 * Functions of TCP that look up the socket themselves are given that of the
 * kernel, which never changes. Called by the socket layer in process context.
 */
#include <linux/fs.h>
#include <linux/splice.h>
#include <net/inet_common.h>
#include <net/tcp.h>
#include "socket/room.h"

/* A socket whose sk is the TCP socket that @sock has become, for good. */
static struct socket *tcp_of(struct socket *sock)
{
	const struct mrc_fallback *fb = mrc_fallback_of(sock);

	return fb && fb->msk ? fb->tcp : sock;
}

/**
 * mrc_fallback_poll() - proto_ops.poll
 * @file: file of the socket
 * @sock: socket
 * @wait: where to queue the caller, or NULL
 *
 * Context: process, no lock.
 * Return: EPOLL* bits that hold.
 */
__poll_t mrc_fallback_poll(struct file *file, struct socket *sock,
			   struct poll_table_struct *wait)
{
	struct sock *sk;
	__poll_t mask;

	sock_poll_wait(file, sock, wait);
	do {
		/* pairs with mrc_fallback_switch() */
		sk = smp_load_acquire(&sock->sk);
		mask = mrc_fallback_is_tcp(sk) ?
		       tcp_poll(file, tcp_of(sock), NULL) : mrc_poll_mask(sk);
		smp_rmb();	/* what was read above was read before */
	} while (sk != READ_ONCE(sock->sk));
	return mask;
}

/**
 * mrc_fallback_sendmsg() - proto_ops.sendmsg of a stream
 * @sock: socket
 * @msg: data and flags
 * @size: bytes
 *
 * Context: process, may sleep.
 * Return: as sendmsg() of TCP.
 */
int mrc_fallback_sendmsg(struct socket *sock, struct msghdr *msg, size_t size)
{
	int ret;

	do {
		ret = inet_sendmsg(sock, msg, size);
	} while (ret == -MRC_MOVED);
	return ret;
}

/**
 * mrc_fallback_recvmsg() - proto_ops.recvmsg of a stream
 * @sock: socket
 * @msg: where the bytes go
 * @size: bytes wanted
 * @flags: MSG_*
 *
 * Context: process, may sleep.
 * Return: as recvmsg() of TCP.
 */
int mrc_fallback_recvmsg(struct socket *sock, struct msghdr *msg, size_t size,
			 int flags)
{
	int ret;

	do {
		ret = inet_recvmsg(sock, msg, size, flags);
	} while (ret == -MRC_MOVED);
	return ret;
}

/**
 * mrc_fallback_splice_read() - proto_ops.splice_read of a stream
 * @sock: socket
 * @ppos: 0
 * @pipe: where the bytes go
 * @len: bytes wanted
 * @flags: SPLICE_F_*
 *
 * Context: process, may sleep.
 * Return: as splice() of TCP.
 */
ssize_t mrc_fallback_splice_read(struct socket *sock, loff_t *ppos,
				 struct pipe_inode_info *pipe, size_t len,
				 unsigned int flags)
{
	if (mrc_fallback_is_tcp(READ_ONCE(sock->sk)))
		return tcp_splice_read(tcp_of(sock), ppos, pipe, len, flags);
	return generic_file_splice_read(sock->file, ppos, pipe, len, flags);
}

/**
 * mrc_fallback_lowat() - proto_ops.set_rcvlowat of a stream
 * @sk: socket
 * @val: bytes
 *
 * Context: process, socket lock held.
 * Return: 0.
 */
int mrc_fallback_lowat(struct sock *sk, int val)
{
	return mrc_fallback_is_tcp(sk) ? tcp_set_rcvlowat(sk, val) :
					 mrc_recv_lowat(sk, val);
}

/**
 * mrc_fallback_shutdown() - proto_ops.shutdown
 * @sock: socket
 * @how: SHUT_*
 *
 * Context: process.
 * Return: as shutdown() of TCP.
 */
int mrc_fallback_shutdown(struct socket *sock, int how)
{
	struct sock *sk;
	int err;

	do {
		sk = READ_ONCE(sock->sk);
		err = inet_shutdown(sock, how);
	} while (sk != READ_ONCE(sock->sk));
	return err;
}

/**
 * mrc_fallback_accept_socket() - proto_ops.accept
 * @sock: listener
 * @child: socket that gets the connection
 * @flags: O_NONBLOCK or 0
 * @kern: accept() by the kernel
 *
 * Context: process, may sleep.
 * Return: as accept() of TCP.
 */
int mrc_fallback_accept_socket(struct socket *sock, struct socket *child,
			       int flags, bool kern)
{
	int err = inet_accept(sock, child, flags, kern);

	if (!err && mrc_fallback_is_tcp(child->sk))
		mrc_fallback_adopt(child);
	return err;
}

/* These would replace the operations of the socket, which are ours. */
static bool is_refused(int level, int name)
{
	return (level == SOL_TCP && name == TCP_ULP) ||
	       (level == SOL_IPV6 && name == IPV6_ADDRFORM);
}

/* What must not reach the TCP socket: names of AF_MRC's own controllers. */
static bool is_own(int level, int name)
{
	return (level == SOL_MRC && name != MRC_CLASS) ||
	       (level == SOL_TCP && name == TCP_CONGESTION);
}

static int set_tcp(struct sock *tcp, int level, int name, sockptr_t optval,
		   unsigned int optlen)
{
	if (level == SOL_MRC && name == MRC_CLASS)
		return mrc_class_set_tcp(tcp, optval, optlen);
	if (level == SOL_MRC)
		return name == MRC_UNORDERED ? -EOPNOTSUPP : -ENOPROTOOPT;
	if (is_refused(level, name))
		return -ENOPROTOOPT;
	return READ_ONCE(tcp->sk_prot)->setsockopt(tcp, level, name, optval,
						   optlen);
}

/*
 * The name of an algorithm that only TCP has: the TCP socket gets it, or, where
 * there is none, one that says what TCP would have said.
 */
static int set_tcp_congestion(struct sock *sk, const struct mrc_fallback *fb,
			      sockptr_t optval, unsigned int optlen)
{
	struct socket *other;
	int err;

	if (fb)
		return set_tcp(fb->tcp->sk, SOL_TCP, TCP_CONGESTION, optval,
			       optlen);
	err = sock_create_kern(sock_net(sk), AF_INET, SOCK_STREAM, IPPROTO_TCP,
			       &other);
	if (err)
		return err;
	err = set_tcp(other->sk, SOL_TCP, TCP_CONGESTION, optval, optlen);
	sock_release(other);
	return err;
}

/**
 * mrc_fallback_setsockopt() - proto_ops.setsockopt
 * @sock: socket
 * @level: SOL_IP, SOL_IPV6, SOL_TCP or SOL_MRC
 * @name: option
 * @optval: its value
 * @optlen: bytes of the value
 *
 * What AF_MRC has taken the TCP socket behind it gets, too. TCP_CONGESTION also
 * takes what only TCP knows: programs ask for its algorithms by name, and end
 * when there is none.
 *
 * Context: process; may sleep.
 * Return: 0; -ENOPROTOOPT: no such option; -EINVAL, -EFAULT and others.
 */
int mrc_fallback_setsockopt(struct socket *sock, int level, int name,
			    sockptr_t optval, unsigned int optlen)
{
	const struct mrc_fallback *fb = mrc_fallback_of(sock);
	struct sock *sk = READ_ONCE(sock->sk);
	int err;

	if (mrc_fallback_is_tcp(sk))
		return set_tcp(sk, level, name, optval, optlen);
	err = mrc_sockopt_set(sk, level, name, optval, optlen);
	if (err == -ENOENT && level == SOL_TCP && name == TCP_CONGESTION)
		return set_tcp_congestion(sk, fb, optval, optlen);
	if (!err && fb && !is_own(level, name))
		set_tcp(fb->tcp->sk, level, name, optval, optlen);
	return err;
}

/**
 * mrc_fallback_getsockopt() - proto_ops.getsockopt
 * @sock: socket
 * @level: SOL_IP, SOL_IPV6, SOL_TCP or SOL_MRC
 * @name: option
 * @optval: user buffer
 * @optlen: its size; set to the bytes written
 *
 * Context: process; may sleep.
 * Return: 0; -ENOPROTOOPT: no such option; -EINVAL, -EFAULT and others.
 */
int mrc_fallback_getsockopt(struct socket *sock, int level, int name,
			    char __user *optval, int __user *optlen)
{
	const struct mrc_fallback *fb = mrc_fallback_of(sock);
	struct sock *sk = READ_ONCE(sock->sk);
	int val = 0;

	if (!mrc_fallback_is_tcp(sk))
		return mrc_sockopt_get(sk, level, name, optval, optlen);
	if (level != SOL_MRC)
		return READ_ONCE(sk->sk_prot)->getsockopt(sk, level, name,
							  optval, optlen);
	if (name == MRC_CLASS)
		val = mrc_class_of_tcp(sk);
	if (name == MRC_CLASS || name == MRC_UNORDERED)
		return mrc_sockopt_answer(&val, sizeof(val), optval, optlen);
	if (name != MRC_INFO)
		return -ENOPROTOOPT;
	return mrc_info_fallback(sk, fb ? fb->reason : MRC_FALLBACK_ACCEPTED,
				 optval, optlen);
}
