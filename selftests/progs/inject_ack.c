// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: ACKs that cannot be true, and windows that nobody has.
 */
#include <netinet/tcp.h>
#include <stdlib.h>
#include <unistd.h>
#include "inject.h"

/* An ACK with one record and one range, to be spoilt. */
struct ack {
	struct mrc_wire_ack head;
	struct mrc_wire_ack_path path;
	struct mrc_wire_range range;
};

#define NO_RANGE	(sizeof(struct ack) - sizeof(struct mrc_wire_range))

static void ack_init(const struct conn *c, struct ack *ack, __u32 cum)
{
	make_ack(c, ack, 0, c->window, 1);
	memset(&ack->range, 0, sizeof(ack->range));
	ack->path.cum = htonl(cum);
}

static void ack_range(struct ack *ack, __u32 start, __u32 end)
{
	ack->path.nranges = 1;
	ack->range.start = htonl(start);
	ack->range.end = htonl(end);
}

/* What was never sent cannot have arrived. */
static void never_sent(void)
{
	int listener = app_listen(app_port, 4), fd;
	static const __u32 cums[] = { 3, 1000, 0x7fff0000 };
	__u64 bad;
	struct ack ack;
	struct conn c;
	unsigned int i;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	app_write(fd, "precious", 8);
	expect(&c, MRC_WIRE_DATA);
	bad = stat_get("RxBadAcks");
	for (i = 0; i < ARRAY_SIZE(cums); i++) {
		ack_init(&c, &ack, c.cum + cums[i] + 100);
		conn_send(&c, &ack, NO_RANGE);
	}
	ack_init(&c, &ack, 1);
	ack_range(&ack, 500, 501);
	conn_send(&c, &ack, sizeof(ack));
	ack_range(&ack, 2, 0x70000000);
	conn_send(&c, &ack, sizeof(ack));
	/* Stream bytes that do not exist. */
	make_ack(&c, &ack, 9, c.window, 0);
	conn_send(&c, &ack, sizeof(ack.head));
	make_ack(&c, &ack, ~0ull, c.window, 0);
	conn_send(&c, &ack, sizeof(ack.head));
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxBadAcks"), bad + 7);
	must_eq(app_info(fd)->acked_bytes, 0);
	must_eq(app_info(fd)->snd_queue, 8);
	/* It comes again until it is acknowledged. */
	conn_read(&c, "precious", 8);
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->acked_bytes, 8);
}

static void malformed(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u8 buf[1400] = { };
	__u64 value, length;
	struct ack ack;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	app_write(fd, "x", 1);
	expect(&c, MRC_WIRE_DATA);
	value = stat_get("RxValue");
	length = stat_get("RxLength");
	/* Empty, backwards, at and below cum, more than there are. */
	ack_init(&c, &ack, 1);
	ack_range(&ack, 2, 2);
	conn_send(&c, &ack, sizeof(ack));
	ack_range(&ack, 3, 2);
	conn_send(&c, &ack, sizeof(ack));
	ack_init(&c, &ack, 5);
	ack_range(&ack, 4, 5);
	conn_send(&c, &ack, sizeof(ack));
	ack_init(&c, &ack, 1);
	ack.path.nranges = 17;
	conn_send(&c, &ack, sizeof(ack));
	ack.path.nranges = 2;
	conn_send(&c, &ack, sizeof(ack));
	ack.path.nranges = 1;
	conn_send(&c, &ack, NO_RANGE);
	make_ack(&c, buf, 0, 0, 0);
	((struct mrc_wire_ack *)buf)->npaths = htons(65);
	conn_send(&c, buf, 1100);
	((struct mrc_wire_ack *)buf)->npaths = htons(3);
	conn_send(&c, buf, sizeof(struct mrc_wire_ack) + 40);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxValue"), value + 8);
	/* Bytes behind the end, and an ACK larger than any can be. */
	ack_init(&c, &ack, 1);
	conn_send(&c, &ack, NO_RANGE + 4);
	make_ack(&c, buf, 0, 0, 40);
	conn_send(&c, buf, 1300);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxLength"), length + 2);
	must_eq(app_info(fd)->acked_bytes, 0);
	conn_read(&c, "x", 1);
}

