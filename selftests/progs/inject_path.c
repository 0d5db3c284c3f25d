// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: PING, PATH and ADDR, and the paths that the module opens itself.
 * The host has an endpoint on its second address (cases/inject_path.sh).
 */
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static void ping(void)
{
	int listener = app_listen(app_port, 4);
	struct mrc_wire_ping msg = { .ts = htonl(99) };
	const struct mrc_wire_ping *pong;
	struct conn c;
	__u64 bad;

	conn_init(&c, us0);
	conn_open(&c, listener);
	settle(&c, 0);
	bad = stat_get("RxBadMac");
	fill_hdr(&msg.hdr, MRC_WIRE_PING, 0, 77, c.peer_cid);
	key_sign(&c.key, &msg, sizeof(msg));
	msg.mac ^= 1;
	conn_send(&c, &msg, sizeof(msg));
	nothing(TYPE(PONG) | TYPE(RESET));
	must_eq(stat_get("RxBadMac"), bad + 1);

	conn_sign_send(&c, &msg, sizeof(msg));
	pong = (const void *)expect(&c, MRC_WIRE_PONG)->data;
	must(key_verify(&c.key, pong, sizeof(*pong)));
	must_eq(ntohl(pong->hdr.psn), 77);
	must_eq(ntohl(pong->ts), 99);
}

/* An answer to what was never asked; the module measures nothing by it. */
static void pong_unasked(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct mrc_wire_ping msg = { };
	struct conn c;
	__u32 serial;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	settle(&c, 0);
	for (serial = 0; serial < 40; serial++) {
		/* A minute old. */
		msg.ts = htonl((__u32)(now_ms() - 60000) * 1000);
		fill_hdr(&msg.hdr, MRC_WIRE_PONG, 0, 1000 + (serial << 20),
			 c.peer_cid);
		conn_sign_send(&c, &msg, sizeof(msg));
	}
	settle(&c, TYPE(RESET));
	must(app_info(fd)->paths[0].srtt_us < 30000000);
	for (serial = 0; serial < 40; serial++) {
		msg.ts = htonl(serial << 27);
		fill_hdr(&msg.hdr, MRC_WIRE_PONG, serial & 3, serial << 26,
			 c.peer_cid);
		conn_sign_send(&c, &msg, sizeof(msg));
	}
	settle(&c, TYPE(RESET));
	app_write(fd, "x", 1);
	conn_read(&c, "x", 1);
}

static void ping_unknown_path(void)
{
	int listener = app_listen(app_port, 4);
	const struct mrc_wire_path *msg;
	struct conn c;

	conn_init(&c, us0);
	conn_open(&c, listener);
	send_ping(&c, 8, 1);
	msg = (const void *)expect(&c, MRC_WIRE_PATH)->data;
	must(key_verify(&c.key, msg, sizeof(*msg)));
	must_eq(ntohs(msg->hdr.path_id), 8);
	must_eq(msg->status, MRC_WIRE_PATH_GONE);
}

/* What a peer says of the last path is a hint: it stays. */
static void last_path_stays(void)
{
	int listener = app_listen(app_port, 4), fd, status;
	struct mrc_wire_path msg = { };
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	for (status = 0; status < 4; status++) {
		fill_hdr(&msg.hdr, MRC_WIRE_PATH, 0, 0, c.peer_cid);
		msg.status = status;
		msg.reason = MRC_WIRE_R_REMOVED;
		conn_sign_send(&c, &msg, sizeof(msg));
	}
	settle(&c, TYPE(RESET));
	must_eq(app_paths(fd), 1);
	must_eq(app_info(fd)->paths[0].state, MRC_PATH_GOOD);
	app_write(fd, "still", 5);
	conn_read(&c, "still", 5);
}

static void send_addr(struct conn *c, __u8 op, in_addr_t ip, __u32 serial)
{
	struct mrc_wire_addr msg = { .op = op, .family = 4 };

	fill_hdr(&msg.hdr, MRC_WIRE_ADDR, 0, serial, c->peer_cid);
	memcpy(msg.addr, &ip, sizeof(ip));
	conn_sign_send(c, &msg, sizeof(msg));
}

static void expect_addr_ack(const struct conn *c, __u32 serial)
{
	const struct mrc_wire_addr *msg;

	do {
		msg = (const void *)expect(c, MRC_WIRE_ADDR_ACK)->data;
		must(key_verify(&c->key, msg, sizeof(*msg)));
	} while (ntohl(msg->hdr.psn) != serial);
}

