// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: what a peer or a stranger cannot have more of than there is.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/mrc_netlink.h>
#include "inject.h"

#define FLOOD	4000

/*
 * Questions that are answered one by one, faster than answers are granted;
 * each has an id of its own at @id_at. Every one is answered or counted.
 */
static void flood(void *msg, size_t len, size_t id_at, int answer)
{
	/* Without a socket nobody would answer. */
	int listener = app_listen(app_port, 1);
	unsigned int i, answers = 0;
	long long start, took;
	static struct pkt pkt;
	__u64 limited;
	struct conn c;

	must(listener >= 0);
	conn_init(&c, us0);
	/* An earlier test may have used the answers of this second up. */
	nothing(0);
	limited = stat_get("RateLimited");
	start = now_ms();
	for (i = 0; i < FLOOD; i++) {
		__u64 id = random64();

		memcpy((__u8 *)msg + id_at, &id, sizeof(id));
		conn_send(&c, msg, len);
		while (net_recv(&pkt, 0))
			answers += pkt_type(&pkt) == answer;
	}
	/* The last answers are on their way when the last packet is counted. */
	while (stat_get("RateLimited") + answers < limited + FLOOD &&
	       now_ms() < start + 2 * patience())
		while (net_recv(&pkt, 10))
			answers += pkt_type(&pkt) == answer;
	took = now_ms() - start;
	printf("# %u answers to %u in %lld ms\n", answers, FLOOD, took);
	must_eq(stat_get("RateLimited") + answers, limited + FLOOD);
	must(answers > 0);
	/* A thousand for each second that was touched. */
	must(answers <= 1000 * (took / 1000 + 2));
}

/* Packets for no connection. */
static void resets(void)
{
	struct {
		struct mrc_wire_data head;
		__u8 payload[64];
	} msg = { };
	__u64 unknown = stat_get("RxUnknownConn");

	fill_hdr(&msg.head.hdr, MRC_WIRE_DATA, 0, 1, 0);
	flood(&msg, sizeof(msg), offsetof(struct mrc_wire_hdr, cid),
	      MRC_WIRE_RESET);
	must_eq(stat_get("RxUnknownConn"), unknown + FLOOD);
}

/* Clients that ask where nobody listens. */
static void refusals(void)
{
	struct mrc_wire_init msg = { .dport = htons(DEAD_PORT) };

	fill_hdr(&msg.hdr, MRC_WIRE_INIT, 0, 0, 0);
	flood(&msg, sizeof(msg), offsetof(struct mrc_wire_init, cid),
	      MRC_WIRE_REFUSE);
}

#define HOPEFUL	5

/* A cookie is no seat: of five clients that have one, two find room. */
static void backlog(void)
{
	int listener = app_listen(app_port, 1), i, fd;
	__u64 overflow = stat_get("ListenOverflow");
	struct conn c[HOPEFUL];

	for (i = 0; i < HOPEFUL; i++)
		conn_greet(&c[i], us0);
	for (i = 0; i < HOPEFUL - 1; i++)
		send_open(&c[i]);
	nothing(0);
	must_eq(stat_get("ListenOverflow"), overflow + HOPEFUL - 3);
	/* Nor is there an answer to the next one that asks. */
	send_init(&c[HOPEFUL - 1]);
	nothing(TYPE(INIT_ACK) | TYPE(REFUSE));
	must_eq(stat_get("ListenOverflow"), overflow + HOPEFUL - 2);
	for (i = 0; i < 2; i++)
		app_accept(listener);
	must_eq(app_pending(listener), 0);
	/* Who comes back finds room now. */
	watch(&c[2]);
	send_open(&c[2]);
	expect(&c[2], MRC_WIRE_ACK);
	fd = app_accept(listener);
	send_data(&c[2], "in", 2);
	app_read(fd, "in", 2);
}

/* Pieces cost far more memory than they bring: those beyond twice the buffer
 * and a spare of 128 KiB are dropped.
 */
