// SPDX-License-Identifier: GPL-2.0
/*
 * setsockopt() and getsockopt(): which level answers.
 *
 * SOL_SOCKET never comes here. IP and IPv6 options are those of any INET
 * socket, the TCP level is in tcp_opt.c, and SOL_MRC has what TCP has no name for. Called
 * by the socket layer in process context; the levels take the socket lock.
 */
#include <linux/in.h>
#include <linux/uaccess.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include "socket/room.h"

/* Level SOL_MRC. */
static int set_mrc(struct mrc_sock *msk, int name, sockptr_t optval,
		   unsigned int optlen)
{
	struct sock *sk = mrc_conn_sk(msk);
	int val;

	if (name == MRC_CLASS)
		return mrc_class_set(msk, optval, optlen);
	if (name != MRC_UNORDERED)
		return -ENOPROTOOPT;
	if (!mrc_conn_has_messages(msk))
		return -EOPNOTSUPP;
	if (optlen < sizeof(val))
		return -EINVAL;
	if (copy_from_sockptr(&val, optval, sizeof(val)))
		return -EFAULT;
	lock_sock(sk);
	msk->opts.unordered = val;
	release_sock(sk);
	return 0;
}

static int get_mrc(struct mrc_sock *msk, int name, char __user *optval,
		   int __user *optlen)
{
	int val;

	switch (name) {
	case MRC_INFO:
		return mrc_info_mrc(msk, optval, optlen);
	case MRC_UNORDERED:
		val = msk->opts.unordered;
		return mrc_sockopt_answer(&val, sizeof(val), optval, optlen);
	case MRC_CLASS:
		val = msk->opts.class;
		return mrc_sockopt_answer(&val, sizeof(val), optval, optlen);
	default:
		return -ENOPROTOOPT;
	}
}

/* ECN bits are the module's. The core keeps them for SOCK_STREAM only. */
static int set_tos(struct sock *sk, sockptr_t optval, unsigned int optlen)
{
	int val = 0;
	u8 byte;

	if (optlen >= sizeof(val)) {
		if (copy_from_sockptr(&val, optval, sizeof(val)))
			return -EFAULT;
	} else if (optlen) {
		if (copy_from_sockptr(&byte, optval, sizeof(byte)))
			return -EFAULT;
		val = byte;
	}
	val &= ~INET_ECN_MASK;
	return ip_setsockopt(sk, SOL_IP, IP_TOS, KERNEL_SOCKPTR(&val),
			     sizeof(val));
}

/* There is one peer: groups are refused with the errors of TCP. */
static int set_ip(struct sock *sk, int name, sockptr_t optval,
		  unsigned int optlen)
{
	switch (name) {
	case IP_TOS:
		return set_tos(sk, optval, optlen);
	case IP_ADD_MEMBERSHIP:
	case IP_DROP_MEMBERSHIP:
		return -EPROTO;
	case IP_MULTICAST_IF:
	case IP_MULTICAST_TTL:
		return -EINVAL;
	default:
		return ip_setsockopt(sk, SOL_IP, name, optval, optlen);
	}
}

/**
 * mrc_sockopt_set() - setsockopt() of a socket that is not a TCP one
 * @sk: socket
 * @level: SOL_IP, SOL_IPV6, SOL_TCP or SOL_MRC
 * @name: option
 * @optval: its value
 * @optlen: bytes of the value
 *
 * Context: process; may sleep.
 * Return: 0; -ENOPROTOOPT: no such option; -EINVAL, -EFAULT and others.
 */
int mrc_sockopt_set(struct sock *sk, int level, int name, sockptr_t optval,
		    unsigned int optlen)
{
	switch (level) {
	case SOL_IP:
		return set_ip(sk, name, optval, optlen);
	case SOL_IPV6:
		return mrc_inet6_set_opt(sk, name, optval, optlen);
	case SOL_TCP:
		return mrc_tcp_opt_set(mrc_sk(sk), name, optval, optlen);
	case SOL_MRC:
		return set_mrc(mrc_sk(sk), name, optval, optlen);
	default:
		return -ENOPROTOOPT;
	}
}

/**
 * mrc_sockopt_get() - getsockopt() of a socket that is not a TCP one
 * @sk: socket
 * @level: SOL_IP, SOL_IPV6, SOL_TCP or SOL_MRC
 * @name: option
 * @optval: user buffer
 * @optlen: its size; set to the bytes written
 *
 * Context: process; may sleep.
 * Return: 0; -ENOPROTOOPT: no such option; -EINVAL, -EFAULT and others.
 */
int mrc_sockopt_get(struct sock *sk, int level, int name,
		    char __user *optval, int __user *optlen)
{
	switch (level) {
	case SOL_IP:
		return ip_getsockopt(sk, level, name, optval, optlen);
	case SOL_IPV6:
		return mrc_inet6_get_opt(sk, name, optval, optlen);
	case SOL_TCP:
		return mrc_tcp_opt_get(mrc_sk(sk), name, optval, optlen);
	case SOL_MRC:
		return get_mrc(mrc_sk(sk), name, optval, optlen);
	default:
		return -ENOPROTOOPT;
	}
}

/**
 * mrc_sockopt_answer() - give a value to getsockopt()
 * @val: the value
 * @size: its bytes
 * @optval: user buffer; gets as much as fits
 * @optlen: its size; set to the bytes written
 *
 * Context: process.
 * Return: 0, -EINVAL or -EFAULT.
 */
int mrc_sockopt_answer(const void *val, int size, char __user *optval,
		       int __user *optlen)
{
	int len;

	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	len = min(len, size);
	if (put_user(len, optlen) || copy_to_user(optval, val, len))
		return -EFAULT;
	return 0;
}
