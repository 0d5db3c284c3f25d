// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: connections that do not come into being, and what strangers get.
 */
#include <errno.h>
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static void refused(void)
{
	const struct mrc_wire_refuse *msg;
	struct pkt *pkt;
	struct conn c;

	conn_init(&c, us0);
	c.dport = DEAD_PORT;
	send_init(&c);
	pkt = expect_to(us0, MRC_WIRE_REFUSE);
	msg = (const void *)pkt->data;
	must_eq(pkt->len, sizeof(*msg));
	must(be64toh(msg->hdr.cid) == c.cid);
	must(be64toh(msg->nonce_echo) == c.nonce);
	must_eq(ntohs(msg->reason), MRC_WIRE_R_NO_LISTENER);
}

/* Id 0 is that of nobody. */
static void nobody_asks(void)
{
	int listener = app_listen(app_port, 4);
	__u64 shorter = stat_get("RxShort");
	struct conn c;

	must(listener >= 0);
	conn_init(&c, us0);
	c.cid = 0;
	send_init(&c);
	c.dport = DEAD_PORT;
	send_init(&c);
	nothing(TYPE_ANY);
	must_eq(stat_get("RxShort"), shorter + 2);
}

/* A listener for streams takes no messages, whatever the cookie was for. */
static void other_type(void)
{
	int listener = app_listen(app_port, 4);
	struct mrc_wire_open msg;
	struct conn c;

	conn_greet(&c, us0);
	make_open(&c, &msg);
	msg.hdr.flags = MRC_WIRE_F_MESSAGES;
	conn_sign_send(&c, &msg, sizeof(msg));
	expect_reset(&c, MRC_WIRE_R_TYPE);
	must_eq(app_pending(listener), 0);
}

static void refused_client(void)
{
	struct mrc_wire_refuse msg = { };
	struct conn c;
	int fd;

	conn_init(&c, us0);
	fd = app_connect(c.ip, c.sport);
	take_init(&c, expect_to(us0, MRC_WIRE_INIT));
	fill_hdr(&msg.hdr, MRC_WIRE_REFUSE, 0, 0, c.peer_cid);
	msg.reason = htons(MRC_WIRE_R_NO_LISTENER);
	msg.nonce_echo = htobe64(c.peer_nonce ^ 1);
	conn_send(&c, &msg, sizeof(msg));
	nothing(0);
	app_state_is(fd, TCP_SYN_SENT);
	msg.nonce_echo = htobe64(c.peer_nonce);
	conn_send(&c, &msg, sizeof(msg));
	app_error(fd, ECONNREFUSED);
}

/* The listener has gone between INIT and OPEN: the client is told so. */
static void open_without_listener(void)
{
	int listener = app_listen(app_port, 4);
	struct conn c;

	conn_greet(&c, us0);
	close(listener);
	send_open(&c);
	expect_reset(&c, MRC_WIRE_R_NO_LISTENER);
}

/* ... and takes it for an answer, although nothing was confirmed yet. */
static void told_no_listener(void)
{
	struct conn c;
	int fd;

	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_reset(&c, c.token, MRC_WIRE_R_NO_LISTENER);
	app_error(fd, ECONNRESET);
}

/* Data that overtakes the OPEN is answered by a RESET, and does no harm. */
static void data_before_open(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_greet(&c, us0);
	send_at(&c, 0, "early", 5);
	expect_reset(&c, MRC_WIRE_R_UNKNOWN);
	watch(&c);
	send_open(&c);
	expect(&c, MRC_WIRE_ACK);
	fd = app_accept(listener);
	send_at(&c, 0, "early", 5);
	app_read(fd, "early", 5);
}

/* The client knows that its OPEN may have been overtaken ... */
static void unknown_before_confirmed(void)
{
	long long end;
	struct conn c;
	int fd;

	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_reset(&c, c.token, MRC_WIRE_R_UNKNOWN);
	check_open(&c, expect(&c, MRC_WIRE_OPEN));
	app_state_is(fd, TCP_ESTABLISHED);
	/* ... and that such an answer may come late ... */
	send_ack(&c);
	settle(&c, TYPE(OPEN));
	send_reset(&c, c.token, MRC_WIRE_R_UNKNOWN);
	app_state_is(fd, TCP_ESTABLISHED);
	/* ... but not for longer than two seconds. */
	end = now_ms() + 2500;
	while (now_ms() < end) {
		send_reset(&c, c.token, MRC_WIRE_R_UNKNOWN);
		usleep(50000);
	}
	app_error(fd, ECONNRESET);
}

/* Bytes of all that comes in answer to one packet of a stranger. */
static size_t answer_to(const struct conn *c, const void *msg, size_t len)
{
	static struct pkt pkt;
	size_t sum = 0;

	struct conn witness;

	conn_init(&witness, WITNESS);
	conn_send(c, msg, len);
	/* Fewer than 1000 a second, or the limit would hide answers. */
	usleep(1100);
	send_init(&witness);
	while (net_recv(&pkt, patience())) {
		if (pkt.dst == WITNESS)
			return sum;
		sum += pkt.len;
	}
	fail("the module fell silent");
}

/* No stranger makes the module send more than was sent to it. */
static void no_amplification(void)
{
	/* Around the sizes of all messages, of questions and of answers. */
	static const __u8 lens[] = {
		0, 1, 15, 16, 17, 27, 28, 29, 31, 32, 33, 34, 35, 36, 37, 43,
		44, 45, 47, 48, 49, 63, 64, 65, 75, 76, 77, 79, 80, 81, 200,
	};
	int listener = app_listen(app_port, 4);
	size_t len, answer, most = 0;
	__u8 msg[256] = { };
	struct conn c;
	unsigned int i;
	int type;

	must(listener >= 0);
	conn_init(&c, us0);
	for (type = 0; type <= __MRC_WIRE_TYPES; type++) {
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			len = lens[i];
			fill_hdr((void *)msg, type, 0, 1, random64());
			memset(msg + 16, 0, sizeof(msg) - 16);
			if (type == MRC_WIRE_INIT)
				msg[16] = 1;	/* an id */
			if (type == MRC_WIRE_INIT && i & 1) {
				msg[34] = app_port >> 8;
				msg[35] = app_port;
			}
			answer = answer_to(&c, msg, len);
			if (answer > len)
				fail("type %d: %zu bytes for %zu", type,
				     answer, len);
			if (answer > most)
				most = answer;
		}
	}
	/* The test would be worth nothing if nothing was ever answered. */
	must_eq(most, sizeof(struct mrc_wire_init_ack));
}

const struct inject_test tests_refuse[] = {
	{ "refused", refused },
	{ "nobody_asks", nobody_asks },
	{ "other_type", other_type },
	{ "refused_client", refused_client },
	{ "open_without_listener", open_without_listener },
	{ "told_no_listener", told_no_listener },
	{ "data_before_open", data_before_open },
	{ "unknown_before_confirmed", unknown_before_confirmed },
	{ "no_amplification", no_amplification },
	{ }
};
