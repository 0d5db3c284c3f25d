// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl endpoint: local addresses that are offered for paths.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/mrc_netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include "args.h"
#include "attr_gen.h"
#include "fail.h"
#include "nl.h"
#include "out.h"

static const struct out_col columns[] = {
	{ "address", "ADDRESS", OUT_IP, MRC_A_ENDPOINT_ADDRESS, 0 },
	{ "dev", "DEV", OUT_DEV, MRC_A_ENDPOINT_IFINDEX, 0 },
	{ "flags", "FLAGS", OUT_NAME, MRC_A_ENDPOINT_FLAGS, 0 },
	{ "id", "ID", OUT_NUMBER, MRC_A_ENDPOINT_ID, 0 },
};

/**
 * struct endpoint_words - "endpoint add" taken apart
 * @address: the address
 * @dev: name of the device; NULL: none given
 * @flags: MRC_ENDPOINT_FLAG_*
 * @flag_word: last word that set a flag; NULL: none did
 */
struct endpoint_words {
	struct args_address address;
	const char *dev;
	__u32 flags;
	const char *flag_word;
};

/* The bit of a flag word; 0: it is none. */
static __u32 flag_of(const char *word)
{
	unsigned int i;

	for (i = 0; i < attr_names_endpoint_flag.count; i++) {
		if (!strcmp(attr_names_endpoint_flag.name[i], word))
			return 1U << i;
	}
	return 0;
}

static int read_words(const struct ctx *ctx, int argc, char **argv,
		      struct endpoint_words *words)
{
	__u32 flag;
	int i;

	for (i = 1; i < argc; i++) {
		flag = flag_of(argv[i]);
		if (flag) {
			if (words->flags & flag)
				return fail_usage(ctx, argv[i], "given twice");
			words->flags |= flag;
			words->flag_word = argv[i];
			continue;
		}
		if (strcmp(argv[i], "dev"))
			return fail_usage(ctx, argv[i], "unknown word");
		if (words->dev)
			return fail_usage(ctx, argv[i], "given twice");
		if (++i == argc)
			return fail_usage(ctx, "dev",
					  "the name of a device must follow");
		words->dev = argv[i];
		if (strlen(words->dev) >= IF_NAMESIZE)
			return fail_usage(ctx, words->dev,
					  "too long for the name of a device");
	}
	return EXIT_OK;
}

static int run_add(const struct ctx *ctx, int argc, char **argv)
{
	const __u32 both = MRC_ENDPOINT_FLAG_INITIATE |
			      MRC_ENDPOINT_FLAG_ANNOUNCE;
	struct endpoint_words words = { 0 };
	struct nl_req req;
	int status;

	if (!argc)
		return fail_usage(ctx, NULL, "an address must follow");
	status = args_address(ctx, argv[0], &words.address);
	if (!status)
		status = read_words(ctx, argc, argv, &words);
	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_ENDPOINT_ADD, false,
				     &attr_set_endpoint);
	if (status)
		return status;
	if (!(words.flags & both))
		words.flags |= both;
	nl_req_bytes(&req, MRC_A_ENDPOINT_ADDRESS, words.address.bytes,
		     words.address.len, argv[0]);
	if (words.dev)
		nl_req_string(&req, MRC_A_ENDPOINT_IFNAME, words.dev);
	nl_req_u32(&req, MRC_A_ENDPOINT_FLAGS, words.flags, words.flag_word);
	return nl_req_run(&req);
}

static int run_del(const struct ctx *ctx, int argc, char **argv)
{
	struct args_address address;
	struct nl_req req;
	int status;

	if (!argc)
		return fail_usage(ctx, NULL, "an address must follow");
	status = args_address(ctx, argv[0], &address);
	if (!status)
		status = args_none(ctx, argc - 1, argv + 1);
	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_ENDPOINT_DEL, false,
				     &attr_set_endpoint);
	if (status)
		return status;
	nl_req_bytes(&req, MRC_A_ENDPOINT_ADDRESS, address.bytes, address.len,
		     argv[0]);
	return nl_req_run(&req);
}

