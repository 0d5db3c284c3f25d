// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: packets that are not of this format, to a connection and to nobody.
 */
#include <netinet/tcp.h>
#include <unistd.h>
#include "inject.h"

static const __u8 size[__MRC_WIRE_TYPES] = {
	[MRC_WIRE_DATA] = sizeof(struct mrc_wire_data),
	[MRC_WIRE_ACK] = sizeof(struct mrc_wire_ack),
	[MRC_WIRE_INIT] = sizeof(struct mrc_wire_init),
	[MRC_WIRE_INIT_ACK] = sizeof(struct mrc_wire_init_ack),
	[MRC_WIRE_OPEN] = sizeof(struct mrc_wire_open),
	[MRC_WIRE_REFUSE] = sizeof(struct mrc_wire_refuse),
	[MRC_WIRE_JOIN] = sizeof(struct mrc_wire_join),
	[MRC_WIRE_CHALLENGE] = sizeof(struct mrc_wire_join),
	[MRC_WIRE_CONFIRM] = sizeof(struct mrc_wire_join),
	[MRC_WIRE_JOINED] = sizeof(struct mrc_wire_join),
	[MRC_WIRE_PING] = sizeof(struct mrc_wire_ping),
	[MRC_WIRE_PONG] = sizeof(struct mrc_wire_ping),
	[MRC_WIRE_RESET] = sizeof(struct mrc_wire_reset),
	[MRC_WIRE_ADDR] = sizeof(struct mrc_wire_addr),
	[MRC_WIRE_ADDR_ACK] = sizeof(struct mrc_wire_addr),
	[MRC_WIRE_PATH] = sizeof(struct mrc_wire_path),
};

static struct conn c;
static int fd;

static void begin(void)
{
	int listener = app_listen(app_port, 4);

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	settle(&c, 0);
}

/* The connection has noticed nothing. */
static void unharmed(void)
{
	settle(&c, TYPE(RESET));
	app_state_is(fd, TCP_ESTABLISHED);
	must_eq(app_pending(fd), 0);
	send_data(&c, "in", 2);
	app_read(fd, "in", 2);
	app_write(fd, "out", 3);
	conn_read(&c, "out", 3);
}

static void versions(void)
{
	__u64 before = stat_get("RxVersion"), sent = 0;
	__u8 msg[64] = { };
	int version, type;

	begin();
	for (version = 0; version < 8; version++) {
		if (version == MRC_WIRE_VERSION)
			continue;
		for (type = 0; type < 32; type++, sent++) {
			fill_hdr((void *)msg, type, 0, 1, c.peer_cid);
			msg[0] = version << 5 | type;
			conn_send(&c, msg, sizeof(msg));
		}
	}
	nothing(TYPE_ANY & ~TYPE(PING));
	must_eq(stat_get("RxVersion"), before + sent);
	unharmed();
}

static void types(void)
{
	__u64 before = stat_get("RxType");
	__u8 msg[64] = { };
	int type;

	begin();
	for (type = __MRC_WIRE_TYPES; type < 32; type++) {
		fill_hdr((void *)msg, type, 0, 1, c.peer_cid);
		conn_send(&c, msg, sizeof(msg));
	}
	nothing(TYPE_ANY & ~TYPE(PING));
	must_eq(stat_get("RxType"), before + 32 - __MRC_WIRE_TYPES);
	unharmed();
}

/* Every length below that of its type. */
static void too_short(void)
{
	__u64 before = stat_get("RxShort"), sent = 0;
	__u8 msg[256] = { };
	size_t len;
	int type;

	begin();
	for (type = 0; type < __MRC_WIRE_TYPES; type++) {
		fill_hdr((void *)msg, type, 0, 1, c.peer_cid);
		for (len = 0; len < size[type]; len++, sent++)
			conn_send(&c, msg, len);
	}
	nothing(TYPE_ANY & ~TYPE(PING));
	must_eq(stat_get("RxShort"), before + sent);
	unharmed();
}

/* Messages of fixed size that are longer. */
static void too_long(void)
{
	__u64 before = stat_get("RxLength"), sent = 0;
	__u8 msg[1400] = { };
	int type;

	begin();
	for (type = 0; type < __MRC_WIRE_TYPES; type++) {
		if (type == MRC_WIRE_DATA || type == MRC_WIRE_ACK ||
		    type == MRC_WIRE_INIT)
			continue;
		fill_hdr((void *)msg, type, 0, 1, c.peer_cid);
		conn_send(&c, msg, size[type] + 1);
		conn_send(&c, msg, sizeof(msg));
		sent += 2;
	}
	nothing(TYPE_ANY & ~TYPE(PING));
	must_eq(stat_get("RxLength"), before + sent);
	unharmed();
}

/* Every signed message, unsigned: to a connection, each is one bad MAC. */
static void unsigned_messages(void)
{
	static const int signed_types[] = {
		MRC_WIRE_JOIN, MRC_WIRE_CHALLENGE, MRC_WIRE_CONFIRM,
		MRC_WIRE_JOINED, MRC_WIRE_PING, MRC_WIRE_PONG, MRC_WIRE_ADDR,
		MRC_WIRE_ADDR_ACK, MRC_WIRE_PATH,
	};
	int count = ARRAY_SIZE(signed_types), i;
	__u8 msg[64] = { };
	__u64 before;

	begin();
	before = stat_get("RxBadMac");
	for (i = 0; i < count; i++) {
		fill_hdr((void *)msg, signed_types[i], 0, 1, c.peer_cid);
		conn_send(&c, msg, size[signed_types[i]]);
	}
	nothing(TYPE_ANY & ~TYPE(PING));
	must_eq(stat_get("RxBadMac"), before + count);
	must_eq(app_paths(fd), 1);
	unharmed();
}

/* Handshake messages of no time and place, to a connection that is open. */
static void out_of_place(void)
{
	__u8 msg[128] = { };
	int type;

	begin();
	for (type = MRC_WIRE_INIT_ACK; type <= MRC_WIRE_REFUSE; type++) {
		memset(msg, 0, sizeof(msg));
		fill_hdr((void *)msg, type, 0, 1, c.peer_cid);
		conn_send(&c, msg, size[type]);
		memset(msg + 16, 0xff, sizeof(msg) - 16);
		conn_send(&c, msg, size[type]);
	}
	unharmed();
}

const struct inject_test tests_form[] = {
	{ "versions", versions },
	{ "types", types },
	{ "too_short", too_short },
	{ "too_long", too_long },
	{ "unsigned_messages", unsigned_messages },
	{ "out_of_place", out_of_place },
	{ }
};
