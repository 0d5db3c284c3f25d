// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of the injector: raw IP out, a packet socket in. The addresses that
 * it uses are routed to its namespace but belong to nobody there, so the
 * kernel neither answers for them nor minds.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/udp.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>
#include "inject.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT	103
#endif
#ifndef SOL_UDP
#define SOL_UDP		17
#endif

__u16 udp_port, app_port;
in_addr_t us0, other, us1;

static int raw = -1;
static int tap = -1;
static int own_ns = -1;
static int host_ns = -1;

static void enter(int ns)
{
	if (setns(ns, CLONE_NEWNET))
		fail("setns: %s", strerror(errno));
}

void net_enter_host(void)
{
	enter(host_ns);
}

void net_leave_host(void)
{
	enter(own_ns);
}

/* One processor, so that packets arrive in the order of their sending. */
static void pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int net_open(const char *name, unsigned int test)
{
	int room = 16 << 20;

	us0 = htonl(0x0a096402 + 2 * test);
	other = htonl(0x0a096403 + 2 * test);
	us1 = htonl(0x0a096502 + 2 * test);
	app_port = 7000 + test;
	pin();
	own_ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	host_ns = open(name, O_RDONLY | O_CLOEXEC);
	raw = socket(AF_INET, SOCK_RAW, IPPROTO_RAW);
	tap = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_IP));
	if (own_ns < 0 || host_ns < 0 || raw < 0 || tap < 0)
		return -1;
	setsockopt(tap, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	return 0;
}

static bool is_ours(in_addr_t ip)
{
	return ip == us0 || ip == other || ip == us1 || ip == WITNESS;
}

static __u32 add(const void *data, size_t len, __u32 sum)
{
	const __u8 *p = data;

	for (; len > 1; len -= 2, p += 2)
		sum += p[0] << 8 | p[1];
	return len ? sum + (p[0] << 8) : sum;
}

static __u16 fold(__u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

/* Sends @ip, complete but for its length, with a header and data after it. */
static void send_ip(struct iphdr *ip, const void *head, size_t head_len,
		    const void *data, size_t len)
{
	static __u8 buf[65536];
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = ip->daddr,
	};
	size_t total = sizeof(*ip) + head_len + len;

	ip->version = 4;
	ip->ihl = 5;
	ip->ttl = 64;
	ip->tot_len = htons(total);
	memcpy(buf, ip, sizeof(*ip));
	memcpy(buf + sizeof(*ip), head, head_len);
	memcpy(buf + sizeof(*ip) + head_len, data, len);
	if (sendto(raw, buf, total, 0, (struct sockaddr *)&to,
		   sizeof(to)) != (ssize_t)total)
		fail("sendto: %s", strerror(errno));
}

/* Sends one datagram to the MRC port of @dst. */
void net_send(in_addr_t src, __u16 sport, in_addr_t dst, __u8 tos,
	      const void *data, size_t len)
{
	struct udphdr udp = {
		.source = htons(sport),
		.dest = htons(udp_port),
		.len = htons(sizeof(udp) + len),
	};
	struct iphdr ip = {
		.tos = tos,
		.protocol = IPPROTO_UDP,
		.saddr = src,
		.daddr = dst,
	};
	__u32 sum = add(&ip.saddr, 8, IPPROTO_UDP + sizeof(udp) + len);

	sum = add(&udp, sizeof(udp), sum);
	udp.check = fold(add(data, len, sum));
	if (!udp.check)
		udp.check = 0xffff;
	send_ip(&ip, &udp, sizeof(udp), data, len);
}

/* Sends an ICMP message; @spoil is added to its checksum. */
void net_send_icmp(in_addr_t src, in_addr_t dst, const void *msg, size_t len,
		   __u16 spoil)
{
	struct iphdr ip = {
		.protocol = IPPROTO_ICMP,
		.saddr = src,
		.daddr = dst,
	};
	struct icmphdr icmp;

	memcpy(&icmp, msg, sizeof(icmp));
	icmp.checksum = 0;
	icmp.checksum = fold(add((const char *)msg + sizeof(icmp),
				 len - sizeof(icmp),
				 add(&icmp, sizeof(icmp), 0))) + spoil;
	send_ip(&ip, &icmp, sizeof(icmp), (const char *)msg + sizeof(icmp),
		len - sizeof(icmp));
}

/* Sends one superframe, which crosses the devices whole. */
void net_send_segments(in_addr_t src, __u16 sport, in_addr_t dst,
		       const void *data, size_t len, __u16 segment)
{
	struct sockaddr_in from = {
		.sin_family = AF_INET,
		.sin_port = htons(sport),
		.sin_addr.s_addr = src,
	};
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(udp_port),
		.sin_addr.s_addr = dst,
	};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	int one = 1, size = segment;

	if (fd < 0 ||
	    setsockopt(fd, SOL_IP, IP_TRANSPARENT, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_UDP, UDP_SEGMENT, &size, sizeof(size)) ||
	    bind(fd, (struct sockaddr *)&from, sizeof(from)) ||
	    sendto(fd, data, len, 0, (struct sockaddr *)&to,
		   sizeof(to)) != (ssize_t)len)
		fail("superframe: %s", strerror(errno));
	close(fd);
}

/* Is this UDP from the module's host to us? Moves the payload to the front. */
static bool accept_pkt(struct pkt *pkt, ssize_t len)
{
	struct udphdr udp;
	struct iphdr ip;
	size_t hdr = sizeof(ip) + sizeof(udp);

	if (len < (ssize_t)hdr)
		return false;
	memcpy(&ip, pkt->data, sizeof(ip));
	memcpy(&udp, pkt->data + sizeof(ip), sizeof(udp));
	if (ip.ihl != 5 || ip.protocol != IPPROTO_UDP || !is_ours(ip.daddr) ||
	    ntohs(ip.tot_len) < hdr || ntohs(ip.tot_len) > len)
		return false;
	pkt->src = ip.saddr;
	pkt->dst = ip.daddr;
	pkt->tos = ip.tos;
	pkt->sport = ntohs(udp.source);
	pkt->dport = ntohs(udp.dest);
	pkt->len = ntohs(ip.tot_len) - hdr;
	memmove(pkt->data, pkt->data + hdr, pkt->len);
	return true;
}

/* The next packet for us; false when none came within @ms. */
bool net_recv(struct pkt *pkt, int ms)
{
	struct pollfd pfd = { .fd = tap, .events = POLLIN };
	long long end = now_ms() + ms;
	struct sockaddr_ll from;
	socklen_t fromlen;
	ssize_t len;
	int left;

	for (;;) {
		left = end - now_ms();
		if (poll(&pfd, 1, left > 0 ? left : 0) <= 0) {
			if (left <= 0)
				return false;
			continue;
		}
		fromlen = sizeof(from);
		len = recvfrom(tap, pkt->data, sizeof(pkt->data), MSG_DONTWAIT,
			       (struct sockaddr *)&from, &fromlen);
		if (from.sll_pkttype == PACKET_OUTGOING)
			continue;
		if (accept_pkt(pkt, len))
			return true;
	}
}
