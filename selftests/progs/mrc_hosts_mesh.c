// SPDX-License-Identifier: GPL-2.0
/*
 * Two hosts, part 9: which paths a connection gets. It must not depend on who
 * called whom, nor over which path. See hosts_fixture.h; run by
 * cases/socket_mesh.sh, which says by MRC_HOST_PATHS how many networks both
 * hosts share.
 */
#include "hosts_fixture.h"

/* Time that all paths have to be there, milliseconds. */
#define ALL_THERE	2000

/* One good path in each network, of which host @near has the near end. */
static bool one_in_each(int fd, int near)
{
	const struct mrc_info *info = info_of(fd);
	int seen[256] = { }, side = near == 'a' ? 1 : 2;

	if (!info)
		return false;
	for (__u32 i = 0; i < info->path_count; i++) {
		const struct mrc_path_info *p = &info->paths[i];
		int k = p->local_addr[2];
		struct sockaddr_in local = host_addr(k, side, 0);
		struct sockaddr_in remote = host_addr(k, 3 - side, 0);

		if (p->state != MRC_PATH_GOOD)
			continue;
		if (memcmp(p->local_addr, &local.sin_addr, 4) ||
		    memcmp(p->remote_addr, &remote.sin_addr, 4) || seen[k]++)
			return false;
	}
	return true;
}

/* Calls from host @from over path @k; both sides have the same paths soon. */
static void call(struct __test_metadata *_metadata, char from, int k)
{
	char to = from == 'a' ? 'b' : 'a';
	struct sockaddr_in addr = host_addr(k, to == 'a' ? 1 : 2, 0);
	int listener, client, server;
	long long start;
	char data[1000];

	ASSERT_EQ(0, on_host(to));
	listener = socket(AF_MRC, SOCK_STREAM, 0);
	ASSERT_EQ(0, bind_in(listener, &addr));
	ASSERT_EQ(0, listen(listener, 4));
	ASSERT_EQ(0, sockname(listener, &addr));
	ASSERT_EQ(0, on_host(from));
	start = now_ms();
	client = open_client(AF_MRC, &addr);
	ASSERT_LE(0, client) TH_LOG("%c by path %d", from, k);
	server = accept(listener, NULL, NULL);
	ASSERT_LE(0, server);
	EXPECT_TRUE(paths_become(client, path_count()))
		TH_LOG("%c by path %d: %d paths", from, k,
		       paths_in(client, MRC_PATH_GOOD));
	EXPECT_TRUE(paths_become(server, path_count()));
	EXPECT_GT(ALL_THERE, now_ms() - start);
	EXPECT_TRUE(one_in_each(client, from));
	EXPECT_TRUE(one_in_each(server, to));
	EXPECT_EQ(sizeof(data), write_stream(client, 0, sizeof(data)));
	EXPECT_EQ(sizeof(data), read_stream(server, 0, sizeof(data)));
	EXPECT_EQ(sizeof(data), write_stream(server, 0, sizeof(data)));
	EXPECT_EQ(sizeof(data), read_stream(client, 0, sizeof(data)));
	close(client);
	close(server);
	close(listener);
}

TEST(called_from_a)
{
	for (int k = 0; k < path_count(); k++)
		call(_metadata, 'a', k);
}

TEST(called_from_b)
{
	for (int k = 0; k < path_count(); k++)
		call(_metadata, 'b', k);
}

TEST_HARNESS_MAIN
