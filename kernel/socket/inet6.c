// SPDX-License-Identifier: GPL-2.0
/*
 * Sockets of family AF_INET6: what they have besides.
 *
 * struct ipv6_pinfo lies behind the connection, where the kernel's IPv6 code
 * looks for it; the protocol is that of AF_INET with another size and another
 * view of addresses. Called by family.c, listen.c and sockopt.c; only in
 * kernels with IPv6.
 */
#include <linux/net.h>
#include <net/inet_ecn.h>
#include <net/ipv6.h>
#include "path/udp.h"
#include "socket/room.h"

/**
 * struct mrc_inet6_sock - connection and socket of family AF_INET6
 * @msk: the connection; first
 * @inet6: IPv6 options and names; last
 */
struct mrc_inet6_sock {
	struct mrc_sock msk;
	struct ipv6_pinfo inet6;
};

struct proto mrc_inet6_prot;

static struct ipv6_pinfo *pinfo(struct sock *sk)
{
	return &((struct mrc_inet6_sock *)sk)->inet6;
}

/**
 * mrc_inet6_init() - register the protocol
 *
 * Context: process, module load.
 * Return: 0 or a negative error.
 */
int mrc_inet6_init(void)
{
	mrc_inet6_prot = mrc_prot;
	strscpy(mrc_inet6_prot.name, "MRCv6", sizeof(mrc_inet6_prot.name));
	mrc_inet6_prot.slab = NULL;
	mrc_inet6_prot.obj_size = sizeof(struct mrc_inet6_sock);
	mrc_inet6_prot.pre_connect = mrc_connect6_check;
	return proto_register(&mrc_inet6_prot, 1);
}

/**
 * mrc_inet6_exit() - unregister the protocol; no socket is left
 */
void mrc_inet6_exit(void)
{
	proto_unregister(&mrc_inet6_prot);
}

/**
 * mrc_inet6_alloc() - make a socket of family AF_INET6
 * @net: namespace
 * @sock: what socket() returns; gets its operations
 * @kern: for the kernel
 *
 * Context: process.
 * Return: socket with the values that TCP gives to a new one, or an error
 * pointer: -EPROTONOSUPPORT: IPv6 is switched off; -ENOMEM.
 */
struct sock *mrc_inet6_alloc(struct net *net, struct socket *sock, int kern)
{
	struct ipv6_pinfo *np;
	struct sock *sk;

	if (!mrc_udp_ops(AF_INET6))
		return ERR_PTR(-EPROTONOSUPPORT);
	sk = sk_alloc(net, AF_INET6, GFP_KERNEL, &mrc_inet6_prot, kern);
	if (!sk)
		return ERR_PTR(-ENOMEM);
	sock->ops = sock->type == SOCK_STREAM ? &mrc_ops_stream6 :
						&mrc_ops_seqpacket6;
	sock_init_data(sock, sk);
	np = pinfo(sk);
	inet_sk(sk)->pinet6 = np;
	np->hop_limit = -1;
	np->mcast_hops = IPV6_DEFAULT_MCASTHOPS;
	np->mc_loop = 1;
	np->mc_all = 1;
	np->pmtudisc = IPV6_PMTUDISC_WANT;
	sk->sk_ipv6only = READ_ONCE(net->ipv6.sysctl.bindv6only);
	return sk;
}

/**
 * mrc_inet6_clone() - give a child its own part
 * @sk: copy of a listener that nobody else can see yet
 *
 * Options stay; what they point to belongs to the listener.
 *
 * Context: any.
 */
void mrc_inet6_clone(struct sock *sk)
{
	struct ipv6_pinfo *np = pinfo(sk);

	inet_sk(sk)->pinet6 = np;
	RCU_INIT_POINTER(np->ipv6_mc_list, NULL);
	np->ipv6_ac_list = NULL;
	RCU_INIT_POINTER(np->ipv6_fl_list, NULL);
	RCU_INIT_POINTER(np->opt, NULL);
	np->pktoptions = NULL;
	np->rxpmtu = NULL;
}

/**
 * mrc_inet6_destroy() - free what the IPv6 options hold
 * @sk: socket that nobody can see any more
 *
 * Context: RCU callback or process.
 */
void mrc_inet6_destroy(struct sock *sk)
{
	inet6_cleanup_sock(sk);
}

/* ECN bits are the module's. The core keeps them for SOCK_STREAM only. */
static int set_tclass(struct sock *sk, sockptr_t optval, unsigned int optlen)
{
	int val;

	if (optlen < sizeof(val))
		return -EINVAL;
	if (copy_from_sockptr(&val, optval, sizeof(val)))
		return -EFAULT;
	if (val > 0)
		val &= ~INET_ECN_MASK;
	return ipv6_setsockopt(sk, SOL_IPV6, IPV6_TCLASS, KERNEL_SOCKPTR(&val),
			       sizeof(val));
}

/**
 * mrc_inet6_set_opt() - setsockopt() of level SOL_IPV6
 * @sk: socket of any family
 * @name: IPV6_*
 * @optval: value
 * @optlen: its bytes
 *
 * Context: process; takes the socket lock.
 * Return: 0, -ENOPROTOOPT (always for AF_INET), and others.
 */
int mrc_inet6_set_opt(struct sock *sk, int name, sockptr_t optval,
		      unsigned int optlen)
{
	if (sk->sk_family != AF_INET6)
		return -ENOPROTOOPT;
	switch (name) {
	case IPV6_TCLASS:
		return set_tclass(sk, optval, optlen);
	/* The core refuses memberships to TCP by what TCP is made of, */
	case IPV6_ADD_MEMBERSHIP:
	case IPV6_DROP_MEMBERSHIP:
		return optlen < sizeof(struct ipv6_mreq) ? -EINVAL : -EPROTO;
	/* and these by its type. */
	case IPV6_MULTICAST_IF:
	case IPV6_MULTICAST_HOPS:
		return -ENOPROTOOPT;
	default:
		return ipv6_setsockopt(sk, SOL_IPV6, name, optval, optlen);
	}
}

/**
 * mrc_inet6_get_opt() - getsockopt() of level SOL_IPV6
 * @sk: socket of any family
 * @name: IPV6_*
 * @optval: user buffer
 * @optlen: its size; set to the bytes written
 *
 * Context: process; takes the socket lock.
 * Return: 0, -EOPNOTSUPP (always for AF_INET, as TCP), and others.
 */
int mrc_inet6_get_opt(struct sock *sk, int name, char __user *optval,
		      int __user *optlen)
{
	if (sk->sk_family != AF_INET6)
		return -EOPNOTSUPP;
	return ipv6_getsockopt(sk, SOL_IPV6, name, optval, optlen);
}
