// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: data that does not come as it should.
 */
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

/* Far beyond any window, at its edge, and at the end of all offsets. */
static void out_of_window(void)
{
	int listener = app_listen(app_port, 4), fd;
	const struct mrc_wire_ack *msg;
	__u64 edge, outside;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_data(&c, "a", 1);
	app_read(fd, "a", 1);
	msg = (const void *)expect_ack(&c, 1)->data;
	edge = be64toh(msg->window);
	outside = stat_get("RxWindowPackets");
	send_at(&c, edge, "x", 1);
	send_at(&c, edge - 1, "xx", 2);
	send_at(&c, 1ull << 40, "x", 1);
	send_at(&c, 1ull << 63, "x", 1);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxWindowPackets"), outside + 4);
	must_eq(app_pending(fd), 0);
	must_eq(app_info(fd)->reorder_queue, 0);
	/* The last byte that fits does. */
	send_at(&c, edge - 1, "x", 1);
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->reorder_queue, 1);
	send_data(&c, "b", 1);
	app_read(fd, "b", 1);
	expect_ack(&c, 2);
}

/* Offsets and numbers that no sender could mean. */
static void absurd_fields(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct mrc_wire_data *msg;
	__u64 value = stat_get("RxValue");
	__u8 buf[2048];
	struct conn c;
	size_t len;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	msg = (void *)buf;
	/* No payload and no FIN; a FIN with payload. */
	conn_send(&c, buf, make_data(&c, buf, 0, NULL, 0, 0));
	conn_send(&c, buf, make_data(&c, buf, 0, "x", 1, MRC_WIRE_F_FIN));
	conn_send(&c, buf, make_data(&c, buf, ~0ull, "x", 1, 0));
	conn_send(&c, buf, make_data(&c, buf, ~0ull - MRC_WIRE_DATA_LEN, NULL,
				     0, MRC_WIRE_F_FIN));
	/* A floor above the packet's own number. */
	len = make_data(&c, buf, 0, "x", 1, 0);
	msg->floor = htonl(c.psn + 1);
	conn_send(&c, buf, len);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxValue"), value + 5);
	must_eq(app_pending(fd), 0);
	/* Packet numbers far away, and flags that nobody knows. */
	len = make_data(&c, buf, 0, "a", 1, 0xf8);
	msg->hdr.psn = htonl(c.psn + 0x7ffffff0);
	conn_send(&c, buf, len);
	app_read(fd, "a", 1);
	len = make_data(&c, buf, 1, "b", 1, 0);
	conn_send(&c, buf, len);
	app_read(fd, "b", 1);
	expect_ack(&c, 2);
}

/* What was delivered stays; a byte that came twice counts once. */
static void overlaps(void)
{
	int listener = app_listen(app_port, 4), fd;
	char all[40];
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	memset(all, 'a', sizeof(all));
	send_at(&c, 0, all, 10);
	expect_ack(&c, 10);
	memset(all + 10, 'b', 30);
	send_at(&c, 5, all + 10, 10);
	memset(all + 15, 'b', 25);
	expect_ack(&c, 15);
	/* Ahead of a hole: within, over both ends, and all of it. */
	send_at(&c, 20, "cccccccccc", 10);
	send_at(&c, 22, "ddd", 3);
	send_at(&c, 18, "ddddd", 5);
	send_at(&c, 28, "eeeee", 5);
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->reorder_queue, 15);
	send_at(&c, 17, "fffffffffffffffffff", 19);
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->reorder_queue, 19);
	send_at(&c, 0, all, 17);
	app_read(fd, all, 15);
	app_read(fd, "bb", 2);
	app_read(fd, NULL, 19);
	expect_ack(&c, 36);
	must_eq(app_info(fd)->reorder_queue, 0);
	must_eq(app_info(fd)->received_bytes, 36);
	must_eq(app_pending(fd), 0);
}

static void duplicates(void)
{
	int listener = app_listen(app_port, 4), fd;
	__u64 twice = stat_get("RxDupPackets");
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	send_at(&c, 0, "abc", 3);
	app_read(fd, "abc", 3);
	/* The same packet, as from a network that doubles it. */
	c.psn--;
	send_at(&c, 0, "abc", 3);
	settle(&c, TYPE(RESET));
	must_eq(stat_get("RxDupPackets"), twice + 1);
	/* The same bytes in a packet of their own: acknowledged. */
	send_at(&c, 0, "abc", 3);
	expect_ack(&c, 3);
	must_eq(stat_get("RxDupPackets"), twice + 1);
	must_eq(app_pending(fd), 0);
}

