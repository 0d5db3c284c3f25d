/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much generic netlink as the test programs need, without a library, so
 * that nothing stands between a bad message and the kernel.
 */
#ifndef MRC_SELFTESTS_GENL_H
#define MRC_SELFTESTS_GENL_H

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/types.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/mrc_netlink.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK	270
#endif

/**
 * struct genl - a socket and the number of the family
 * @fd: socket
 * @family: message type
 * @seq: of the last request
 */
struct genl {
	int fd;
	__u16 family;
	__u32 seq;
};

static inline const void *genl_data(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static inline int genl_size(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline int genl_ok(const struct nlattr *attr, const void *end)
{
	return (const char *)attr + NLA_HDRLEN <= (const char *)end &&
	       attr->nla_len >= NLA_HDRLEN &&
	       (const char *)attr + attr->nla_len <= (const char *)end;
}

/* The attribute behind @attr, the first one when that is NULL; NULL: no more. */
static inline const struct nlattr *genl_walk(const struct nlattr *head,
					     size_t len,
					     const struct nlattr *attr)
{
	const char *end = (const char *)head + len;

	attr = attr ? (const void *)((const char *)attr +
				     NLA_ALIGN(attr->nla_len)) : head;
	return genl_ok(attr, end) ? attr : NULL;
}

/* First attribute of a generic netlink message, and the bytes of all. */
static inline const struct nlattr *genl_attrs(const void *msg)
{
	return (const void *)((const char *)msg + NLMSG_HDRLEN + GENL_HDRLEN);
}

static inline int genl_len(const void *msg)
{
	return ((const struct nlmsghdr *)msg)->nlmsg_len - NLMSG_HDRLEN -
	       GENL_HDRLEN;
}

/* An attribute within another one, or NULL. */
static inline const struct nlattr *genl_find(const struct nlattr *nest,
					     int type)
{
	const struct nlattr *attr = NULL;

	while ((attr = genl_walk(genl_data(nest), genl_size(nest), attr)))
		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return attr;
	return NULL;
}

/* Sends one message; @len bytes of @attrs follow the two headers. */
static inline int genl_send(struct genl *genl, __u16 type, int cmd, int flags,
			    const void *attrs, size_t len)
{
	struct {
		struct nlmsghdr nlh;
		struct genlmsghdr gnl;
		char room[8192];
	} req = {
		.nlh = {
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | flags,
			.nlmsg_seq = ++genl->seq,
		},
		.gnl = { .cmd = cmd, .version = 1 },
	};

	if (len > sizeof(req.room))
		return -EMSGSIZE;
	if (len)
		memcpy(req.room, attrs, len);
	req.nlh.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN + len;
	return send(genl->fd, &req, req.nlh.nlmsg_len, 0) < 0 ? -errno : 0;
}

/* The error that a message reports: 0 or a negative errno. */
static inline int genl_error(const struct nlmsghdr *nlh)
{
	int err = 0;

	if (nlh->nlmsg_type == NLMSG_ERROR || nlh->nlmsg_type == NLMSG_DONE)
		memcpy(&err, (const char *)nlh + NLMSG_HDRLEN, sizeof(err));
	return err;
}

/*
 * One request, answered by a message (left in @buf), by an ACK or by an error.
 * Returns bytes of the answer, 0 for an ACK, or a negative errno.
 */
static inline int genl_ask(struct genl *genl, __u16 type, int cmd,
			   const void *attrs, size_t len, void *buf,
			   size_t size)
{
	struct nlmsghdr *nlh = buf;
	ssize_t n;
	int err;

	err = genl_send(genl, type, cmd, NLM_F_ACK, attrs, len);
	if (err)
		return err;
	n = recv(genl->fd, buf, size, 0);
	if (n < 0)
		return -errno;
	if (nlh->nlmsg_type == NLMSG_ERROR)
		return genl_error(nlh);
	/* The ACK follows the answer. */
	{
		char ack[1024];

		if (recv(genl->fd, ack, sizeof(ack), 0) < 0)
			return -errno;
	}
	return n;
}

static inline int genl_do(struct genl *genl, int cmd, const void *attrs,
			  size_t len, void *buf, size_t size)
{
	return genl_ask(genl, genl->family, cmd, attrs, len, buf, size);
}

/* All messages of a dump, one behind the other; bytes or a negative errno. */
static inline int genl_dump(struct genl *genl, int cmd, const void *attrs,
			    size_t len, void *buf, size_t size)
{
	struct nlmsghdr *nlh;
	size_t used = 0;
	ssize_t n;
	int err;

	err = genl_send(genl, genl->family, cmd, NLM_F_DUMP, attrs, len);
	while (!err) {
		n = recv(genl->fd, (char *)buf + used, size - used, 0);
		if (n <= 0)
			return n ? -errno : -EPIPE;
		nlh = (void *)((char *)buf + used);
		if (nlh->nlmsg_type == NLMSG_ERROR ||
		    nlh->nlmsg_type == NLMSG_DONE)
			return genl_error(nlh) ?: (int)used;
		used += NLMSG_ALIGN(n);
		/* The end may share a buffer with the last messages. */
		for (; n >= NLMSG_HDRLEN; n -= NLMSG_ALIGN(nlh->nlmsg_len),
		     nlh = (void *)((char *)nlh + NLMSG_ALIGN(nlh->nlmsg_len)))
			if (nlh->nlmsg_type == NLMSG_DONE)
				return genl_error(nlh) ?: (int)used;
	}
	return err;
}

/* Opens a socket in this namespace and finds the family. */
static inline int genl_open(struct genl *genl)
{
	struct {
		struct nlattr attr;
		char name[8];
	} req = {
		.attr = {
			.nla_len = NLA_HDRLEN + sizeof(MRC_FAMILY_NAME),
			.nla_type = CTRL_ATTR_FAMILY_NAME,
		},
		.name = MRC_FAMILY_NAME,
	};
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	const struct nlattr *attr = NULL;
	char buf[8192];
	int one = 1, len;

	genl->seq = 0;
	genl->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			  NETLINK_GENERIC);
	if (genl->fd < 0 ||
	    bind(genl->fd, (struct sockaddr *)&addr, sizeof(addr)))
		return -1;
	setsockopt(genl->fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	len = genl_ask(genl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, &req,
		       NLA_ALIGN(req.attr.nla_len), buf, sizeof(buf));
	if (len <= 0)
		return -1;
	while ((attr = genl_walk(genl_attrs(buf), genl_len(buf), attr))) {
		if (attr->nla_type != CTRL_ATTR_FAMILY_ID)
			continue;
		memcpy(&genl->family, genl_data(attr), 2);
		return 0;
	}
	return -1;
}

#endif /* MRC_SELFTESTS_GENL_H */
