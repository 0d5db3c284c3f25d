// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel UDP sockets of a namespace, one for each version of IP.
 *
 * They are plain sockets with UDP_GRO, not encapsulation sockets: the core
 * segments every GSO skb that meets an encap_rcv hook, while a plain socket
 * takes superframes whole. Their sk_data_ready drains the queue in softirq.
 * Opened under mrc_net.lock by the first socket of the namespace.
 */
#include <net/udp.h>
#include <net/udp_tunnel.h>
#include "conn/input.h"
#include "path/udp.h"
#include "path/unreach.h"

/* Bytes that may wait between UDP and the drain below: a few superframes
 * per CPU, since the drain follows the enqueue at once.
 */
#define UDP_RCVBUF	(8 << 20)

/* Softirq, RCU read side; UDP has just queued something. */
static void data_ready(struct sock *sk)
{
	struct mrc_net *mn = READ_ONCE(sk->sk_user_data);
	struct sk_buff *skb;
	int off = 0, err = 0;

	if (!mn)
		return;
	while ((skb = __skb_recv_udp(sk, MSG_DONTWAIT, &off, &err))) {
		if (udp_lib_checksum_complete(skb)) {
			MRC_INC_STATS(mn, RxChecksum);
			kfree_skb(skb);
		} else {
			mrc_input_rcv(mn, skb);
		}
		off = 0;
	}
}

static void close_one(struct socket **sockp)
{
	if (!*sockp)
		return;
	udp_tunnel_sock_release(*sockp);
	*sockp = NULL;
}

static int open_one(struct mrc_net *mn, u16 family, __be16 port,
		    struct socket **sockp)
{
	struct udp_port_cfg cfg = {
		.family = family,
		.local_udp_port = port,
		.use_udp_checksums = true,
		.use_udp6_tx_checksums = true,
		.use_udp6_rx_checksums = true,
		.ipv6_v6only = true,
	};
	struct socket *sock;
	struct sock *sk;
	int err, one = 1;

	err = udp_sock_create(mn->net, &cfg, &sock);
	if (err) {
		net_warn_ratelimited("mrc: cannot bind UDP port %u: error %d\n",
				     ntohs(port), err);
		return err;
	}
	sk = sock->sk;
	err = sk->sk_prot->setsockopt(sk, SOL_UDP, UDP_GRO,
				      KERNEL_SOCKPTR(&one), sizeof(one));
	if (err) {
		udp_tunnel_sock_release(sock);
		return err;
	}
	WRITE_ONCE(sk->sk_rcvbuf, UDP_RCVBUF);
	sk->sk_allocation = GFP_ATOMIC;
#ifdef CONFIG_NET_RX_BUSY_POLL
	/* The drain runs in softirq: it must not poll devices. */
	WRITE_ONCE(sk->sk_ll_usec, 0);
#endif
	WRITE_ONCE(sk->sk_user_data, mn);
	WRITE_ONCE(sk->sk_data_ready, data_ready);
	*sockp = sock;
	return 0;
}

static int open_locked(struct mrc_net *mn)
{
	__be16 port = htons(READ_ONCE(mn->sysctl_udp_port));
	struct socket *udp;
	int err;

	/* Packets may come from here on; nobody is there to answer them. */
	mn->udp_port = port;
	if (mrc_udp_ops(AF_INET6)) {
		err = open_one(mn, AF_INET6, port, &mn->udp6);
		if (err)
			return err;
	}
	err = mrc_unreach_open(mn);
	if (err)
		goto no_unreach;
	err = open_one(mn, AF_INET, port, &udp);
	if (err)
		goto no_udp;
	/* Pairs with smp_load_acquire() in mrc_udp_open() and xmit. */
	smp_store_release(&mn->udp, udp);
	return 0;

no_udp:
	mrc_unreach_close(mn);
no_unreach:
	close_one(&mn->udp6);
	return err;
}

/**
 * mrc_udp_open() - make sure that the namespace has its UDP sockets
 * @mn: namespace
 *
 * Context: process.
 * Return: 0, or why the port could not be bound (-EADDRINUSE, ...).
 */
int mrc_udp_open(struct mrc_net *mn)
{
	int err = 0;

	/* Pairs with the release below, when the socket is complete. */
	if (smp_load_acquire(&mn->udp))
		return 0;
	mutex_lock(&mn->lock);
	if (!mn->udp)
		err = open_locked(mn);
	mutex_unlock(&mn->lock);
	return err;
}

/**
 * mrc_udp_close() - close the UDP sockets of a namespace
 * @mn: namespace that is going away; no AF_MRC socket is left in it
 *
 * Context: process.
 */
void mrc_udp_close(struct mrc_net *mn)
{
	mrc_unreach_close(mn);
	close_one(&mn->udp);
	close_one(&mn->udp6);
}
