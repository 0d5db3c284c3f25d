/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mrcctl in a box: what cli_stub.c, which replaces the kernel, and
 * fuzz_cli.c, which calls mrcctl, know of one another.
 */
#ifndef _FUZZ_CLI_H
#define _FUZZ_CLI_H

#include <ifaddrs.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include "fuzz.h"

/* Number of the family "mrc" in the box. */
#define CLI_FAMILY	0x20

/* What goes wrong in the box, a bit each in the input's first byte. */
#define CLI_NO_NETLINK	0x01	/* no socket */
#define CLI_NO_MODULE	0x02	/* no such family */
#define CLI_NO_SEND	0x04	/* requests cannot be sent */
#define CLI_NO_GROUP	0x08	/* no group of events */
#define CLI_NO_DEVICES	0x10	/* no list of devices or addresses */

/**
 * struct cli_box - the world of one run
 * @in: what the kernel will answer
 * @wrong: CLI_NO_*
 * @sent: requests that were sent
 */
struct cli_box {
	struct fuzz_in in;
	unsigned int wrong;
	unsigned int sent;
};

extern struct cli_box cli_box;

int mrcctl_main(int argc, char **argv);

int __wrap_genl_connect(struct nl_sock *sk);
int __wrap_genl_ctrl_resolve(struct nl_sock *sk, const char *name);
int __wrap_genl_ctrl_resolve_grp(struct nl_sock *sk, const char *name,
				 const char *group);
int __wrap_nl_socket_add_membership(struct nl_sock *sk, int group);
int __wrap_nl_socket_set_buffer_size(struct nl_sock *sk, int rx, int tx);
int __wrap_nl_send_auto(struct nl_sock *sk, struct nl_msg *msg);
ssize_t __wrap_recv(int fd, void *buf, size_t size, int flags);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len);
int __wrap_socket(int family, int type, int protocol);
int __wrap_execvp(const char *file, char *const argv[]);
int __wrap_setenv(const char *name, const char *value, int overwrite);
int __wrap_getifaddrs(struct ifaddrs **list);
struct if_nameindex *__wrap_if_nameindex(void);
char *__wrap_if_indextoname(unsigned int index, char *name);

#endif /* _FUZZ_CLI_H */
