// SPDX-License-Identifier: GPL-2.0
/*
 * The first connect() of AF_MRC to a host that has none, and the second one,
 * for which this is remembered.
 */
#include "fallback_peer.h"

TEST_F(fall, first_and_second)
{
	long long start = now_ms(), took;
	int fd = mrc_socket(variant);

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, connect_any(fd, &self->addr))
		TH_LOG("%s", strerror(errno));
	took = now_ms() - start;
	EXPECT_EQ(number("MRC_PEER_REASON"), reason_of(fd));
	EXPECT_LE(number("MRC_PEER_LEAST"), took);
	EXPECT_GE(number("MRC_PEER_MOST"), took);
	EXPECT_TRUE(echoes(fd));
	close(fd);
	start = now_ms();
	fd = mrc_socket(variant);
	ASSERT_EQ(0, connect_any(fd, &self->addr));
	took = now_ms() - start;
	EXPECT_EQ(MRC_FALLBACK_REMEMBERED, reason_of(fd));
	EXPECT_GE(900, took);
	EXPECT_TRUE(echoes(fd));
}

TEST_HARNESS_MAIN
