// SPDX-License-Identifier: GPL-2.0
/*
 * Announced addresses: which are taken, of either version of IP, and that
 * every other one is refused.
 */
#include "unit.h"
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include "wire/build.h"
#include "wire/parse.h"

static struct mrc_wire_addr announcement(u8 op, u8 family, const char *text)
{
	struct mrc_wire_addr wire = { .op = op, .family = family };

	mrc_build_hdr(&wire.hdr, MRC_WIRE_ADDR, 0, 3, 0xfffffff0, 0x1234);
	inet_pton(family == 4 ? AF_INET : AF_INET6, text, wire.addr);
	return wire;
}

static enum mrc_parse_error told(const char *text)
{
	struct mrc_wire_addr wire = announcement(MRC_WIRE_ADDR_ADD,
						 strchr(text, ':') ? 6 : 4,
						 text);
	struct mrc_parse_addr out;

	return mrc_parse_addr(&wire, &out);
}

TEST(fields_come_through)
{
	struct mrc_wire_addr wire = announcement(MRC_WIRE_ADDR_DEL, 6,
						 "2001:db8::8:800:200c:417a");
	struct mrc_parse_addr out;

	wire.flags = MRC_WIRE_JOIN_BACKUP;
	ASSERT_EQ(MRC_PARSE_OK, mrc_parse_addr(&wire, &out));
	EXPECT_EQ(0, memcmp(out.ip, wire.addr, 16));
	EXPECT_EQ(0xfffffff0, out.serial);
	EXPECT_EQ(MRC_WIRE_ADDR_DEL, out.op);
	EXPECT_EQ(6, out.version);
	EXPECT_TRUE(out.backup);
	wire = announcement(MRC_WIRE_ADDR_ADD, 4, "10.9.0.1");
	ASSERT_EQ(MRC_PARSE_OK, mrc_parse_addr(&wire, &out));
	EXPECT_EQ(4, out.version);
	EXPECT_FALSE(out.backup);
	EXPECT_EQ(inet_addr("10.9.0.1"), (in_addr_t)out.ip[0]);
	EXPECT_EQ(0, out.ip[1] | out.ip[2] | out.ip[3]);
}

TEST(sane_ones)
{
	static const char * const list[] = {
		"10.0.0.1", "127.0.0.1", "192.0.2.255", "223.255.255.255",
		"1.0.0.0",
		"::1", "2001:db8::1", "fd09:0:1::2", "1::", "fec0::1",
		"fe00::1", "::1:0:0:0:1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		EXPECT_EQ(MRC_PARSE_OK, told(list[i]))
			TH_LOG("%s", list[i]);
	}
}

TEST(insane_ones)
{
	static const char * const list[] = {
		"0.0.0.0", "0.1.2.3", "224.0.0.0", "239.1.1.1", "240.0.0.1",
		"255.255.255.255",
		"::", "::2", "::10.0.0.1", "::ffff:10.0.0.1", "fe80::1", "febf::1", "ff02::1",
		"ff0e::1", "ffff::",
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		EXPECT_EQ(MRC_PARSE_VALUE, told(list[i]))
			TH_LOG("%s", list[i]);
	}
}

TEST(other_fields)
{
	struct mrc_wire_addr wire;
	struct mrc_parse_addr out;

	for (int op = 0; op < 256; op++) {
		wire = announcement(op, 4, "10.0.0.1");
		EXPECT_EQ(op == MRC_WIRE_ADDR_ADD || op == MRC_WIRE_ADDR_DEL ?
			  MRC_PARSE_OK : MRC_PARSE_VALUE,
			  mrc_parse_addr(&wire, &out));
	}
	for (int family = 0; family < 256; family++) {
		wire = announcement(MRC_WIRE_ADDR_ADD, 4, "10.0.0.1");
		wire.family = family;
		/* Read as IPv6 these bytes are a00:1::, which is one. */
		EXPECT_EQ(family == 4 || family == 6 ? MRC_PARSE_OK :
			  MRC_PARSE_VALUE, mrc_parse_addr(&wire, &out));
	}
	/* Behind an IPv4 address there is nothing. */
	for (int i = 4; i < 16; i++) {
		wire = announcement(MRC_WIRE_ADDR_ADD, 4, "10.0.0.1");
		wire.addr[i] = 1;
		EXPECT_EQ(MRC_PARSE_VALUE, mrc_parse_addr(&wire, &out));
	}
}

TEST_HARNESS_MAIN
