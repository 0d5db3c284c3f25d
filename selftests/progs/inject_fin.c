// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: ends of streams, in order and not, and what comes after them.
 */
#include <errno.h>
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static void fin_alone(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_fin(&c, 0);
	app_end(fd);
	expect_ack(&c, 1);
	app_state_is(fd, TCP_CLOSE_WAIT);
	/* The other direction is open as ever. */
	app_write(fd, "on", 2);
	conn_read(&c, "on", 2);
}

/* The end is known before what lies in front of it. */
static void fin_ahead(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_fin(&c, 10);
	settle(&c, TYPE(RESET));
	app_state_is(fd, TCP_ESTABLISHED);
	send_at(&c, 5, "67890", 5);
	settle(&c, TYPE(RESET));
	must_eq(app_pending(fd), 0);
	send_at(&c, 0, "12345", 5);
	app_read(fd, "1234567890", 10);
	app_end(fd);
	expect_ack(&c, 11);
	app_state_is(fd, TCP_CLOSE_WAIT);
}

/* An end that contradicts what is known is not taken. */
static void fin_twice(void)
{
	__u64 outside = stat_get("RxWindowPackets");
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_fin(&c, 10);
	send_fin(&c, 11);
	send_fin(&c, 9);
	send_fin(&c, 0);
	/* Bytes behind the end, and across it. */
	send_at(&c, 10, "x", 1);
	send_at(&c, 8, "xxx", 3);
	send_at(&c, 11, "x", 1);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxWindowPackets"), outside + 6);
	app_state_is(fd, TCP_ESTABLISHED);
	send_fin(&c, 10);
	send_at(&c, 0, "1234567890", 10);
	app_read(fd, "1234567890", 10);
	app_end(fd);
	expect_ack(&c, 11);
	/* Now the stream has ended: again, and elsewhere. */
	send_fin(&c, 10);
	send_fin(&c, 12);
	send_fin(&c, 3);
	send_at(&c, 11, "x", 1);
	settle(&c, TYPE(RESET));
	app_state_is(fd, TCP_CLOSE_WAIT);
	app_end(fd);
}

/* In front of what was received, within it, and far away. */
static void fin_misplaced(void)
{
	__u64 outside = stat_get("RxWindowPackets");
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_data(&c, "0123456789", 10);
	app_read(fd, "0123456789", 10);
	send_at(&c, 20, "later", 5);
	send_fin(&c, 5);
	send_fin(&c, 9);
	send_fin(&c, 10);
	send_fin(&c, 15);
	send_fin(&c, 24);
	send_fin(&c, 1ull << 40);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxWindowPackets"), outside + 6);
	app_state_is(fd, TCP_ESTABLISHED);
	send_fin(&c, 25);
	send_data(&c, "abcdefghij", 10);
	app_read(fd, "abcdefghijlater", 15);
	app_end(fd);
	expect_ack(&c, 26);
}

/* Nobody can read what comes now: the peer is told. */
static void data_after_close(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_data(&c, "read", 4);
	app_read(fd, "read", 4);
	close(fd);
	conn_read_fin(&c);
	/* What had arrived before is no news, also in another packet. */
	send_at(&c, 0, "read", 4);
	send_at(&c, 2, "ad", 2);
	c.psn--;
	send_at(&c, 2, "ad", 2);
	settle(&c, TYPE(RESET));
	send_data(&c, "unread", 6);
	expect_reset(&c, MRC_WIRE_R_CLOSED);
}

/* Both sides end at once; late packets meet TIME_WAIT, then nobody. */
static void simultaneous(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 in = stat_get("ConnResetIn"), out = stat_get("ConnResetOut");
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	close(fd);
	send_fin(&c, 0);
	conn_read_fin(&c);
	send_fin(&c, 0);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("ConnResetIn"), in);
	must_eq(stat_get("ConnResetOut"), out);
}

/* Closed with bytes that nobody has read. */
static void closed_unread(void)
{
	struct conn c;

	conn_forgotten(&c);
	/* The id is known no more; the token still fits. */
	send_at(&c, 6, "late", 4);
	expect_reset(&c, MRC_WIRE_R_UNKNOWN);
}

const struct inject_test tests_fin[] = {
	{ "fin_alone", fin_alone },
	{ "fin_ahead", fin_ahead },
	{ "fin_twice", fin_twice },
	{ "fin_misplaced", fin_misplaced },
	{ "data_after_close", data_after_close },
	{ "simultaneous", simultaneous },
	{ "closed_unread", closed_unread },
	{ }
};
