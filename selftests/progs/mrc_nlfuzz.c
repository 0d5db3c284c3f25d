// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_nlfuzz - random and damaged messages to the netlink family "mrc",
 * seeded. Half of them are well formed but for a field or two: attributes
 * missing, of another length or type, repeated, out of range, nested where
 * nothing nests, cut short; commands that do not exist; dumps that nobody
 * reads to their end. Used by cases/netlink_fuzz.sh.
 *
 * A refusal of a defined command must say why in words, unless the generic
 * netlink core refused before the family was asked: EPERM and EOPNOTSUPP.
 *
 * Exit status: 0 all as it must be, 1 not so, 2 usage.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "genl.h"
#include "kselftest.h"

#define ROOM	16384
#define ERRNOS	134

enum kind {
	KIND_U8 = 1,
	KIND_U16 = 2,
	KIND_U32 = 4,
	KIND_U64 = 8,
	KIND_STRING = 16,
};

/**
 * struct command - what the specification says of a command
 * @cmd: MRC_CMD_*
 * @admin: needs CAP_NET_ADMIN
 * @dump: is a dump
 * @kind: kinds of the attributes of a request, by number
 */
struct command {
	__u8 cmd;
	bool admin;
	bool dump;
	__u8 kind[8];
};

static const struct command commands[] = {
	{ MRC_CMD_ENDPOINT_ADD, true, false, {
		[MRC_A_ENDPOINT_ADDRESS] = KIND_U32,
		[MRC_A_ENDPOINT_IFINDEX] = KIND_U32,
		[MRC_A_ENDPOINT_IFNAME] = KIND_STRING,
		[MRC_A_ENDPOINT_FLAGS] = KIND_U32 } },
	{ MRC_CMD_ENDPOINT_DEL, true, false, {
		[MRC_A_ENDPOINT_ADDRESS] = KIND_U32 } },
	{ MRC_CMD_ENDPOINT_FLUSH, true, false, { } },
	{ MRC_CMD_ENDPOINT_GET, false, true, { } },
	{ MRC_CMD_LIMITS_SET, true, false, {
		[MRC_A_LIMITS_MAX_PATHS] = KIND_U32,
		[MRC_A_LIMITS_MAX_ANNOUNCED] = KIND_U32 } },
	{ MRC_CMD_LIMITS_GET, false, false, { } },
	{ MRC_CMD_CONN_GET, false, true, { [MRC_A_CONN_ID] = KIND_U64 } },
	{ MRC_CMD_PATH_GET, false, true, { [MRC_A_PATH_CONN_ID] = KIND_U64 } },
	{ MRC_CMD_STATS_GET, false, false, { } },
};

/* One message under construction. */
static union {
	struct nlmsghdr nlh;
	unsigned char byte[ROOM];
} msg;

static size_t used;
static struct genl genl;
static __u64 seed = 1;
static unsigned int count = 10000;
static bool privileged;
static unsigned long refused[ERRNOS], done, silent, wrong, dumps;

static __u32 next_random(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 33;
}

static bool one_in(__u32 n)
{
	return next_random() % n == 0;
}

static void put_attr(int type, const void *data, size_t len, size_t told)
{
	struct nlattr attr = {
		.nla_len = NLA_HDRLEN + told,
		.nla_type = type,
	};

	if (used + NLA_HDRLEN + NLA_ALIGN(len) > ROOM)
		return;
	memcpy(msg.byte + used, &attr, sizeof(attr));
	memcpy(msg.byte + used + NLA_HDRLEN, data, len);
	used += NLA_HDRLEN + NLA_ALIGN(len);
}

/* Numbers that somebody might have forgotten, and addresses of this host. */
static __u64 odd_number(void)
{
	static const __u64 numbers[] = {
		0, 1, 2, 3, 4, 7, 8, 16, 17, 63, 64, 65, 255, 256, 65535,
		0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, ~0ull,
	};

	if (one_in(4))
		return (__u64)next_random() << 32 | next_random();
	if (one_in(3))
		return htonl(0x0a090001 + (next_random() % 4 << 8));
	if (one_in(8))
		return htonl(0x7f000000 + next_random() % 4);
	return numbers[next_random() % ARRAY_SIZE(numbers)];
}

