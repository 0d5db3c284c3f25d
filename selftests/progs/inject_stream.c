// SPDX-License-Identifier: GPL-2.0
/*
 * Data, ACKs and PINGs of the injector.
 */
#include "inject.h"

/* A data packet on path 0 in @buf; its bytes. */
size_t make_data(const struct conn *c, __u8 *buf, __u64 off, const void *data,
		 size_t len, __u8 flags)
{
	struct mrc_wire_data msg = {
		.offset = htobe64(off),
		.floor = htonl(1),
		.ts = htonl((__u32)now_ms()),
	};

	fill_hdr(&msg.hdr, MRC_WIRE_DATA, 0, c->psn, c->peer_cid);
	msg.hdr.flags = flags;
	memcpy(buf, &msg, sizeof(msg));
	if (len)
		memcpy(buf + sizeof(msg), data, len);
	return sizeof(msg) + len;
}

/* Data at any offset, under the next packet number. */
void send_at(struct conn *c, __u64 off, const void *data, size_t len)
{
	__u8 buf[2048];

	conn_send(c, buf, make_data(c, buf, off, data, len, 0));
	c->psn++;
}

/* Data in order. */
void send_data(struct conn *c, const void *data, size_t len)
{
	send_at(c, c->off, data, len);
	c->off += len;
}

void send_fin(struct conn *c, __u64 off)
{
	__u8 buf[sizeof(struct mrc_wire_data)];

	conn_send(c, buf, make_data(c, buf, off, NULL, 0, MRC_WIRE_F_FIN));
	c->psn++;
}

/* Head of an ACK with room for @npaths empty records; bytes of all. */
size_t make_ack(const struct conn *c, void *buf, __u64 data_ack, __u64 window,
		int npaths)
{
	struct mrc_wire_ack *msg = buf;
	size_t len = sizeof(*msg) + npaths * sizeof(struct mrc_wire_ack_path);

	memset(buf, 0, len);
	fill_hdr(&msg->hdr, MRC_WIRE_ACK, 0, c->serial, c->peer_cid);
	msg->data_ack = htobe64(data_ack);
	msg->window = htobe64(window);
	msg->npaths = htons(npaths);
	return len;
}

/* Acknowledges what came in order on path 0. */
void send_ack(struct conn *c)
{
	struct {
		struct mrc_wire_ack head;
		struct mrc_wire_ack_path path;
	} msg;

	c->serial++;
	make_ack(c, &msg, c->got, c->got + c->window, 1);
	msg.path.cum = htonl(c->cum);
	conn_send(c, &msg, sizeof(msg));
}

void send_ping(struct conn *c, __u16 path, __u32 serial)
{
	struct mrc_wire_ping msg = { .ts = htonl((__u32)now_ms()) };

	fill_hdr(&msg.hdr, MRC_WIRE_PING, path, serial, c->peer_cid);
	conn_sign_send(c, &msg, sizeof(msg));
}

/* An ACK of everything below @data_ack and of nothing more. */
struct pkt *expect_ack(struct conn *c, __u64 data_ack)
{
	long long end = now_ms() + patience();
	const struct mrc_wire_ack *msg;
	struct pkt *pkt;

	while (now_ms() < end) {
		pkt = expect(c, MRC_WIRE_ACK);
		msg = (const void *)pkt->data;
		if (be64toh(msg->data_ack) > data_ack)
			break;
		if (be64toh(msg->data_ack) == data_ack)
			return pkt;
	}
	fail("no ACK of %llu", (unsigned long long)data_ack);
}

/* The module's stream goes on with these bytes, in any packets. */
struct pkt *conn_read(struct conn *c, const void *data, size_t len)
{
	const struct mrc_wire_data *msg;
	__u64 end = c->got + len, start = c->got, off;
	struct pkt *pkt = NULL;
	size_t n, skip;

	while (c->got < end) {
		pkt = expect(c, MRC_WIRE_DATA);
		msg = (const void *)pkt->data;
		off = be64toh(msg->offset);
		n = pkt->len - sizeof(*msg);
		must(off <= c->got);
		must(n > 0 && n <= c->mss && off + n <= end);
		if (ntohl(msg->hdr.psn) == c->cum)
			c->cum++;
		skip = c->got - off;
		if (n > skip) {
			must(!data ||
			     !memcmp(pkt->data + sizeof(*msg) + skip,
				     (const char *)data + (c->got - start),
				     n - skip));
			c->got = off + n;
		}
		send_ack(c);
	}
	return pkt;
}

/* The module's stream ends here. */
void conn_read_fin(struct conn *c)
{
	const struct mrc_wire_data *msg;

	do {
		msg = (const void *)expect(c, MRC_WIRE_DATA)->data;
	} while (!(msg->hdr.flags & MRC_WIRE_F_FIN));
	must(be64toh(msg->offset) == c->got);
	c->got++;
	c->cum = ntohl(msg->hdr.psn) + 1;
	send_ack(c);
}

/*
 * Everything sent so far has been processed, and none of @types came in
 * answer: the PING that is sent now is answered last.
 */
void settle(struct conn *c, unsigned int types)
{
	nothing(types);
	send_ping(c, 0, ++c->serial);
	while (ntohl(((struct mrc_wire_hdr *)
		      expect(c, MRC_WIRE_PONG)->data)->psn) != c->serial)
		;
}

/* A RESET for the connection, right in all but perhaps its token. */
void send_reset(const struct conn *c, __u64 token, __u16 reason)
{
	struct mrc_wire_reset msg = {
		.cid = htobe64(c->cid),
		.token = htobe64(token),
	};

	fill_hdr(&msg.hdr, MRC_WIRE_RESET, reason, 0, 0);
	conn_send(c, &msg, sizeof(msg));
}

/* The module ends the connection, or knows nothing of it, and proves it. */
void expect_reset(const struct conn *c, __u16 reason)
{
	const struct pkt *pkt = expect(c, MRC_WIRE_RESET);
	const struct mrc_wire_reset *msg = (const void *)pkt->data;

	must_eq(pkt->len, 32);
	must(be64toh(msg->token) == c->peer_token);
	must_eq(ntohs(msg->hdr.path_id), reason);
}

/* A connection that the application has closed with bytes unread: aborted. */
void conn_forgotten(struct conn *c)
{
	int listener = app_listen(app_port, 4), fd;

	conn_init(c, us0);
	fd = conn_open(c, listener);
	send_data(c, "unread", 6);
	expect_ack(c, 6);
	close(fd);
	expect_reset(c, MRC_WIRE_R_CLOSED);
}
