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

const struct inject_test tests_reset[] = {
	{ "forged", forged },
	{ "believed", believed },
	{ "from_elsewhere", from_elsewhere },
	{ "after_both_ends", after_both_ends },
	{ }
};