static void put_string(int type)
{
	static const char * const names[] = {
		"a0", "a1", "lo", "", "nosuch", "sixteen-letters!",
		"far longer than any name of a device can be",
	};
	const char *name = names[next_random() % ARRAY_SIZE(names)];

	/* Without its end at times. */
	put_attr(type, name, strlen(name) + 1, strlen(name) + !one_in(5));
}

static void put_garbage(int type)
{
	unsigned char data[300];
	size_t len = next_random() % (one_in(8) ? sizeof(data) : 20), i;

	for (i = 0; i < len; i++)
		data[i] = next_random();
	put_attr(type, data, len, one_in(4) ? next_random() % 64 : len);
}

/* An attribute as it should be, or nearly so. */
static void put_good(int type, enum kind kind)
{
	__u64 value = odd_number();

	if (one_in(16))
		type |= NLA_F_NESTED;
	if (one_in(32))
		type |= NLA_F_NET_BYTEORDER;
	if (kind == KIND_STRING)
		put_string(type);
	else if (kind && !one_in(10))
		put_attr(type, &value, kind, kind);
	else
		put_garbage(type);
}

static void put_nest(int depth)
{
	size_t start = used;
	struct nlattr attr;
	__u32 i;

	put_attr((1 + next_random() % 6) | NLA_F_NESTED, NULL, 0, 0);
	for (i = next_random() % 4; i; i--) {
		if (depth < 40 && !one_in(6))
			put_nest(depth + 1);
		else
			put_garbage(next_random() % 6);
	}
	if (start + sizeof(attr) > ROOM || used == start)
		return;
	memcpy(&attr, msg.byte + start, sizeof(attr));
	attr.nla_len = used - start;
	memcpy(msg.byte + start, &attr, sizeof(attr));
}

static const struct command *make_message(void)
{
	const struct command *command = &commands[next_random() % ARRAY_SIZE(commands)];
	struct genlmsghdr gnl = { .cmd = command->cmd, .version = 1 };
	int type;

	memset(&msg.nlh, 0, sizeof(msg.nlh));
	msg.nlh.nlmsg_type = genl.family;
	msg.nlh.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (command->dump != one_in(12))
		msg.nlh.nlmsg_flags |= NLM_F_DUMP;
	if (one_in(16))
		msg.nlh.nlmsg_flags |= next_random() & 0xff00 & ~NLM_F_DUMP;
	msg.nlh.nlmsg_seq = ++genl.seq;
	if (one_in(20)) {
		command = NULL;
		gnl.cmd = next_random();
		gnl.version = next_random();
	}
	used = NLMSG_HDRLEN;
	memcpy(msg.byte + used, &gnl, sizeof(gnl));
	used += GENL_HDRLEN;
	for (type = 1; command && type < 8; type++)
		if (command->kind[type] && !one_in(4))
			put_good(type, command->kind[type]);
	while (one_in(4))
		put_garbage(next_random() % (one_in(4) ? 65536 : 10));
	if (one_in(10))
		put_nest(0);
	if (one_in(12))
		used -= next_random() % 8 % (used - NLMSG_HDRLEN);
	msg.nlh.nlmsg_len = used;
	return command;
}

static bool has_sentence(const struct nlmsghdr *nlh)
{
	size_t skip = NLMSG_HDRLEN + sizeof(int);
	const struct nlattr *attr = NULL;
	const struct nlmsgerr *err;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) &&
	    nlh->nlmsg_type == NLMSG_ERROR)
		return false;
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		err = (const void *)((const char *)nlh + NLMSG_HDRLEN);
		skip = NLMSG_HDRLEN + sizeof(*err);
		if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
			skip += NLMSG_ALIGN(err->msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	if (skip > nlh->nlmsg_len)
		return false;
	while ((attr = genl_walk((const void *)((const char *)nlh + skip),
				 nlh->nlmsg_len - skip, attr)))
		if (attr->nla_type == NLMSGERR_ATTR_MSG)
			return genl_size(attr) > 1;
	return false;
}

