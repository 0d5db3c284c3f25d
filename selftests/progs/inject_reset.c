// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: RESETs, true and forged.
 */
#include <errno.h>
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static void forged(void)
{
	int listener = app_listen(app_port, 4), fd, i;
	__u64 token, unknown, shorter;
	struct mrc_wire_reset msg = { };
	struct conn c, wrong;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	token = stat_get("RxBadToken");
	unknown = stat_get("RxUnknownConn");
	shorter = stat_get("RxShort");
	send_reset(&c, 0, MRC_WIRE_R_ABORT);
	send_reset(&c, ~0ull, MRC_WIRE_R_ABORT);
	/* The module's own token is not that of its peer. */
	send_reset(&c, c.peer_token, MRC_WIRE_R_ABORT);
	for (i = 0; i < 64; i++)
		send_reset(&c, c.token ^ 1ull << i, MRC_WIRE_R_UNKNOWN);
	wrong = c;
	wrong.cid ^= 1;
	send_reset(&wrong, c.token, MRC_WIRE_R_ABORT);
	/* The RESET names the id of its sender, not that of its receiver. */
	wrong.cid = c.peer_cid;
	send_reset(&wrong, c.token, MRC_WIRE_R_ABORT);
	fill_hdr(&msg.hdr, MRC_WIRE_RESET, 0, 0, 0);
	msg.cid = htobe64(c.cid);
	msg.token = htobe64(c.token);
	conn_send(&c, &msg, sizeof(msg) - 1);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxBadToken"), token + 67);
	must_eq(stat_get("RxUnknownConn"), unknown + 2);
	must_eq(stat_get("RxShort"), shorter + 1);
	app_state_is(fd, TCP_ESTABLISHED);
	send_data(&c, "alive", 5);
	app_read(fd, "alive", 5);
}

static void believed(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 in = stat_get("ConnResetIn");
	struct conn c;
	char byte;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_data(&c, "last words", 10);
	expect_ack(&c, 10);
	send_reset(&c, c.token, MRC_WIRE_R_ABORT);
	app_error(fd, ECONNRESET);
	must_eq(recv(fd, &byte, 1, MSG_DONTWAIT), 1);
	must_eq(stat_get("ConnResetIn"), in + 1);
	/* Again, now for nobody: no answer to a RESET. */
	send_reset(&c, c.token, MRC_WIRE_R_ABORT);
	nothing(TYPE(RESET));
	must_eq(stat_get("ConnResetIn"), in + 1);
}

/* The right token works from any address: a forgotten peer has no path. */
static void from_elsewhere(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	c.ip = other;
	send_reset(&c, c.token, MRC_WIRE_R_UNKNOWN);
	app_error(fd, ECONNRESET);
}

/* The peer ended its stream and then forgot all: that is no broken stream. */
static void after_both_ends(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 in = stat_get("ConnResetIn");
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_fin(&c, 0);
	app_end(fd);
	must(!shutdown(fd, SHUT_WR));
	expect(&c, MRC_WIRE_DATA);
	app_state_is(fd, TCP_LAST_ACK);
	send_reset(&c, c.token, MRC_WIRE_R_UNKNOWN);
	nothing(0);
	app_state_is(fd, TCP_CLOSE);
	must_eq(stat_get("ConnResetIn"), in);
}

/* Asks for a connection that is not known, with a message of @len bytes. */
static void ask_unknown(struct conn *c, int type, size_t len)
{
	__u8 msg[128] = { };

	fill_hdr((struct mrc_wire_hdr *)msg, type, 0, 1, c->peer_cid);
	conn_send(c, msg, len);
}

/* Whatever asks for a connection that is gone is told so, when the answer is
 * not longer; of a FIN and a PING, too.
 */
static void told_gone(void)
{
	static const struct {
		int type;
		size_t len;
	} told[] = {
		{ MRC_WIRE_DATA, sizeof(struct mrc_wire_data) },
		{ MRC_WIRE_DATA, sizeof(struct mrc_wire_data) + 1 },
		{ MRC_WIRE_DATA, sizeof(struct mrc_wire_data) + 2 },
		{ MRC_WIRE_DATA, sizeof(struct mrc_wire_data) + 3 },
		{ MRC_WIRE_DATA, sizeof(struct mrc_wire_data) + 4 },
		{ MRC_WIRE_ACK, sizeof(struct mrc_wire_ack) },
		{ MRC_WIRE_JOIN, sizeof(struct mrc_wire_join) },
		{ MRC_WIRE_CHALLENGE, sizeof(struct mrc_wire_join) },
		{ MRC_WIRE_CONFIRM, sizeof(struct mrc_wire_join) },
		{ MRC_WIRE_JOINED, sizeof(struct mrc_wire_join) },
		{ MRC_WIRE_PING, sizeof(struct mrc_wire_ping) },
		{ MRC_WIRE_PONG, sizeof(struct mrc_wire_ping) },
		{ MRC_WIRE_ADDR, sizeof(struct mrc_wire_addr) },
		{ MRC_WIRE_ADDR_ACK, sizeof(struct mrc_wire_addr) },
	};
	struct conn c;
	size_t i;

	conn_forgotten(&c);
	for (i = 0; i < ARRAY_SIZE(told); i++) {
		ask_unknown(&c, told[i].type, told[i].len);
		must(told[i].len >= sizeof(struct mrc_wire_reset));
		expect_reset(&c, MRC_WIRE_R_UNKNOWN);
	}
	ask_unknown(&c, MRC_WIRE_PATH, sizeof(struct mrc_wire_path));
	ask_unknown(&c, MRC_WIRE_RESET, sizeof(struct mrc_wire_reset));
	ask_unknown(&c, MRC_WIRE_REFUSE, sizeof(struct mrc_wire_refuse));
	ask_unknown(&c, MRC_WIRE_INIT_ACK, sizeof(struct mrc_wire_init_ack));
	nothing(TYPE_ANY);
}

const struct inject_test tests_reset[] = {
	{ "forged", forged },
	{ "believed", believed },
	{ "from_elsewhere", from_elsewhere },
	{ "after_both_ends", after_both_ends },
	{ "told_gone", told_gone },
	{ }
};
