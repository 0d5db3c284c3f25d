// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: the handshake, from both sides, and what a cookie is good for.
 */
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static void as_client(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	app_state_is(fd, TCP_ESTABLISHED);
	send_data(&c, "question", 8);
	app_read(fd, "question", 8);
	expect_ack(&c, 8);
	app_write(fd, "the answer", 10);
	conn_read(&c, "the answer", 10);
	send_fin(&c, c.off);
	app_end(fd);
	expect_ack(&c, c.off + 1);
	app_state_is(fd, TCP_CLOSE_WAIT);
	close(fd);
	conn_read_fin(&c);
	nothing(TYPE(RESET));
}

static void as_server(void)
{
	struct conn c;
	int fd;

	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_ack(&c);
	app_write(fd, "hello", 5);
	conn_read(&c, "hello", 5);
	send_data(&c, "you", 3);
	app_read(fd, "you", 3);
	close(fd);
	conn_read_fin(&c);
	send_fin(&c, c.off);
	expect_ack(&c, c.off + 1);
}

/* A client behind a NAT is answered where its packets came from. */
static void behind_nat(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct pkt *pkt;
	struct conn c;

	conn_init(&c, us0);
	c.told ^= 1;
	fd = conn_open(&c, listener);
	app_write(fd, "x", 1);
	pkt = conn_read(&c, "x", 1);
	must_eq(pkt->dport, c.ev);
	must_eq(pkt->sport, udp_port);
}

/* Only an answer that has seen the INIT counts. */
static void init_ack_forged(void)
{
	struct mrc_wire_init_ack msg, bad;
	struct conn c;
	int fd;

	conn_init(&c, us0);
	fd = app_connect(c.ip, c.sport);
	take_init(&c, expect_to(us0, MRC_WIRE_INIT));
	make_init_ack(&c, &msg);

	bad = msg;
	bad.nonce_echo ^= 1;
	conn_send(&c, &bad, sizeof(bad));
	bad = msg;
	bad.cid = 0;
	conn_send(&c, &bad, sizeof(bad));
	net_send(other, c.ev, c.host, 0, &msg, sizeof(msg));
	conn_send(&c, &msg, sizeof(msg) - 1);
	nothing(TYPE(OPEN));
	app_state_is(fd, TCP_SYN_SENT);

	conn_send(&c, &msg, sizeof(msg));
	check_open(&c, expect(&c, MRC_WIRE_OPEN));
	app_connected(fd);
	/* Another one changes nothing any more. */
	bad = msg;
	bad.cid ^= 1;
	conn_send(&c, &bad, sizeof(bad));
	send_ack(&c);
	watch(&c);
	app_write(fd, "x", 1);
	conn_read(&c, "x", 1);
}

/* Everything that only an open connection takes, under a key of zeros. */
static void send_too_early(struct conn *c)
{
	static const struct {
		int type;
		size_t len;
	} signed_types[] = {
		{ MRC_WIRE_JOIN, sizeof(struct mrc_wire_join) },
		{ MRC_WIRE_CONFIRM, sizeof(struct mrc_wire_join) },
		{ MRC_WIRE_PING, sizeof(struct mrc_wire_ping) },
		{ MRC_WIRE_PONG, sizeof(struct mrc_wire_ping) },
		{ MRC_WIRE_ADDR, sizeof(struct mrc_wire_addr) },
		{ MRC_WIRE_PATH, sizeof(struct mrc_wire_path) },
	};
	__u8 msg[64] = { };
	unsigned int i;

	memset(&c->key, 0, sizeof(c->key));
	send_at(c, 0, "early", 5);
	send_fin(c, 0);
	send_ack(c);
	for (i = 0; i < ARRAY_SIZE(signed_types); i++) {
		fill_hdr((void *)msg, signed_types[i].type, 0, 1, c->peer_cid);
		conn_sign_send(c, msg, signed_types[i].len);
	}
}

/* Who knows the id of a client that waits cannot speak for its server. */
static void before_init_ack(void)
{
	__u64 packets = stat_get("RxPackets");
	struct mrc_wire_init_ack msg;
	struct conn c;
	int fd;

	conn_init(&c, us0);
	fd = app_connect(c.ip, c.sport);
	take_init(&c, expect_to(us0, MRC_WIRE_INIT));
	send_too_early(&c);
	nothing(TYPE_ANY & ~TYPE(INIT));
	app_state_is(fd, TCP_SYN_SENT);
	must_eq(stat_get("RxPackets"), packets);
	take_init(&c, expect_to(us0, MRC_WIRE_INIT));
	make_init_ack(&c, &msg);
	conn_send(&c, &msg, sizeof(msg));
	check_open(&c, expect(&c, MRC_WIRE_OPEN));
	/* Nothing has confirmed it: it comes again. */
	check_open(&c, expect(&c, MRC_WIRE_OPEN));
	watch(&c);
	c.psn = 1;
	c.off = 0;
	send_data(&c, "in time", 7);
	app_read(fd, "in time", 7);
	app_write(fd, "x", 1);
	conn_read(&c, "x", 1);
}

