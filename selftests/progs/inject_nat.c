// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: a NAT between the injector and the module, on either side of it.
 */
#include <unistd.h>
#include "inject.h"

/* Ports that the NAT gives. */
#define FIRST	5001
#define NEXT	5002

/* JOIN, or with a challenge CONFIRM, for path 0, as sent behind the NAT. */
static void send_join(const struct conn *c, __u64 nonce, __be64 challenge)
{
	struct mrc_wire_join msg = {
		.nonce = htobe64(nonce),
		.challenge = challenge,
		.udp_sport = htons(c->told),
		.mss = htons(c->mss),
	};

	fill_hdr(&msg.hdr, challenge ? MRC_WIRE_CONFIRM : MRC_WIRE_JOIN, 0, 77,
		 c->peer_cid);
	conn_sign_send(c, &msg, sizeof(msg));
}

/* An answer of the module, sent to where the question came from. */
static const struct mrc_wire_join *join_answer(const struct conn *c, int type)
{
	const struct pkt *pkt = expect(c, type);
	const struct mrc_wire_join *msg = (const void *)pkt->data;

	must(key_verify(&c->key, msg, sizeof(*msg)));
	must_eq(ntohl(msg->hdr.psn), 77);
	must_eq(pkt->dport, c->ev);
	must_eq(pkt->sport, udp_port);
	return msg;
}

static __be64 get_challenge(const struct conn *c, __u64 nonce)
{
	const struct mrc_wire_join *msg;

	send_join(c, nonce, 0);
	msg = join_answer(c, MRC_WIRE_CHALLENGE);
	must(msg->flags & MRC_WIRE_JOIN_NAT);
	return msg->challenge;
}

/* A client that sends from the well-known port, seen at that or another one. */
static int open_behind(struct conn *c, int listener, __u16 seen)
{
	conn_init(c, us0);
	c->told = udp_port;
	c->ev = seen;
	c->asked = 3;
	return conn_open(c, listener);
}

/* The application's bytes come to the port that the NAT shows us at. */
static void comes_to(struct conn *c, int fd, const char *text)
{
	const struct pkt *pkt;

	app_write(fd, text, strlen(text));
	pkt = conn_read(c, text, strlen(text));
	must_eq(pkt->dport, c->ev);
	must_eq(pkt->sport, udp_port);
}

/* Nobody but who has the key and receives there moves a path. */
static void moves(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 moved = stat_get("PathMoved");
	struct conn c, d;
	__be64 old, new;

	fd = open_behind(&c, listener, FIRST);
	comes_to(&c, fd, "first");
	d = c;
	d.ev = NEXT;
	new = get_challenge(&d, 1);
	comes_to(&c, fd, "unproven");
	/* What was asked at one port proves nothing at another. */
	old = get_challenge(&c, 1);
	must(old != new);
	send_join(&d, 1, old);
	nothing(TYPE(JOINED));
	must_eq(stat_get("PathMoved"), moved);

	send_join(&d, 1, new);
	must_eq(join_answer(&d, MRC_WIRE_JOINED)->reason, 0);
	must_eq(stat_get("PathMoved"), moved + 1);
	must_eq(app_paths(fd), 1);
	d.got = c.got;
	d.cum = c.cum;
	c.mute = true;
	watch(&d);
	comes_to(&d, fd, "second");

	/* Recorded before, repeated now: the JOIN is no secret. */
	send_join(&c, 1, old);
	must_eq(join_answer(&c, MRC_WIRE_JOINED)->reason, 0);
	must_eq(stat_get("PathMoved"), moved + 1);
	comes_to(&d, fd, "third");

	/* And back, with a nonce that is new; wherever it began. */
	send_join(&c, 1ull << 40, get_challenge(&c, 1ull << 40));
	must_eq(join_answer(&c, MRC_WIRE_JOINED)->reason, 0);
	must_eq(stat_get("PathMoved"), moved + 2);
	c.got = d.got;
	c.cum = d.cum;
	comes_to(&c, fd, "fourth");
}

/* A NAT that keeps the port is one, too. */
static void keeps_the_port(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	fd = open_behind(&c, listener, udp_port);
	comes_to(&c, fd, "well known");
}

