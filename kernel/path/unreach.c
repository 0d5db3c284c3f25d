// SPDX-License-Identifier: GPL-2.0
/*
 * ICMP messages that answer an INIT: the peer has no AF_MRC.
 *
 * UDP finds the socket of an ICMP error by the source port of the packet that
 * it quotes, which with us is an entropy value and belongs to no socket. So
 * the messages are read from raw ICMP sockets of the kernel, one for each
 * version of IP, that let nothing else through. One is believed when it quotes
 * an INIT with the id and the nonce of a connection that waits for an answer.
 * Opened and closed with the UDP sockets; drained in softirq.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/sock.h>
#include "conn/input.h"
#include "path/udp.h"
#include "path/unreach.h"
#include "wire/parse.h"

/* What must be quoted of an INIT: everything up to the nonce. */
#define QUOTED_LEN	offsetofend(struct mrc_wire_init, nonce)

/* ICMP says something of our packet at @pos, behind its IP header. */
static void take_quoted(struct mrc_net *mn, struct sk_buff *skb, int pos,
			struct mrc_addr *local, struct mrc_addr *remote)
{
	u8 buf[QUOTED_LEN] __aligned(8);
	const struct mrc_wire_init *init;
	enum mrc_wire_type type;
	struct mrc_sock *msk;
	struct udphdr *uh, _uh;

	uh = skb_header_pointer(skb, pos, sizeof(_uh), &_uh);
	if (!uh || uh->dest != mn->udp_port)
		return;
	/* The length of the packet as it was, not of what is quoted. */
	if (ntohs(uh->len) != sizeof(*uh) + sizeof(*init) ||
	    skb_copy_bits(skb, pos + sizeof(*uh), buf, sizeof(buf)))
		return;
	if (mrc_parse_header(buf, sizeof(*init), &type) ||
	    type != MRC_WIRE_INIT)
		return;
	init = (const struct mrc_wire_init *)buf;
	local->port = uh->source;
	remote->port = uh->dest;
	rcu_read_lock();
	msk = mrc_conn_find(mn->net, be64_to_cpu(init->cid));
	if (msk) {
		mrc_conn_unreachable(msk, local, remote,
				     be64_to_cpu(init->nonce));
		sock_put(mrc_conn_sk(msk));
	}
	rcu_read_unlock();
}

/* Not the network, which TCP would not reach either; and not for a moment. */
static bool is_answer(u8 code)
{
	return code == ICMP_PORT_UNREACH || code == ICMP_PROT_UNREACH ||
	       code == ICMP_NET_ANO || code == ICMP_HOST_ANO ||
	       code == ICMP_PKT_FILTERED;
}

/* The data begin with the IP header; nobody has looked at the checksum. */
static void take_ipv4(struct mrc_net *mn, struct sk_buff *skb)
{
	struct mrc_addr local = { .family = AF_INET };
	struct mrc_addr remote = { .family = AF_INET };
	int pos = ip_hdrlen(skb);
	struct icmphdr *icmp, _icmp;
	struct iphdr *iph, _iph;

	icmp = skb_header_pointer(skb, pos, sizeof(_icmp), &_icmp);
	if (!icmp || icmp->type != ICMP_DEST_UNREACH || !is_answer(icmp->code))
		return;
	if (csum_fold(skb_checksum(skb, pos, skb->len - pos, 0)))
		return;
	pos += sizeof(*icmp);
	iph = skb_header_pointer(skb, pos, sizeof(_iph), &_iph);
	if (!iph || iph->ihl < 5 || iph->protocol != IPPROTO_UDP ||
	    iph->frag_off & htons(IP_OFFSET))
		return;
	local.ip[0] = iph->saddr;
	remote.ip[0] = iph->daddr;
	take_quoted(mn, skb, pos + iph->ihl * 4, &local, &remote);
}

static void ready_ipv4(struct sock *sk)
{
	struct mrc_net *mn = READ_ONCE(sk->sk_user_data);
	struct sk_buff *skb;

	if (!mn)
		return;
	while ((skb = skb_dequeue(&sk->sk_receive_queue))) {
		take_ipv4(mn, skb);
		consume_skb(skb);
	}
}