static int run_flush(const struct ctx *ctx, int argc, char **argv)
{
	struct nl_req req;
	int status = args_none(ctx, argc, argv);

	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_ENDPOINT_FLUSH, false,
				     &attr_set_endpoint);
	return status ? status : nl_req_run(&req);
}

static int run_show(const struct ctx *ctx, int argc, char **argv)
{
	struct nl_req req;
	int status = args_none(ctx, argc, argv);

	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_ENDPOINT_GET, true,
				     &attr_set_endpoint);
	if (status)
		return status;
	return out_table(ctx, &req, columns, ARRAY_SIZE(columns));
}

/* An address that can be an endpoint; link-local ones cannot. */
static void print_local(const struct sockaddr *addr)
{
	const struct sockaddr_in6 *sin6 = (const void *)addr;
	const struct sockaddr_in *sin = (const void *)addr;
	char buf[INET6_ADDRSTRLEN];

	if (addr->sa_family == AF_INET)
		puts(inet_ntop(AF_INET, &sin->sin_addr, buf, sizeof(buf)));
	else if (addr->sa_family == AF_INET6 &&
		 !IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr))
		puts(inet_ntop(AF_INET6, &sin6->sin6_addr, buf, sizeof(buf)));
}

static void complete_add(const char *prev)
{
	struct if_nameindex *dev, *devs;
	struct ifaddrs *addr, *addrs;

	if (!strcmp(prev, "dev")) {
		devs = if_nameindex();
		if (!devs)
			return;
		for (dev = devs; dev->if_name; dev++)
			puts(dev->if_name);
		if_freenameindex(devs);
		return;
	}
	if (strcmp(prev, "add") || getifaddrs(&addrs))
		return;
	for (addr = addrs; addr; addr = addr->ifa_next) {
		if (addr->ifa_addr && !(addr->ifa_flags & IFF_LOOPBACK))
			print_local(addr->ifa_addr);
	}
	freeifaddrs(addrs);
}

static int print_address(const struct attr_msg *msg, void *arg)
{
	char buf[INET6_ADDRSTRLEN];
	const void *ip;
	int family = attr_address(msg, MRC_A_ENDPOINT_ADDRESS, &ip);

	(void)arg;
	if (family != AF_UNSPEC)
		puts(inet_ntop(family, ip, buf, sizeof(buf)));
	return 0;
}

static void complete_del(const char *prev)
{
	struct nl_req req;

	if (strcmp(prev, "del") ||
	    nl_req_open(&req, NULL, MRC_CMD_ENDPOINT_GET, true,
			&attr_set_endpoint))
		return;
	req.visit = print_address;
	nl_req_run(&req);
}

static const char * const add_words[] = {
	"dev", "initiate", "announce", "backup", NULL
};

const struct command cmd_endpoint_add = {
	.object		= "endpoint",
	.verb		= "add",
	.args		= "ADDRESS [dev DEV] [initiate] [announce] [backup]",
	.help		= "offer a local address for paths (neither initiate nor announce: both)",
	.words		= add_words,
	.complete	= complete_add,
	.run		= run_add,
};

const struct command cmd_endpoint_del = {
	.object		= "endpoint",
	.verb		= "del",
	.args		= "ADDRESS",
	.help		= "take an address back; its paths end",
	.complete	= complete_del,
	.run		= run_del,
};

const struct command cmd_endpoint_flush = {
	.object		= "endpoint",
	.verb		= "flush",
	.args		= "",
	.help		= "take all addresses back",
	.run		= run_flush,
};

const struct command cmd_endpoint_show = {
	.object		= "endpoint",
	.verb		= "show",
	.fallback	= true,
	.args		= "",
	.help		= "list the addresses that are offered",
	.run		= run_show,
};