/* Records of paths that do not exist, and of one path twice. */
static void strange_records(void)
{
	int listener = app_listen(app_port, 4), fd, i;
	struct {
		struct mrc_wire_ack head;
		struct mrc_wire_ack_path path[30];
	} msg;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	app_write(fd, "x", 1);
	expect(&c, MRC_WIRE_DATA);
	make_ack(&c, &msg, 0, c.window, 30);
	for (i = 0; i < 30; i++) {
		msg.path[i].path_id = htons(i < 20 ? 100 + i : 0);
		msg.path[i].cum = htonl(i < 20 ? 12345 : 1);
		/* Counters that jump about. */
		msg.path[i].rx_packets = htonl(random64());
		msg.path[i].rx_bytes = htonl(random64());
		msg.path[i].ce_packets = htonl(random64());
		msg.path[i].ts_echo = htonl(random64());
		msg.path[i].delay_us = htonl(random64());
	}
	for (i = 0; i < 10; i++) {
		c.serial++;
		conn_send(&c, &msg, sizeof(msg));
	}
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->acked_bytes, 0);
	conn_read(&c, "x", 1);
	app_write(fd, "y", 1);
	conn_read(&c, "y", 1);
}

static void window_absurd(void)
{
	int listener = app_listen(app_port, 4), fd;
	char *text = calloc(1, 20000);
	struct ack ack;
	struct conn c;

	conn_init(&c, us0);
	c.window = 5000;
	fd = conn_open(&c, listener);
	make_ack(&c, &ack, 0, ~0ull, 0);
	conn_send(&c, &ack, sizeof(ack.head));
	/* It never moves back. */
	make_ack(&c, &ack, 0, 0, 0);
	conn_send(&c, &ack, sizeof(ack.head));
	make_ack(&c, &ack, 0, 1, 0);
	conn_send(&c, &ack, sizeof(ack.head));
	settle(&c, TYPE(RESET));
	app_write(fd, text, 20000);
	conn_read(&c, text, 20000);
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->acked_bytes, 20000);
	free(text);
}

/* Nothing leaves that does not fit; the module asks until something does. */
static void window_below_packet(void)
{
	int listener = app_listen(app_port, 4), fd;
	char text[1000] = "less than a packet fits";
	const struct mrc_wire_ping *ping;
	struct conn c;

	conn_init(&c, us0);
	c.window = 100;
	fd = conn_open(&c, listener);
	app_write(fd, text, sizeof(text));
	settle(&c, TYPE(DATA) | TYPE(RESET));
	/* The first PING was that of the handshake. */
	ping = (const void *)expect(&c, MRC_WIRE_PING)->data;
	must(ping);
	c.window = 999;
	send_ack(&c);
	settle(&c, TYPE(DATA) | TYPE(RESET));
	expect(&c, MRC_WIRE_PING);
	c.window = 1000;
	send_ack(&c);
	conn_read(&c, text, sizeof(text));
	c.window = 1 << 20;
	send_ack(&c);
	app_write(fd, "on", 2);
	conn_read(&c, "on", 2);
}

/* The smallest receive buffer still has room for a packet, so says the ACK. */
static void window_of_small_buffer(void)
{
	int listener = app_listen(app_port, 4), fd, one = 1, i;
	char text[1400] = { };
	const struct mrc_wire_ack *ack;
	struct conn c;

	must(!setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &one, sizeof(one)));
	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	for (i = 0; i < 8; i++) {
		send_data(&c, text, sizeof(text));
		ack = (const void *)expect_ack(&c, c.off)->data;
		app_read(fd, text, sizeof(text));
		send_ping(&c, 0, ++c.serial);
		ack = (const void *)expect_ack(&c, c.off)->data;
		must(be64toh(ack->window) >= c.off + sizeof(text));
	}
}

const struct inject_test tests_ack[] = {
	{ "never_sent", never_sent },
	{ "malformed", malformed },
	{ "strange_records", strange_records },
	{ "window_absurd", window_absurd },
	{ "window_below_packet", window_below_packet },
	{ "window_of_small_buffer", window_of_small_buffer },
	{ }
};