#if IS_ENABLED(CONFIG_IPV6)
/* As is_answer(), for ICMPv6. */
static bool is_answer6(u8 code)
{
	return code == ICMPV6_PORT_UNREACH || code == ICMPV6_ADM_PROHIBITED ||
	       code == ICMPV6_POLICY_FAIL || code == ICMPV6_REJECT_ROUTE;
}

/* The data begin with the ICMPv6 header, its checksum was verified. */
static void take_ipv6(struct mrc_net *mn, struct sk_buff *skb)
{
	struct ipv6hdr *iph, _iph;
	struct icmp6hdr *icmp, _icmp;
	struct mrc_addr local, remote;

	icmp = skb_header_pointer(skb, 0, sizeof(_icmp), &_icmp);
	if (!icmp || icmp->icmp6_type != ICMPV6_DEST_UNREACH ||
	    !is_answer6(icmp->icmp6_code))
		return;
	iph = skb_header_pointer(skb, sizeof(*icmp), sizeof(_iph), &_iph);
	if (!iph || iph->nexthdr != IPPROTO_UDP)
		return;
	mrc_addr_set(&local, AF_INET6, iph->saddr.s6_addr32, 0);
	mrc_addr_set(&remote, AF_INET6, iph->daddr.s6_addr32, 0);
	take_quoted(mn, skb, sizeof(*icmp) + sizeof(*iph), &local, &remote);
}

static void ready_ipv6(struct sock *sk)
{
	struct mrc_net *mn = READ_ONCE(sk->sk_user_data);
	struct sk_buff *skb;

	if (!mn)
		return;
	while ((skb = skb_dequeue(&sk->sk_receive_queue))) {
		take_ipv6(mn, skb);
		consume_skb(skb);
	}
}

/* Lets one type through. */
static int filter_ipv6(struct socket *sock)
{
	struct icmp6_filter filter;

	memset(&filter, 0xff, sizeof(filter));
	filter.data[ICMPV6_DEST_UNREACH / 32] &=
		~(1U << ICMPV6_DEST_UNREACH % 32);
	return sock->ops->setsockopt(sock, SOL_ICMPV6, ICMPV6_FILTER,
				     KERNEL_SOCKPTR(&filter), sizeof(filter));
}
#endif

static int filter_ipv4(struct socket *sock)
{
	struct icmp_filter filter = { .data = ~(1U << ICMP_DEST_UNREACH) };

	return sock->ops->setsockopt(sock, SOL_RAW, ICMP_FILTER,
				     KERNEL_SOCKPTR(&filter), sizeof(filter));
}

static void close_one(struct socket **sockp)
{
	if (!*sockp)
		return;
	WRITE_ONCE((*sockp)->sk->sk_user_data, NULL);
	synchronize_rcu();	/* the callback runs within RCU */
	sock_release(*sockp);
	*sockp = NULL;
}

static int open_one(struct mrc_net *mn, int family, int protocol,
		    int (*filter)(struct socket *sock),
		    void (*ready)(struct sock *sk), struct socket **sockp)
{
	int err;

	err = sock_create_kern(mn->net, family, SOCK_RAW, protocol, sockp);
	if (err)
		return err;
	err = filter(*sockp);
	if (err) {
		close_one(sockp);
		return err;
	}
	WRITE_ONCE((*sockp)->sk->sk_user_data, mn);
	WRITE_ONCE((*sockp)->sk->sk_data_ready, ready);
	return 0;
}

/**
 * mrc_unreach_open() - begin to read ICMP messages
 * @mn: namespace whose UDP sockets are being opened
 *
 * Context: process, mrc_net.lock held.
 * Return: 0 or a negative error.
 */
int mrc_unreach_open(struct mrc_net *mn)
{
	int err;

	err = open_one(mn, AF_INET, IPPROTO_ICMP, filter_ipv4, ready_ipv4,
		       &mn->icmp);
#if IS_ENABLED(CONFIG_IPV6)
	if (!err && mrc_udp_ops(AF_INET6))
		err = open_one(mn, AF_INET6, IPPROTO_ICMPV6, filter_ipv6,
			       ready_ipv6, &mn->icmp6);
#endif
	if (err)
		mrc_unreach_close(mn);
	return err;
}

/**
 * mrc_unreach_close() - stop reading
 * @mn: namespace that is going away
 *
 * Context: process.
 */
void mrc_unreach_close(struct mrc_net *mn)
{
	close_one(&mn->icmp);
	close_one(&mn->icmp6);
}
