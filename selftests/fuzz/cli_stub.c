// SPDX-License-Identifier: GPL-2.0
/*
 * The C library and libnl as mrcctl sees them in a box: every function here
 * replaces one by the linker's --wrap. Nothing leaves the process; what the
 * kernel would answer comes from the input.
 *
 * An answer is a list of messages: a byte for the kind, one for the length of
 * the body (in units of 4), and the body. Headers are made here, so that most
 * inputs get past them; one kind lets the input make its own.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <sanitizer/asan_interface.h>
#include "cli.h"

/* Kinds of messages in an answer, modulo their number. */
enum { KIND_REPLY, KIND_ERROR, KIND_DONE, KIND_RAW, KINDS };

struct cli_box cli_box;

int __wrap_genl_connect(struct nl_sock *sk)
{
	(void)sk;
	return cli_box.wrong & CLI_NO_NETLINK ? -NLE_PROTO_MISMATCH : 0;
}

int __wrap_genl_ctrl_resolve(struct nl_sock *sk, const char *name)
{
	(void)sk;
	fuzz_assert(!strcmp(name, "mrc"));
	return cli_box.wrong & CLI_NO_MODULE ? -NLE_OBJ_NOTFOUND : CLI_FAMILY;
}

int __wrap_genl_ctrl_resolve_grp(struct nl_sock *sk, const char *name,
				 const char *group)
{
	(void)sk;
	(void)name;
	(void)group;
	return cli_box.wrong & CLI_NO_GROUP ? -NLE_OBJ_NOTFOUND : 1;
}

int __wrap_nl_socket_add_membership(struct nl_sock *sk, int group)
{
	(void)sk;
	(void)group;
	return 0;
}

int __wrap_nl_socket_set_buffer_size(struct nl_sock *sk, int rx, int tx)
{
	(void)sk;
	(void)rx;
	(void)tx;
	return 0;
}

/* A request must be well formed, whatever the words were. */
int __wrap_nl_send_auto(struct nl_sock *sk, struct nl_msg *msg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	int left = (int)hdr->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	struct nlattr *attr = (void *)((char *)hdr + NLMSG_HDRLEN +
				       GENL_HDRLEN);

	(void)sk;
	fuzz_assert(hdr->nlmsg_type == CLI_FAMILY && left >= 0);
	for (; nla_ok(attr, left); attr = nla_next(attr, &left))
		fuzz_assert(nla_type(attr));
	fuzz_assert(!left);
	if (cli_box.wrong & CLI_NO_SEND)
		return -NLE_FAILURE;
	hdr->nlmsg_seq = 1;
	cli_box.sent++;
	return hdr->nlmsg_len;
}

/* One message of an answer. Return: its bytes. */
static size_t put_message(unsigned char *to)
{
	unsigned int kind = fuzz_u8(&cli_box.in), fixed = NLMSG_HDRLEN;
	size_t body = fuzz_u8(&cli_box.in) * 4;
	struct nlmsghdr hdr = { .nlmsg_seq = 1 };

	switch (kind % KINDS) {
	case KIND_REPLY:
		hdr.nlmsg_type = CLI_FAMILY;
		hdr.nlmsg_flags = kind & 0x80 ? NLM_F_DUMP_INTR : NLM_F_MULTI;
		break;
	case KIND_ERROR:
		hdr.nlmsg_type = NLMSG_ERROR;
		hdr.nlmsg_flags = (kind & 0x10 ? NLM_F_CAPPED : 0) |
				  (kind & 0x20 ? NLM_F_ACK_TLVS : 0);
		break;
	case KIND_DONE:
		hdr.nlmsg_type = NLMSG_DONE;
		break;
	default:
		fixed = 0;
	}
	hdr.nlmsg_len = fixed + body;
	memcpy(to, &hdr, fixed);
	fuzz_take(&cli_box.in, to + fixed, body);
	return fixed + body;
}

/*
 * The next answer, as long as the input lasts; then the socket fails, so that
 * nobody waits for ever. What follows the answer in the buffer is forbidden
 * ground for mrcctl.
 */
ssize_t __wrap_recv(int fd, void *buf, size_t size, int flags)
{
	unsigned int count;
	size_t used = 0;

	(void)fd;
	ASAN_UNPOISON_MEMORY_REGION(buf, size);
	if (!cli_box.in.left) {
		errno = flags & MSG_DONTWAIT ? EAGAIN : ECONNRESET;
		return -1;
	}
	count = fuzz_u8(&cli_box.in);
	if (count >= 0xf0) {
		errno = count & 1 ? ENOBUFS : EINTR;
		return -1;
	}
	for (count = 1 + count % 4; count > 0 && cli_box.in.left; count--)
		used += put_message((unsigned char *)buf + used);
	fuzz_assert(used <= size);
	ASAN_POISON_MEMORY_REGION((char *)buf + used, size - used);
	return used;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	fuzz_assert(count == 2);
	(void)timeout;
	fds[0].revents = POLLIN;
	fds[1].revents = cli_box.in.left ? 0 : POLLERR;
	return 1;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len)
{
	(void)fd;
	(void)level;
	(void)name;
	(void)value;
	(void)len;
	return 0;
}

int __wrap_socket(int family, int type, int protocol)
{
	(void)family;
	(void)type;
	(void)protocol;
	errno = EAFNOSUPPORT;
	return -1;
}

int __wrap_execvp(const char *file, char *const argv[])
{
	fuzz_assert(file == argv[0]);
	errno = ENOENT;
	return -1;
}

int __wrap_setenv(const char *name, const char *value, int overwrite)
{
	fuzz_assert(*name && strlen(value) && overwrite);
	return 0;
}

/* One block, as the C library makes it: freeifaddrs() frees just that. */
int __wrap_getifaddrs(struct ifaddrs **list)
{
	struct box {
		struct ifaddrs entry[3];
		struct sockaddr_in ip;
		struct sockaddr_in6 six;
	} *box;

	if (cli_box.wrong & CLI_NO_DEVICES) {
		errno = EMFILE;
		return -1;
	}
	box = calloc(1, sizeof(*box));
	box->ip.sin_family = AF_INET;
	box->six.sin6_family = AF_INET6;
	box->entry[0].ifa_next = &box->entry[1];
	box->entry[1].ifa_next = &box->entry[2];
	box->entry[1].ifa_addr = (struct sockaddr *)&box->ip;
	box->entry[2].ifa_addr = (struct sockaddr *)&box->six;
	*list = &box->entry[0];
	return 0;
}

struct if_nameindex *__wrap_if_nameindex(void)
{
	struct if_nameindex *list;

	if (cli_box.wrong & CLI_NO_DEVICES) {
		errno = EMFILE;
		return NULL;
	}
	list = calloc(2, sizeof(*list));
	list[0].if_index = 1;
	list[0].if_name = strdup("lo");
	return list;
}

char *__wrap_if_indextoname(unsigned int index, char *name)
{
	if (index & 1) {
		errno = ENXIO;
		return NULL;
	}
	return strcpy(name, "fifteen-letters");
}