/* Larger than need be, as through a padding middlebox: answered as ever. */
static void padded_init(void)
{
	int listener = app_listen(app_port, 4);
	struct {
		struct mrc_wire_init init;
		__u8 more[400];
	} msg = { };
	struct conn c;

	conn_init(&c, us0);
	fill_hdr(&msg.init.hdr, MRC_WIRE_INIT, 0, 0, 0);
	msg.init.cid = htobe64(c.cid);
	msg.init.nonce = htobe64(c.nonce);
	msg.init.sport = htons(c.sport);
	msg.init.dport = htons(c.dport);
	msg.init.udp_sport = htons(c.ev);
	msg.init.mss = htons(c.mss);
	msg.init.ts = htonl(4711);
	conn_send(&c, &msg, sizeof(msg));
	take_init_ack(&c, expect_to(us0, MRC_WIRE_INIT_ACK));
	watch(&c);
	send_open(&c);
	expect(&c, MRC_WIRE_ACK);
	app_accept(listener);
}

/* Sends @msg, which is no valid OPEN: it must leave no trace but a count. */
static void open_refused(const struct conn *c, struct mrc_wire_open *msg,
			 bool sign)
{
	__u64 bad = stat_get("CookieBad");

	if (sign)
		key_sign(&c->key, msg, sizeof(*msg));
	conn_send(c, msg, sizeof(*msg));
	nothing(TYPE_ANY);
	must_eq(stat_get("CookieBad"), bad + 1);
}

/* A cookie is worth nothing from another address or port. */
static void cookie_of_another(void)
{
	int listener = app_listen(app_port, 4);
	struct mrc_wire_open msg;
	struct conn c, thief;

	conn_greet(&c, us0);
	make_open(&c, &msg);

	thief = c;
	thief.ip = other;
	open_refused(&thief, &msg, false);
	thief = c;
	thief.host = HOST1;
	open_refused(&thief, &msg, false);
	thief = c;
	thief.ev ^= 1;
	open_refused(&thief, &msg, false);
	must_eq(app_pending(listener), 0);

	/* The one whose it is still can use it. */
	watch(&c);
	send_open(&c);
	expect(&c, MRC_WIRE_ACK);
	app_accept(listener);
}

/* Each field of an OPEN is bound by the cookie or by the MAC. */
static void cookie_altered(void)
{
	static const size_t field[] = {
		offsetof(struct mrc_wire_open, hdr.cid),
		offsetof(struct mrc_wire_open, cid),
		offsetof(struct mrc_wire_open, nonce),
		offsetof(struct mrc_wire_open, cookie),
		offsetof(struct mrc_wire_open, cookie_time),
		offsetof(struct mrc_wire_open, sport),
		offsetof(struct mrc_wire_open, dport),
		offsetof(struct mrc_wire_open, mss),
	};
	int listener = app_listen(app_port, 4);
	struct mrc_wire_open good, msg;
	struct conn c;
	size_t i;

	conn_greet(&c, us0);
	make_open(&c, &good);
	for (i = 0; i < ARRAY_SIZE(field); i++) {
		msg = good;
		((__u8 *)&msg)[field[i]] ^= 1;
		open_refused(&c, &msg, false);
		/* Even whoever has the key cannot change these. */
		open_refused(&c, &msg, true);
	}
	msg = good;
	msg.window ^= 1;
	open_refused(&c, &msg, false);
	msg = good;
	msg.token ^= 1;
	open_refused(&c, &msg, false);
	msg = good;
	msg.mac ^= 1;
	open_refused(&c, &msg, false);
	must_eq(app_pending(listener), 0);
}

static void cookie_expired(void)
{
	long long end = now_ms() + 153000;
	int listener = app_listen(app_port, 4);
	struct mrc_wire_open msg;
	struct conn c;

	conn_greet(&c, us0);
	make_open(&c, &msg);
	/* There is no other way to make a cookie old. */
	alarm(300);
	while (now_ms() < end)
		usleep(100000);
	open_refused(&c, &msg, false);
	must_eq(app_pending(listener), 0);
}

/* An OPEN that comes again is answered, and makes no second connection. */
static void open_replayed(void)
{
	int listener = app_listen(app_port, 4), fd, i;
	__u64 passive = stat_get("ConnPassive");
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	for (i = 0; i < 3; i++) {
		settle(&c, TYPE(RESET));
		send_open(&c);
		expect(&c, MRC_WIRE_ACK);
	}
	must_eq(app_pending(listener), 0);
	must_eq(stat_get("ConnPassive"), passive + 1);
	send_data(&c, "x", 1);
	app_read(fd, "x", 1);

	/* From elsewhere the cookie is not valid, but the id is known. */
	c.ip = other;
	send_open(&c);
	nothing(TYPE(RESET));
	must_eq(app_pending(listener), 0);
	c.ip = us0;
	send_data(&c, "y", 1);
	app_read(fd, "y", 1);
}

const struct inject_test tests_open[] = {
	{ "as_client", as_client },
	{ "as_server", as_server },
	{ "behind_nat", behind_nat },
	{ "init_ack_forged", init_ack_forged },
	{ "before_init_ack", before_init_ack },
	{ "padded_init", padded_init },
	{ "cookie_of_another", cookie_of_another },
	{ "cookie_altered", cookie_altered },
	{ "slow_cookie_expired", cookie_expired },
	{ "open_replayed", open_replayed },
	{ }
};
