// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: short ends of what was written, which wait for more to come.
 */
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static void set_cork(int fd, int on)
{
	must(!setsockopt(fd, IPPROTO_TCP, TCP_CORK, &on, sizeof(on)));
}

/* Sends with MSG_MORE; nothing may leave because of it. */
static void write_more(int fd, const char *text)
{
	must_eq(send(fd, text, strlen(text), MSG_MORE | MSG_NOSIGNAL),
		strlen(text));
}

static void more_then_rest(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct pkt *pkt;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	write_more(fd, "head ");
	app_write(fd, "and tail", 8);
	pkt = conn_read(&c, "head and tail", 13);
	must_eq(pkt->len, MRC_WIRE_DATA_LEN + 13);
}

/* The rest never comes: after 200 ms what there is goes alone. */
static void more_times_out(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	write_more(fd, "head");
	conn_read(&c, "head", 4);
	write_more(fd, "again");
	conn_read(&c, "again", 5);
}

static void cork_times_out(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	set_cork(fd, 1);
	app_write(fd, "corked", 6);
	conn_read(&c, "corked", 6);
	app_write(fd, "pulled", 6);
	set_cork(fd, 0);
	conn_read(&c, "pulled", 6);
}

static void closed_with_more(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	write_more(fd, "last");
	close(fd);
	conn_read(&c, "last", 4);
	conn_read_fin(&c);
	send_fin(&c, 0);
	expect_ack(&c, 1);
}

static void closed_with_cork(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	set_cork(fd, 1);
	app_write(fd, "last", 4);
	must(!shutdown(fd, SHUT_WR));
	conn_read(&c, "last", 4);
	conn_read_fin(&c);
}

const struct inject_test tests_tail[] = {
	{ "more_then_rest", more_then_rest },
	{ "more_times_out", more_times_out },
	{ "cork_times_out", cork_times_out },
	{ "closed_with_more", closed_with_more },
	{ "closed_with_cork", closed_with_cork },
	{ }
};
