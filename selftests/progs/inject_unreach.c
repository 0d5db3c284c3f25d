// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: ICMP messages about an INIT. A true one makes a connection go over
 * TCP; the host's fallback_timeout is long (cases/inject_packets.sh), so that
 * silence does not.
 */
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <linux/udp.h>
#include "inject.h"

/* A message that quotes the beginning of an INIT. */
struct quote {
	struct icmphdr icmp;
	struct iphdr ip;
	struct udphdr udp;
	__u8 init[offsetof(struct mrc_wire_init, nonce) + 8];
};

static void make_quote(struct quote *msg, const struct pkt *init)
{
	*msg = (struct quote) {
		.icmp = { .type = ICMP_DEST_UNREACH, .code = ICMP_PORT_UNREACH },
		.ip = {
			.version = 4,
			.ihl = 5,
			.tot_len = htons(sizeof(msg->ip) + sizeof(msg->udp) +
					 init->len),
			.ttl = 64,
			.protocol = IPPROTO_UDP,
			.saddr = init->src,
			.daddr = init->dst,
		},
		.udp = {
			.source = htons(init->sport),
			.dest = htons(init->dport),
			.len = htons(sizeof(msg->udp) + init->len),
		},
	};
	memcpy(msg->init, init->data, sizeof(msg->init));
}

/* Each is like the true one but for one byte. */
static void send_forged(const struct conn *c, const struct pkt *init)
{
	static const struct {
		size_t at;
		__u8 flip;
	} forged[] = {
		{ offsetof(struct quote, icmp.type), 8 },
		{ offsetof(struct quote, icmp.code), 2 },
		{ offsetof(struct quote, icmp.code), 3 },
		{ offsetof(struct quote, ip), 1 },
		{ offsetof(struct quote, ip.frag_off) + 1, 1 },
		{ offsetof(struct quote, ip.protocol), 1 },
		{ offsetof(struct quote, ip.saddr) + 3, 1 },
		{ offsetof(struct quote, ip.daddr) + 3, 1 },
		{ offsetof(struct quote, udp.source) + 1, 1 },
		{ offsetof(struct quote, udp.dest) + 1, 1 },
		{ offsetof(struct quote, udp.len) + 1, 1 },
		{ offsetof(struct quote, init), 0x20 },
		{ offsetof(struct quote, init), 2 },
		{ offsetof(struct quote, init) + 23, 1 },
		{ offsetof(struct quote, init) + 24, 1 },
		{ offsetof(struct quote, init) + 31, 1 },
	};
	struct quote msg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forged); i++) {
		make_quote(&msg, init);
		((__u8 *)&msg)[forged[i].at] ^= forged[i].flip;
		net_send_icmp(c->ip, c->host, &msg, sizeof(msg), 0);
	}
	make_quote(&msg, init);
	net_send_icmp(c->ip, c->host, &msg, sizeof(msg) - 1, 0);
	net_send_icmp(c->ip, c->host, &msg, sizeof(msg), 1);
}

static void believed(void)
{
	__u64 before = stat_get("FallbackUnreachable");
	long long end = now_ms() + patience();
	static struct pkt init;
	struct quote msg;
	struct conn c;
	int fd;

	conn_init(&c, us0);
	fd = app_connect_any(c.ip, c.sport);
	init = *expect_to(us0, MRC_WIRE_INIT);
	take_init(&c, &init);
	send_forged(&c, &init);
	nothing(0);
	/* It goes on asking over AF_MRC. */
	take_init(&c, expect_to(us0, MRC_WIRE_INIT));
	app_state_is(fd, TCP_SYN_SENT);
	must_eq(stat_get("FallbackUnreachable"), before);
	make_quote(&msg, &init);
	net_send_icmp(other, c.host, &msg, sizeof(msg), 0);
	while (stat_get("FallbackUnreachable") == before && now_ms() < end)
		nothing(0);
	must_eq(stat_get("FallbackUnreachable"), before + 1);
	must_eq(app_info(fd)->fallback, MRC_FALLBACK_UNREACHABLE);
}

const struct inject_test tests_unreach[] = {
	{ "believed", believed },
	{ }
};
