// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel UDP socket of a namespace.
 *
 * It is a plain socket with UDP_GRO, not an encapsulation socket: the core
 * segments every GSO skb that meets an encap_rcv hook, while a plain socket
 * takes superframes whole. Its sk_data_ready drains the queue in softirq.
 * Opened under mrc_net.lock by the first socket of the namespace.
 */
#include <net/udp.h>
#include <net/udp_tunnel.h>
#include "conn/input.h"
#include "path/udp.h"

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

static int open_locked(struct mrc_net *mn)
{
	struct udp_port_cfg cfg = {
		.family = AF_INET,
		.local_udp_port = htons(READ_ONCE(mn->sysctl_udp_port)),
		.use_udp_checksums = true,
	};
	struct socket *sock;
	struct sock *sk;
	int err, one = 1;

	err = udp_sock_create(mn->net, &cfg, &sock);
	if (err) {
		net_warn_ratelimited("mrc: cannot bind UDP port %u: error %d\n",
				     ntohs(cfg.local_udp_port), err);
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
	mn->udp_port = cfg.local_udp_port;
	/* Pairs with smp_load_acquire() in mrc_udp_open() and xmit. */
	smp_store_release(&mn->udp, sock);
	return 0;
}

/**
 * mrc_udp_open() - make sure that the namespace has its UDP socket
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
 * mrc_udp_close() - close the UDP socket of a namespace
 * @mn: namespace that is going away; no AF_MRC socket is left in it
 *
 * Context: process.
 */
void mrc_udp_close(struct mrc_net *mn)
{
	if (!mn->udp)
		return;
	udp_tunnel_sock_release(mn->udp);
	mn->udp = NULL;
}