static void judge(const struct command *command, const struct nlmsghdr *nlh)
{
	int err = -genl_error(nlh);
	bool odd;

	if (err < 0 || err >= ERRNOS) {
		wrong++;
		printf("# command %d: error %d\n", command ? command->cmd : -1,
		       err);
		return;
	}
	refused[err]++;
	done += !err;
	if (!command)
		return;
	/* Strange flags are refused before the right to ask is looked at. */
	odd = used < NLMSG_HDRLEN + GENL_HDRLEN ||
	      (msg.nlh.nlmsg_flags & 0xff00 & ~NLM_F_DUMP);
	if (!privileged && command->admin && err != EPERM &&
	    err != EOPNOTSUPP && !(odd && err == EINVAL)) {
		wrong++;
		printf("# command %d: %s for nobody\n", command->cmd,
		       strerror(err));
	}
	/* The core says nothing about these, nor about half a header. */
	if (!err || err == EPERM || err == EOPNOTSUPP || err == ENOBUFS ||
	    used < NLMSG_HDRLEN + GENL_HDRLEN || has_sentence(nlh))
		return;
	silent++;
	if (silent < 20)
		printf("# command %d, flags %x: %s without a sentence\n",
		       command->cmd, msg.nlh.nlmsg_flags, strerror(err));
}

/* Reads until the request has its error, its ACK or the end of its dump. */
static int take_answer(const struct command *command)
{
	static union {
		struct nlmsghdr nlh;
		char room[65536];
	} in;
	struct pollfd pfd = { .fd = genl.fd, .events = POLLIN };
	const struct nlmsghdr *nlh;
	ssize_t left;

	for (;;) {
		if (poll(&pfd, 1, 20000) <= 0) {
			printf("# no answer to message %u\n", genl.seq);
			return -1;
		}
		left = recv(genl.fd, &in, sizeof(in), 0);
		if (left < 0)
			return errno == ENOBUFS ? 0 : -1;
		for (nlh = &in.nlh; NLMSG_OK(nlh, left);
		     nlh = NLMSG_NEXT(nlh, left)) {
			if (nlh->nlmsg_seq != genl.seq ||
			    (nlh->nlmsg_type != NLMSG_ERROR &&
			     nlh->nlmsg_type != NLMSG_DONE))
				continue;
			judge(command, nlh);
			return 0;
		}
	}
}

/* A dump that is left after a message or two, with little room for it. */
static int leave_dump(void)
{
	static const __u8 cmds[] = {
		MRC_CMD_ENDPOINT_GET, MRC_CMD_CONN_GET, MRC_CMD_PATH_GET,
	};
	int size = 1, n = next_random() % 3;
	struct genl other;
	char buf[4096];

	if (genl_open(&other))
		return -1;
	setsockopt(other.fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	genl_send(&other, other.family, cmds[next_random() % 3],
		  NLM_F_DUMP | NLM_F_ACK, NULL, 0);
	while (n--)
		recv(other.fd, buf, sizeof(buf), MSG_DONTWAIT);
	close(other.fd);
	dumps++;
	return 0;
}

static int fuzz(void)
{
	const struct command *command;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (one_in(50) && leave_dump())
			return -1;
		command = make_message();
		if (send(genl.fd, &msg, used, 0) < 0)
			return -1;
		/* Less than a header is dropped without a word. */
		if (used >= NLMSG_HDRLEN && take_answer(command))
			return -1;
	}
	return 0;
}

static void usage(void)
{
	fprintf(stderr, "mrc_nlfuzz [--count N] [--seed N] [--nobody]\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 's' },
		{ "nobody", no_argument, NULL, 'n' },
		{ }
	};
	bool nobody = false;
	int opt, err, i;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'c')
			count = atoi(optarg);
		else if (opt == 's')
			seed = strtoull(optarg, NULL, 0);
		else if (opt == 'n')
			nobody = true;
		else
			usage();
	}
	if (optind < argc)
		usage();
	if ((nobody && setuid(65534)) || genl_open(&genl)) {
		perror("mrc_nlfuzz");
		return 1;
	}
	privileged = !nobody;
	err = fuzz();
	if (err)
		perror("# ended early");
	printf("messages %u accepted %lu silent %lu wrong %lu left %lu\n",
	       count, done, silent, wrong, dumps);
	for (i = 1; i < ERRNOS; i++)
		if (refused[i])
			printf("refused %lu %s\n", refused[i], strerror(i));
	return err || silent || wrong;
}
