// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: one more path, asked for by the injector, and by the module.
 */
#include <netinet/tcp.h>
#include <unistd.h>
#include <linux/mrc_netlink.h>
#include "inject.h"

/* The connection as seen on the second path. */
static struct conn second(const struct conn *c)
{
	struct conn d = *c;

	d.ip = us1;
	d.host = HOST1;
	d.ev ^= 2;
	return d;
}

static void make_join(const struct conn *c, struct mrc_wire_join *msg,
		      int type, __u16 path)
{
	memset(msg, 0, sizeof(*msg));
	fill_hdr(&msg->hdr, type, path, 0, c->peer_cid);
	msg->nonce = htobe64(0x1234);
	msg->udp_sport = htons(c->ev);
	msg->mss = htons(c->mss);
}

/* JOIN as far as the CHALLENGE; leaves the CONFIRM, signed, in @msg. */
static void get_challenge(const struct conn *d, struct mrc_wire_join *msg,
			  __u16 path)
{
	const struct mrc_wire_join *answer;
	struct pkt *pkt;

	make_join(d, msg, MRC_WIRE_JOIN, path);
	conn_sign_send(d, msg, sizeof(*msg));
	pkt = expect(d, MRC_WIRE_CHALLENGE);
	answer = (const void *)pkt->data;
	must_eq(pkt->len, sizeof(*answer));
	must(pkt->dst == d->ip && pkt->src == d->host);
	must(key_verify(&d->key, answer, sizeof(*answer)));
	must(answer->nonce == msg->nonce);
	must_eq(ntohs(answer->hdr.path_id), path);
	make_join(d, msg, MRC_WIRE_CONFIRM, path);
	msg->challenge = answer->challenge;
	key_sign(&d->key, msg, sizeof(*msg));
}

static int joined_reason(const struct conn *d)
{
	const struct mrc_wire_join *msg;

	msg = (const void *)expect(d, MRC_WIRE_JOINED)->data;
	must(key_verify(&d->key, msg, sizeof(*msg)));
	return msg->reason;
}

/* One data packet on path @path from where @d is; not counted in @d. */
static void send_on(const struct conn *d, __u16 path, __u32 psn, __u64 off,
		    const char *text)
{
	__u8 buf[256];
	struct mrc_wire_hdr *hdr = (void *)buf;
	size_t len = make_data(d, buf, off, text, strlen(text),
			       MRC_WIRE_F_ACK_NOW);

	hdr->path_id = htons(path);
	hdr->psn = htonl(psn);
	conn_send(d, buf, len);
}

static void join(void)
{
	int fd = 0, listener = app_listen(app_port, 4);
	__u64 opened = stat_get("PathJoinRx");
	struct mrc_wire_join msg;
	struct conn c, d;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = second(&c);
	get_challenge(&d, &msg, 2);
	must_eq(app_paths(fd), 1);
	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), 0);
	must_eq(app_paths(fd), 2);
	must_eq(stat_get("PathJoinRx"), opened + 1);
	send_on(&d, 2, 1, 0, "second way");
	app_read(fd, "second way", 10);
	expect_ack(&c, 10);

	/* The CONFIRM again: answered again, and nothing else. */
	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), 0);
	must_eq(app_paths(fd), 2);
	must_eq(stat_get("PathJoinRx"), opened + 1);
}

static void join_wrong_mac(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct mrc_wire_join msg;
	struct conn c, d;
	__u64 bad;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = second(&c);
	bad = stat_get("RxBadMac");
	make_join(&d, &msg, MRC_WIRE_JOIN, 2);
	key_sign(&d.key, &msg, sizeof(msg));
	msg.mac ^= 1;
	conn_send(&d, &msg, sizeof(msg));
	settle(&c, TYPE(CHALLENGE) | TYPE(RESET));
	must_eq(stat_get("RxBadMac"), bad + 1);

	get_challenge(&d, &msg, 2);
	msg.mac ^= 1;
	conn_send(&d, &msg, sizeof(msg));
	msg.challenge ^= 1;
	conn_sign_send(&d, &msg, sizeof(msg));
	msg.challenge ^= 1;
	msg.hdr.path_id = htons(4);
	conn_sign_send(&d, &msg, sizeof(msg));
	msg.hdr.path_id = htons(2);
	msg.nonce ^= 1;
	conn_sign_send(&d, &msg, sizeof(msg));
	settle(&c, TYPE(JOINED) | TYPE(RESET));
	must_eq(stat_get("RxBadMac"), bad + 5);
	must_eq(app_paths(fd), 1);
}

