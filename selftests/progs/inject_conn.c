// SPDX-License-Identifier: GPL-2.0
/*
 * The injector as client: handshake, and waiting for packets. PINGs of a
 * connection that is watched are answered while waiting, so that the module
 * has no reason to doubt its path.
 */
#include <stdlib.h>
#include "inject.h"

#define WATCHED	4

static struct conn *watched[WATCHED];
static struct pkt pkt;

int pkt_type(const struct pkt *pkt)
{
	if (pkt->len < MRC_WIRE_HDR_LEN ||
	    pkt->data[0] >> 5 != MRC_WIRE_VERSION)
		fail("the module sent %zu bytes that are no packet", pkt->len);
	return pkt->data[0] & 0x1f;
}

void fill_hdr(struct mrc_wire_hdr *hdr, int type, __u16 path, __u32 psn,
	      __u64 cid)
{
	hdr->type = mrc_wire_type_byte(type);
	hdr->path_id = htons(path);
	hdr->psn = htonl(psn);
	hdr->cid = htobe64(cid);
}

/* A connection to be, from @ip to the application on the first address. */
void conn_init(struct conn *c, in_addr_t ip)
{
	__u16 ev = 0xc000 | (random64() & 0x3fff);

	*c = (struct conn) {
		.ip = ip,
		.host = HOST0,
		.ev = ev,
		.told = ev,
		.sport = 1024 + random64() % 60000,
		.dport = app_port,
		.mss = 1400,
		.window = 1 << 20,
		.cid = random64() | 1,
		.nonce = random64(),
		.token = random64(),
		.psn = 1,
		.cum = 1,
	};
}

void conn_send(const struct conn *c, const void *msg, size_t len)
{
	net_send(c->ip, c->ev, c->host, 0, msg, len);
}

void conn_sign_send(const struct conn *c, void *msg, size_t len)
{
	key_sign(&c->key, msg, len);
	conn_send(c, msg, len);
}

/* Behind a NAT only what answers to the port seen gets in. */
static __u16 answered_at(const struct conn *c)
{
	return c->told == c->ev ? udp_port : c->ev;
}

void send_init(const struct conn *c)
{
	struct mrc_wire_init msg = {
		.cid = htobe64(c->cid),
		.nonce = htobe64(c->nonce),
		.sport = htons(c->sport),
		.dport = htons(c->dport),
		.udp_sport = htons(c->told),
		.mss = htons(c->mss),
		.ts = htonl(4711),
	};

	fill_hdr(&msg.hdr, MRC_WIRE_INIT, 0, c->asked, 0);
	conn_send(c, &msg, sizeof(msg));
}

void take_init_ack(struct conn *c, const struct pkt *pkt)
{
	const struct mrc_wire_init_ack *msg = (const void *)pkt->data;

	must_eq(pkt->len, sizeof(*msg));
	must(be64toh(msg->hdr.cid) == c->cid);
	must(be64toh(msg->nonce_echo) == c->nonce);
	must_eq(ntohl(msg->ts_echo), 4711);
	must(msg->cid);
	must_eq(pkt->dport, answered_at(c));
	must_eq(pkt->sport, udp_port);
	must_eq(msg->hdr.flags, c->told == c->ev ? 0 : MRC_WIRE_F_NAT);
	must_eq(ntohl(msg->hdr.psn), c->asked);
	c->peer_cid = be64toh(msg->cid);
	c->peer_nonce = be64toh(msg->nonce);
	c->peer_token = be64toh(msg->token);
	c->cookie = be64toh(msg->cookie);
	c->cookie_time = ntohl(msg->cookie_time);
	key_derive(&c->key, c->cid, c->peer_cid, c->nonce, c->peer_nonce);
}

/* A new client of @ip that has been given its cookie. */
void conn_greet(struct conn *c, in_addr_t ip)
{
	conn_init(c, ip);
	send_init(c);
	take_init_ack(c, expect_to(ip, MRC_WIRE_INIT_ACK));
}

/* The OPEN of the connection, signed. */
void make_open(const struct conn *c, struct mrc_wire_open *msg)
{
	memset(msg, 0, sizeof(*msg));
	fill_hdr(&msg->hdr, MRC_WIRE_OPEN, 0, 0, c->peer_cid);
	msg->cid = htobe64(c->cid);
	msg->nonce = htobe64(c->nonce);
	msg->cookie = htobe64(c->cookie);
	msg->cookie_time = htonl(c->cookie_time);
	msg->sport = htons(c->sport);
	msg->dport = htons(c->dport);
	msg->udp_sport = htons(c->told);
	msg->mss = htons(c->mss);
	msg->window = htobe64(c->window);
	msg->token = htobe64(c->token);
	key_sign(&c->key, msg, sizeof(*msg));
}

