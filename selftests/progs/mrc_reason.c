// SPDX-License-Identifier: GPL-2.0
/*
 * Connects an AF_MRC stream and prints why it goes over TCP: a number of enum
 * mrc_fallback_reason, 0: it does not.
 *
 * usage: mrc_reason IPV4-ADDRESS PORT
 */
#include <arpa/inet.h>
#include <linux/mrc.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	int fd = socket(AF_MRC, SOCK_STREAM, MRCPROTO_IPV4);
	struct mrc_info info = { };
	socklen_t len = sizeof(info);

	if (argc != 3 || inet_pton(AF_INET, argv[1], &sin.sin_addr) != 1) {
		fprintf(stderr, "usage: mrc_reason IPV4-ADDRESS PORT\n");
		return 2;
	}
	sin.sin_port = htons(atoi(argv[2]));
	if (fd < 0 || connect(fd, (struct sockaddr *)&sin, sizeof(sin))) {
		perror("mrc_reason");
		return 1;
	}
	if (getsockopt(fd, SOL_MRC, MRC_INFO, &info, &len)) {
		perror("mrc_reason: MRC_INFO");
		return 1;
	}
	printf("%u\n", info.fallback);
	return 0;
}