/* Strangers' ids and a neighbour's: no connection notices. */
static void wrong_id(void)
{
	int listener = app_listen(app_port, 4), fd, next;
	const struct mrc_wire_reset *msg;
	struct conn c, d, wrong;
	struct pkt *pkt;
	__u64 tuple;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	conn_init(&d, other);
	next = conn_open(&d, listener);
	wrong = c;
	wrong.peer_cid ^= 1;
	send_at(&wrong, 0, "data", 4);
	pkt = expect(&wrong, MRC_WIRE_RESET);
	msg = (const void *)pkt->data;
	must_eq(pkt->len, 32);
	must(be64toh(msg->token) != c.peer_token);
	/* Id 0, that of nobody. */
	wrong.peer_cid = 0;
	send_at(&wrong, 0, "data", 4);
	nothing(TYPE(RESET));

	tuple = stat_get("RxWrongTuple");
	wrong.peer_cid = d.peer_cid;
	send_at(&wrong, 0, "data", 4);
	settle(&d, TYPE(RESET));
	must_eq(stat_get("RxWrongTuple"), tuple + 1);
	must_eq(app_pending(next), 0);
	send_data(&c, "c", 1);
	app_read(fd, "c", 1);
	send_data(&d, "d", 1);
	app_read(next, "d", 1);
}

/* Marks of a congested switch come back in the ACK, at once. */
static void ce_marks(void)
{
	int listener = app_listen(app_port, 4), fd, i;
	__u64 marks = stat_get("RxCePackets");
	const struct mrc_wire_ack_path *rec;
	const struct mrc_wire_ack *ack;
	__u8 buf[256];
	struct conn c;
	size_t len;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	for (i = 0; i < 3; i++) {
		len = make_data(&c, buf, i, "x", 1, 0);
		net_send(c.ip, c.ev, c.host, i ? IPTOS_ECN_CE :
			 IPTOS_ECN_ECT0, buf, len);
		c.psn++;
	}
	app_read(fd, "xxx", 3);
	settle(&c, 0);
	must_eq(stat_get("RxCePackets"), marks + 2);
	send_ping(&c, 0, ++c.serial);
	ack = (const void *)expect_ack(&c, 3)->data;
	rec = (const void *)(ack + 1);
	must_eq(ntohs(ack->npaths), 1);
	must_eq(ntohl(rec->ce_packets), 2);
	must_eq(ntohl(rec->rx_packets), 3);
	must_eq(ntohl(rec->rx_bytes), 3 * 33);
	must_eq(ntohl(rec->cum), c.psn);
}

#define SEGMENT	100

/* One superframe with two connections, garbage, a PING and data of both. */
static void superframe_mixed(void)
{
	int listener = app_listen(app_port, 8), fd, next, i;
	__u8 frame[12 * SEGMENT] = { };
	char text[SEGMENT - MRC_WIRE_DATA_LEN];
	__u64 version = stat_get("RxVersion");
	struct conn c, d;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	conn_init(&d, us0);
	d.ev = c.ev;
	d.told = c.told;
	next = conn_open(&d, listener);
	for (i = 0; i < 12; i++) {
		struct conn *to = i & 1 ? &d : &c;

		memset(text, 'a' + i, sizeof(text));
		if (i == 6 || i == 7) {
			memset(frame + i * SEGMENT, 0xff, SEGMENT);
			continue;
		}
		make_data(to, frame + i * SEGMENT, to->off, text,
			  sizeof(text), 0);
		to->off += sizeof(text);
		to->psn++;
	}
	net_send_segments(us0, c.ev, HOST0, frame, sizeof(frame), SEGMENT);
	for (i = 0; i < 12; i++) {
		memset(text, 'a' + i, sizeof(text));
		if (i != 6 && i != 7)
			app_read(i & 1 ? next : fd, text, sizeof(text));
	}
	expect_ack(&c, c.off);
	send_ping(&d, 0, 1);
	expect_ack(&d, d.off);
	must_eq(stat_get("RxVersion"), version + 2);
}

/* Runs of one superframe are charged for what they hold, not each for all. */
static void superframe_of_runs(void)
{
	int listener = app_listen(app_port, 4), fd, i;
	__u8 frame[40 * 1000];
	__u32 mem[9] = { };
	socklen_t len = sizeof(mem);
	char text[1000 - MRC_WIRE_DATA_LEN] = { };
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	for (i = 0; i < 40; i++, c.psn++)
		make_data(&c, frame + i * 1000, 1 + 2 * i * sizeof(text), text,
			  sizeof(text), 0);
	net_send_segments(us0, c.ev, HOST0, frame, sizeof(frame), 1000);
	settle(&c, TYPE(RESET));
	must_eq(app_info(fd)->reorder_queue, 40 * sizeof(text));
	must(!getsockopt(fd, SOL_SOCKET, SO_MEMINFO, mem, &len));
	printf("# %d bytes in the queue, charged %u\n",
	       app_info(fd)->reorder_queue, mem[0]);
	must(mem[0] >= 40 * sizeof(text));
	must(mem[0] < 10 * 40 * sizeof(text));
}

const struct inject_test tests_data[] = {
	{ "out_of_window", out_of_window },
	{ "absurd_fields", absurd_fields },
	{ "overlaps", overlaps },
	{ "duplicates", duplicates },
	{ "wrong_id", wrong_id },
	{ "ce_marks", ce_marks },
	{ "superframe_mixed", superframe_mixed },
	{ "superframe_of_runs", superframe_of_runs },
	{ }
};