static void memory_of_pieces(void)
{
	int listener = app_listen(app_port, 4), fd, i, room = 65536;
	const unsigned int spare = 128 << 10;
	__u64 drops = stat_get("RxMemoryDrops");
	socklen_t size = sizeof(room);
	__u32 mem[9] = { };
	socklen_t len = sizeof(mem);
	char all[1000];
	struct conn c;

	memset(all, 'x', sizeof(all));
	must(!setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, size));
	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	must(!getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, &size));
	for (i = 1; i < 4 * (int)sizeof(all); i += 2)
		send_at(&c, i, "x", 1);
	settle(&c, TYPE(RESET));
	must(!getsockopt(fd, SOL_SOCKET, SO_MEMINFO, mem, &len));
	printf("# %d bytes wait, charged %u of %d\n",
	       app_info(fd)->reorder_queue, mem[0], room);
	must(app_info(fd)->reorder_queue > 0);
	must(stat_get("RxMemoryDrops") > drops);
	must(mem[0] <= 2u * room + spare + 4096);
	/* What comes in order finds its place all the same. */
	for (i = 0; i < 4; i++)
		send_data(&c, all, sizeof(all));
	for (i = 0; i < 4; i++)
		app_read(fd, all, sizeof(all));
	expect_ack(&c, 4 * sizeof(all));
}

/*
 * All that the window of a buffer of @room bytes promises finds room behind a
 * hole, in packets of @len bytes, also when the buffer has shrunk since.
 */
static void promised(int room, int shrunk, size_t len)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 drops = stat_get("RxMemoryDrops"), off, edge;
	const struct mrc_wire_ack *ack;
	static char all[1400];
	struct conn c;

	must(!setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)));
	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_data(&c, all, len);
	ack = (const void *)expect_ack(&c, len)->data;
	edge = be64toh(ack->window);
	must(!shrunk || !setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &shrunk,
				    sizeof(shrunk)));
	for (off = 2 * len; off + len <= edge; off += len)
		send_at(&c, off, all, len);
	printf("# a window of %llu bytes\n", (unsigned long long)edge - len);
	send_at(&c, len, all, len);
	expect_ack(&c, off);
	must_eq(stat_get("RxMemoryDrops"), drops);
	for (edge = off; edge; edge -= len)
		app_read(fd, all, len);
}

static void promise_of_small_buffer(void)
{
	promised(1, 0, 1400);
}

static void promise_of_small_packets(void)
{
	promised(4096, 0, 100);
}

static void promise_outlives_buffer(void)
{
	promised(200000, 1, 1400);
}

static void send_addr(struct conn *c, in_addr_t ip, __u32 serial)
{
	struct mrc_wire_addr msg = { .op = MRC_WIRE_ADDR_ADD, .family = 4 };

	fill_hdr(&msg.hdr, MRC_WIRE_ADDR, 0, serial, c->peer_cid);
	memcpy(msg.addr, &ip, sizeof(ip));
	conn_sign_send(c, &msg, sizeof(msg));
}

/* Addresses that one peer may announce. */
static void announced(void)
{
	struct conn c;
	int fd;

	app_limit(MRC_A_LIMITS_MAX_ANNOUNCED, 1);
	conn_init(&c, us0);
	conn_serve(&c, &fd);
	send_ack(&c);
	send_addr(&c, us1, 1);
	send_addr(&c, htonl(ntohl(us1) + 100), 2);
	settle(&c, TYPE(RESET));
	app_limit(MRC_A_LIMITS_MAX_ANNOUNCED, 16);
	must_eq(app_paths(fd), 2);
	send_addr(&c, htonl(ntohl(us1) + 100), 3);
	settle(&c, TYPE(RESET));
	must_eq(app_paths(fd), 3);
}

const struct inject_test tests_limit[] = {
	{ "resets", resets },
	{ "refusals", refusals },
	{ "backlog", backlog },
	{ "memory_of_pieces", memory_of_pieces },
	{ "promise_of_small_buffer", promise_of_small_buffer },
	{ "promise_of_small_packets", promise_of_small_packets },
	{ "promise_outlives_buffer", promise_outlives_buffer },
	{ }
};

const struct inject_test tests_announced[] = {
	{ "limited", announced },
	{ }
};