/* Answers to the module's JOIN that it must not believe, then the true ones. */
static void joins_an_announced(void)
{
	struct mrc_wire_join msg, join;
	struct conn c, d;
	__u16 path;
	int fd;

	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_ack(&c);
	send_addr(&c, MRC_WIRE_ADDR_ADD, us1, 1);
	memcpy(&join, expect_to(us1, MRC_WIRE_JOIN)->data, sizeof(join));
	must(key_verify(&c.key, &join, sizeof(join)));
	must_eq(join.challenge, 0);
	path = ntohs(join.hdr.path_id);
	must(path && !(path & 1));
	d = c;
	d.ip = us1;
	d.host = HOST1;

	msg = join;
	fill_hdr(&msg.hdr, MRC_WIRE_JOINED, path, 0, c.peer_cid);
	conn_sign_send(&d, &msg, sizeof(msg));
	msg.challenge = 5;
	conn_sign_send(&d, &msg, sizeof(msg));
	fill_hdr(&msg.hdr, MRC_WIRE_CHALLENGE, path, 0, c.peer_cid);
	msg.nonce ^= 1;
	conn_sign_send(&d, &msg, sizeof(msg));
	msg.nonce ^= 1;
	conn_sign_send(&c, &msg, sizeof(msg));
	key_sign(&c.key, &msg, sizeof(msg));
	msg.mac ^= 1;
	conn_send(&d, &msg, sizeof(msg));
	settle(&c, TYPE(CONFIRM));
	must_eq(app_info(fd)->paths[1].state, MRC_PATH_PROBING);
	/* It carries nothing yet. */
	app_write(fd, "first", 5);
	must(conn_read(&c, "first", 5)->dst == us0);

	conn_sign_send(&d, &msg, sizeof(msg));
	memcpy(&join, expect_to(us1, MRC_WIRE_CONFIRM)->data, sizeof(join));
	must(join.challenge == msg.challenge);
	fill_hdr(&msg.hdr, MRC_WIRE_JOINED, path, 0, c.peer_cid);
	msg.challenge ^= 1;
	conn_sign_send(&d, &msg, sizeof(msg));
	settle(&c, 0);
	must_eq(app_info(fd)->paths[1].state, MRC_PATH_PROBING);
	msg.challenge ^= 1;
	conn_sign_send(&d, &msg, sizeof(msg));
	settle(&c, 0);
	must_eq(app_info(fd)->paths[1].state, MRC_PATH_GOOD);
}

/* An announcement that a later withdrawal has overtaken must not undo it. */
static void stale_announcement(void)
{
	struct conn c;
	int fd;

	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_ack(&c);
	send_addr(&c, MRC_WIRE_ADDR_ADD, us1, 1);
	expect_addr_ack(&c, 1);
	must_eq(app_paths(fd), 2);
	send_addr(&c, MRC_WIRE_ADDR_DEL, us1, 3);
	expect_addr_ack(&c, 3);
	must_eq(app_paths(fd), 1);
	send_addr(&c, MRC_WIRE_ADDR_ADD, us1, 2);
	expect_addr_ack(&c, 2);
	must_eq(app_paths(fd), 1);
	send_addr(&c, MRC_WIRE_ADDR_ADD, us1, 1);
	settle(&c, 0);
	must_eq(app_paths(fd), 1);
	/* A later one does. */
	send_addr(&c, MRC_WIRE_ADDR_ADD, us1, 4);
	expect_addr_ack(&c, 4);
	must_eq(app_paths(fd), 2);
}

static void send_addr6(struct conn *c, const char *ip, __u32 serial)
{
	struct mrc_wire_addr msg = { .op = MRC_WIRE_ADDR_ADD, .family = 6 };

	fill_hdr(&msg.hdr, MRC_WIRE_ADDR, 0, serial, c->peer_cid);
	must(inet_pton(AF_INET6, ip, msg.addr) == 1);
	conn_sign_send(c, &msg, sizeof(msg));
}

static void strange_addresses(void)
{
	static const char * const text[] = {
		"0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.255",
		"255.255.255.255", "127.0.0.1", "10.9.1.2", "10.9.0.2",
	};
	static const char * const text6[] = {
		"::", "::2", "::10.9.0.2", "::ffff:10.9.0.2", "fe80::1",
		"febf::1", "ff02::1", "ffff::",
	};
	struct mrc_wire_addr msg = { .op = 7, .family = 4 };
	unsigned int i;
	struct conn c;
	__u64 bad;
	int fd;

	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_ack(&c);
	for (i = 0; i < ARRAY_SIZE(text); i++)
		send_addr(&c, MRC_WIRE_ADDR_ADD, inet_addr(text[i]), 1 + i);
	for (i = 0; i < 200; i++)
		send_addr(&c, MRC_WIRE_ADDR_ADD, htonl(0x0a0a0000 + i),
			  100 + i);
	fill_hdr(&msg.hdr, MRC_WIRE_ADDR, 0, 999, c.peer_cid);
	conn_sign_send(&c, &msg, sizeof(msg));
	msg.op = MRC_WIRE_ADDR_ADD;
	msg.family = 5;
	conn_sign_send(&c, &msg, sizeof(msg));
	settle(&c, TYPE(RESET));
	/* Refused: reachable from one link, by many, or under two names. */
	bad = stat_get("RxValue");
	for (i = 0; i < ARRAY_SIZE(text6); i++)
		send_addr6(&c, text6[i], 1000 + i);
	settle(&c, TYPE(ADDR_ACK) | TYPE(RESET));
	must_eq(stat_get("RxValue"), bad + ARRAY_SIZE(text6));
	/* Sane, though there is no way to it: acknowledged. */
	send_addr6(&c, "2001:db8::1", 2000);
	expect_addr_ack(&c, 2000);
	settle(&c, TYPE(RESET));
	app_write(fd, "x", 1);
	conn_read(&c, "x", 1);
	must(app_paths(fd) <= 64);
	/* The first one is the last good one: it cannot be withdrawn. */
	send_addr(&c, MRC_WIRE_ADDR_DEL, us0, 3000);
	settle(&c, TYPE(RESET));
	app_write(fd, "y", 1);
	conn_read(&c, "y", 1);
}

const struct inject_test tests_path[] = {
	{ "ping", ping },
	{ "pong_unasked", pong_unasked },
	{ "ping_unknown_path", ping_unknown_path },
	{ "last_path_stays", last_path_stays },
	{ "joins_an_announced", joins_an_announced },
	{ "stale_announcement", stale_announcement },
	{ "strange_addresses", strange_addresses },
	{ }
};
