// SPDX-License-Identifier: GPL-2.0
/*
 * MRC_CLASS: what a connection is for, and what follows from that.
 *
 * The class lies in mrc_sock.opts; the marks lie where IP_TOS, IPV6_TCLASS and
 * SO_PRIORITY keep theirs, so whatever was set last counts, and a TCP socket
 * can have them, too: there the marks are the class. Process context; takes
 * the socket lock. Called by sockopt.c and by the fall-back.
 */
#include <linux/pkt_sched.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>
#include "socket/room.h"

/**
 * struct mark - what the packets of a class carry
 * @tos: DSCP, as IP_TOS has it (RFC 4594)
 * @priority: for queueing disciplines (SO_PRIORITY)
 */
struct mark {
	u8 tos;
	u32 priority;
};

static const struct mark marks[__MRC_CLASSES] = {
	[MRC_CLASS_DEFAULT]	= { 0, TC_PRIO_BESTEFFORT },
	[MRC_CLASS_BULK]	= { 0x28, TC_PRIO_BULK },
	[MRC_CLASS_LATENCY]	= { 0x48, TC_PRIO_INTERACTIVE },
};

/* Socket lock held. ECN bits stay what they are. */
static void set_mark(struct sock *sk, const struct mark *mark)
{
	struct inet_sock *inet = inet_sk(sk);

	inet->tos = mark->tos | (inet->tos & INET_ECN_MASK);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		inet6_sk(sk)->tclass = mark->tos |
				       (inet6_sk(sk)->tclass & INET_ECN_MASK);
#endif
	WRITE_ONCE(sk->sk_priority, mark->priority);
	sk_dst_reset(sk);
}

static int get_value(sockptr_t optval, unsigned int optlen)
{
	int val;

	if (optlen < sizeof(val))
		return -EINVAL;
	if (copy_from_sockptr(&val, optval, sizeof(val)))
		return -EFAULT;
	return val < 0 || val >= __MRC_CLASSES ? -EINVAL : val;
}

/**
 * mrc_class_set() - setsockopt(MRC_CLASS)
 * @msk: socket
 * @optval: int, enum mrc_class
 * @optlen: bytes of the value
 *
 * Context: process; takes the socket lock.
 * Return: 0, -EINVAL or -EFAULT.
 */
int mrc_class_set(struct mrc_sock *msk, sockptr_t optval, unsigned int optlen)
{
	struct sock *sk = mrc_conn_sk(msk);
	int class = get_value(optval, optlen);

	if (class < 0)
		return class;
	lock_sock(sk);
	msk->opts.class = class;
	msk->sched = class == MRC_CLASS_LATENCY ? &mrc_sched_latency :
						  msk->mn->sched;
	set_mark(sk, &marks[class]);
	/* What waited for more to come need not wait any longer. */
	if (mrc_socket_in(sk, TCPF_ESTABLISHED | TCPF_CLOSE_WAIT))
		mrc_output_push(msk);
	release_sock(sk);
	return 0;
}

/**
 * mrc_class_set_tcp() - setsockopt(MRC_CLASS) of a TCP socket
 * @tcp: TCP socket, alone or behind one of AF_MRC
 * @optval: int, enum mrc_class
 * @optlen: bytes of the value
 *
 * Context: process; takes the socket lock.
 * Return: 0, -EINVAL or -EFAULT.
 */
int mrc_class_set_tcp(struct sock *tcp, sockptr_t optval, unsigned int optlen)
{
	int class = get_value(optval, optlen);

	if (class < 0)
		return class;
	lock_sock(tcp);
	set_mark(tcp, &marks[class]);
	release_sock(tcp);
	return 0;
}

/**
 * mrc_class_child() - an accepted socket has the class of its listener
 * @sk: new socket, AF_MRC or TCP; not visible yet
 * @class: enum mrc_class
 *
 * The rest is inherited; the priority of a socket is not, in general.
 *
 * Context: any.
 */
void mrc_class_child(struct sock *sk, u8 class)
{
	if (class != MRC_CLASS_DEFAULT)
		WRITE_ONCE(sk->sk_priority, marks[class].priority);
}

/**
 * mrc_class_of_tcp() - class of a TCP socket
 * @tcp: TCP socket
 *
 * Context: any.
 * Return: the enum mrc_class whose DSCP it has; MRC_CLASS_DEFAULT for others.
 */
u8 mrc_class_of_tcp(const struct sock *tcp)
{
	u8 tos = READ_ONCE(inet_sk(tcp)->tos) & ~INET_ECN_MASK;
	u8 class;

	for (class = __MRC_CLASSES - 1; class > MRC_CLASS_DEFAULT; class--)
		if (marks[class].tos == tos)
			break;
	return class;
}