/* A challenge is worth nothing from another address or port. */
static void join_other_tuple(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct mrc_wire_join msg;
	struct conn c, d, thief;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = second(&c);
	get_challenge(&d, &msg, 2);
	thief = d;
	thief.ip = other;
	conn_send(&thief, &msg, sizeof(msg));
	thief = d;
	thief.host = HOST0;
	conn_send(&thief, &msg, sizeof(msg));
	thief = d;
	thief.ev ^= 4;
	conn_send(&thief, &msg, sizeof(msg));
	settle(&c, TYPE(JOINED) | TYPE(RESET));
	must_eq(app_paths(fd), 1);

	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), 0);
	/* Nor does it move a path that exists. */
	thief = d;
	thief.ip = other;
	conn_send(&thief, &msg, sizeof(msg));
	settle(&c, TYPE(JOINED) | TYPE(RESET));
	get_challenge(&thief, &msg, 2);
	conn_send(&thief, &msg, sizeof(msg));
	must_eq(joined_reason(&thief), MRC_WIRE_R_LIMIT);
	must_eq(app_paths(fd), 2);
}

/* Before the CONFIRM a path neither takes data nor gets any. */
static void unproven_is_silent(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 unknown, wrong;
	struct mrc_wire_join msg;
	struct conn c, d;
	struct pkt *pkt;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = second(&c);
	get_challenge(&d, &msg, 2);
	unknown = stat_get("RxUnknownPath");
	wrong = stat_get("RxWrongTuple");
	send_on(&d, 2, 1, 0, "unproven");
	send_on(&d, 0, 1, 0, "misplaced");
	send_on(&c, 2, 1, 0, "elsewhere");
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxUnknownPath"), unknown + 2);
	must_eq(stat_get("RxWrongTuple"), wrong + 1);
	must_eq(app_pending(fd), 0);
	app_write(fd, "to the first", 12);
	pkt = conn_read(&c, "to the first", 12);
	must(pkt->dst == us0);
}

static void join_refused(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 refused = stat_get("PathJoinRefused");
	struct mrc_wire_join msg;
	struct conn c, d;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = second(&c);
	/* Odd ids are the server's own. */
	get_challenge(&d, &msg, 3);
	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), MRC_WIRE_R_LIMIT);
	must_eq(stat_get("PathJoinRefused"), refused + 1);
	app_limit(MRC_A_LIMITS_MAX_PATHS, 1);
	get_challenge(&d, &msg, 2);
	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), MRC_WIRE_R_LIMIT);
	app_limit(MRC_A_LIMITS_MAX_PATHS, 64);
	must_eq(app_paths(fd), 1);
	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), 0);
	must_eq(app_paths(fd), 2);
}

/* 64 paths, and not one more. */
static void join_many(void)
{
	int listener = app_listen(app_port, 4), fd, i;
	struct mrc_wire_join msg;
	struct conn c, d;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	d = second(&c);
	for (i = 1; i < 64; i++) {
		get_challenge(&d, &msg, 2 * i);
		conn_send(&d, &msg, sizeof(msg));
		must_eq(joined_reason(&d), 0);
	}
	must_eq(app_paths(fd), 64);
	get_challenge(&d, &msg, 128);
	conn_send(&d, &msg, sizeof(msg));
	must_eq(joined_reason(&d), MRC_WIRE_R_LIMIT);
	must_eq(app_paths(fd), 64);
	send_data(&c, "x", 1);
	app_read(fd, "x", 1);
}

const struct inject_test tests_join[] = {
	{ "join", join },
	{ "wrong_mac", join_wrong_mac },
	{ "other_tuple", join_other_tuple },
	{ "unproven_is_silent", unproven_is_silent },
	{ "refused", join_refused },
	{ "many", join_many },
	{ }
};