void send_open(const struct conn *c)
{
	struct mrc_wire_open msg;

	make_open(c, &msg);
	conn_send(c, &msg, sizeof(msg));
}

/* The whole handshake; the socket that the application has accepted. */
int conn_open(struct conn *c, int listener)
{
	send_init(c);
	take_init_ack(c, expect_to(c->ip, MRC_WIRE_INIT_ACK));
	watch(c);
	send_open(c);
	must_eq(expect(c, MRC_WIRE_ACK)->dport, answered_at(c));
	return app_accept(listener);
}

/* Answer the PINGs of a connection from now on. */
void watch(struct conn *c)
{
	int i;

	for (i = 0; i < WATCHED; i++) {
		if (!watched[i] || watched[i] == c) {
			watched[i] = c;
			return;
		}
	}
	fail("too many connections are watched");
}

static void answer_ping(const struct pkt *pkt)
{
	struct mrc_wire_ping msg;
	int i;

	memcpy(&msg, pkt->data, sizeof(msg));
	for (i = 0; i < WATCHED && watched[i]; i++)
		if (watched[i]->cid == be64toh(msg.hdr.cid))
			break;
	if (i == WATCHED || !watched[i] || watched[i]->mute)
		return;
	must_eq(pkt->len, sizeof(msg));
	must(key_verify(&watched[i]->key, &msg, sizeof(msg)));
	fill_hdr(&msg.hdr, MRC_WIRE_PONG, ntohs(msg.hdr.path_id),
		 ntohl(msg.hdr.psn), watched[i]->peer_cid);
	key_sign(&watched[i]->key, &msg, sizeof(msg));
	net_send(pkt->dst, watched[i]->ev, pkt->src, 0, &msg, sizeof(msg));
}

static bool is_for(const struct pkt *pkt, const struct conn *c)
{
	const struct mrc_wire_hdr *hdr = (const void *)pkt->data;
	const struct mrc_wire_reset *reset = (const void *)pkt->data;

	if (pkt_type(pkt) == MRC_WIRE_RESET)
		return pkt->len == sizeof(*reset) &&
		       be64toh(reset->cid) == c->peer_cid;
	return be64toh(hdr->cid) == c->cid;
}

static const char *type_name(int type)
{
	static const char * const names[] = {
		"DATA", "ACK", "INIT", "INIT_ACK", "OPEN", "REFUSE", "JOIN",
		"CHALLENGE", "CONFIRM", "JOINED", "PING", "PONG", "RESET",
		"ADDR", "ADDR_ACK", "PATH",
	};

	return type < __MRC_WIRE_TYPES ? names[type] : "?";
}

/* The next packet of a type, for a connection or an address. */
static struct pkt *wait_type(const struct conn *c, in_addr_t dst, int type)
{
	long long end = now_ms() + patience();

	while (now_ms() < end) {
		if (!net_recv(&pkt, end - now_ms()))
			break;
		if (pkt_type(&pkt) == MRC_WIRE_PING)
			answer_ping(&pkt);
		if (pkt_type(&pkt) == type &&
		    (c ? is_for(&pkt, c) : pkt.dst == dst))
			return &pkt;
	}
	fail("%s expected, none came", type_name(type));
}

struct pkt *expect(const struct conn *c, int type)
{
	return wait_type(c, 0, type);
}

struct pkt *expect_to(in_addr_t dst, int type)
{
	return wait_type(NULL, dst, type);
}

/*
 * None of these types comes in answer to what was sent: everything sent was
 * processed when the INIT that is sent now is answered. It asks for a port
 * that nobody can listen on.
 */
void nothing(unsigned int types)
{
	long long end = now_ms() + patience();
	const struct mrc_wire_refuse *msg = (const void *)pkt.data;
	struct conn c;

	conn_init(&c, WITNESS);
	c.dport = 0;
	send_init(&c);
	while (now_ms() < end) {
		if (!net_recv(&pkt, 300)) {
			/* REFUSEs are limited; an earlier test used them up. */
			send_init(&c);
			continue;
		}
		if (pkt.dst == WITNESS) {
			if (pkt_type(&pkt) == MRC_WIRE_REFUSE &&
			    be64toh(msg->nonce_echo) == c.nonce)
				return;
			continue;
		}
		if (types & 1u << pkt_type(&pkt))
			fail("%s came, %zu bytes", type_name(pkt_type(&pkt)),
			     pkt.len);
		if (pkt_type(&pkt) == MRC_WIRE_PING)
			answer_ping(&pkt);
	}
	fail("no answer to the INIT that ends a silence");
}