/* A path that needs no NAT stays where it is. */
static void stays_without_nat(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 moved = stat_get("PathMoved");
	struct conn c, d;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = c;
	d.ev = NEXT;
	d.told = udp_port;
	send_join(&d, 1, get_challenge(&d, 1));
	must_eq(join_answer(&d, MRC_WIRE_JOINED)->reason, 0);
	must_eq(stat_get("PathMoved"), moved);
	app_write(fd, "stay", 4);
	must_eq(conn_read(&c, "stay", 4)->dport, udp_port);
}

/* The module as client: a question from its own port, and one from the
 * well-known one; the answer tells which it was.
 */
static void asks_from_both(void)
{
	struct mrc_wire_init_ack msg;
	const struct pkt *pkt;
	struct conn c;
	__u16 ev;
	int psn;

	for (psn = 0; psn < 2; psn++) {
		conn_init(&c, us0);
		c.sport += psn;
		c.cookie = random64();
		app_connect(c.ip, c.sport);
		pkt = expect_to(c.ip, MRC_WIRE_INIT);
		take_init(&c, pkt);
		ev = pkt->sport;
		must(ev != udp_port);
		/* The second one is out when the answer comes. */
		pkt = expect_to(c.ip, MRC_WIRE_INIT);
		must_eq(pkt->sport, udp_port);
		must_eq(ntohl(((const struct mrc_wire_hdr *)pkt->data)->psn),
			1);
		make_init_ack(&c, &msg);
		msg.hdr.psn = htonl(psn);
		watch(&c);
		conn_send(&c, &msg, sizeof(msg));
		pkt = expect(&c, MRC_WIRE_OPEN);
		check_open(&c, pkt);
		must_eq(pkt->sport, psn ? udp_port : ev);
		send_reset(&c, c.token, MRC_WIRE_R_ABORT);
	}
}

/* The module as client behind a NAT that has forgotten it: joins anew. */
static void joins_anew(void)
{
	const struct mrc_wire_join *ask;
	struct mrc_wire_init_ack ack;
	const struct pkt *pkt;
	struct mrc_wire_join msg;
	struct conn c;
	int fd, round;

	conn_init(&c, us0);
	c.cookie = random64();
	fd = app_connect(c.ip, c.sport);
	pkt = expect_to(c.ip, MRC_WIRE_INIT);
	take_init(&c, pkt);
	make_init_ack(&c, &ack);
	ack.ts_echo = ((const struct mrc_wire_init *)pkt->data)->ts;
	ack.hdr.flags = MRC_WIRE_F_NAT;
	watch(&c);
	conn_send(&c, &ack, sizeof(ack));
	check_open(&c, expect(&c, MRC_WIRE_OPEN));
	send_ping(&c, 0, 1);
	expect(&c, MRC_WIRE_PONG);
	for (round = 1; round <= 3; round++) {
		/* It hears nothing, while it has something out. */
		c.mute = true;
		app_write(fd, "x", 1);
		ask = (const void *)expect(&c, MRC_WIRE_JOIN)->data;
		must(key_verify(&c.key, ask, sizeof(*ask)));
		must_eq(ntohs(ask->hdr.path_id), 0);
		must(be64toh(ask->nonce) >= (__u64)round);
		msg = *ask;
		msg.challenge = htobe64(random64());
		fill_hdr(&msg.hdr, MRC_WIRE_CHALLENGE, 0, ntohl(ask->hdr.psn),
			 c.peer_cid);
		conn_sign_send(&c, &msg, sizeof(msg));
		ask = (const void *)expect(&c, MRC_WIRE_CONFIRM)->data;
		must(ask->challenge == msg.challenge);
		must(ask->nonce == msg.nonce);
		fill_hdr(&msg.hdr, MRC_WIRE_JOINED, 0, ntohl(ask->hdr.psn),
			 c.peer_cid);
		conn_sign_send(&c, &msg, sizeof(msg));
		c.mute = false;
		conn_read(&c, "x", 1);
		settle(&c, TYPE(RESET));
	}
	must_eq(app_paths(fd), 1);
}

const struct inject_test tests_nat[] = {
	{ "moves", moves },
	{ "keeps_the_port", keeps_the_port },
	{ "stays_without_nat", stays_without_nat },
	{ "asks_from_both", asks_from_both },
	{ "joins_anew", joins_anew },
	{ }
};
