// SPDX-License-Identifier: GPL-2.0
/*
 * Sends requests and receives answers. libnl makes the socket and the
 * messages; answers are read here, because the kernel's sentence (extended
 * ACK) has to be found in errors and at the end of dumps alike, and because a
 * dump that was disturbed has to be repeated. One request at a time.
 */
#include <errno.h>
#include <linux/mrc_netlink.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/socket.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "fail.h"
#include "nl.h"

/* A dump disturbed more often than this is shown as it is. */
#define DUMP_TRIES	10

/* The kernel fills at most 32 KiB at a time. */
#define BUFFER_SIZE	65536

/* Results of reading: an exit status, or one of these. */
#define MORE		(-1)
#define DISTURBED	(-2)

static int cannot(const struct ctx *ctx, const char *what, int error)
{
	if (!ctx)
		return EXIT_REFUSED;
	return fail(ctx, EXIT_REFUSED, NULL, "%s: %s", what, strerror(error));
}

/**
 * nl_family_open() - open a socket and find the family
 * @ctx: command, for error reports; NULL: fail silently
 * @sk: set to the socket; NULL on failure
 * @family: set to the number of the family
 *
 * Return: EXIT_OK or EXIT_REFUSED.
 */
int nl_family_open(const struct ctx *ctx, struct nl_sock **sk, int *family)
{
	int err;

	*sk = nl_socket_alloc();
	if (!*sk)
		return cannot(ctx, "netlink", ENOMEM);
	err = genl_connect(*sk);
	if (!err) {
		*family = genl_ctrl_resolve(*sk, MRC_FAMILY_NAME);
		if (*family > 0)
			return EXIT_OK;
		err = *family;
	}
	nl_socket_free(*sk);
	*sk = NULL;
	if (!ctx)
		return EXIT_REFUSED;
	if (err == -NLE_OBJ_NOTFOUND)
		return fail(ctx, EXIT_REFUSED, NULL,
			    "AF_MRC is not available: the module mrc is not loaded (try 'modprobe mrc' or 'insmod mrc.ko')");
	return fail(ctx, EXIT_REFUSED, NULL, "netlink: %s", nl_geterror(err));
}

/**
 * nl_req_open() - begin a request
 * @req: to fill; nl_req_run() ends it
 * @ctx: command, for error reports; NULL: fail silently
 * @cmd: MRC_CMD_*
 * @dump: many replies
 * @set: attributes of request and replies
 *
 * Return: EXIT_OK or EXIT_REFUSED; then @req holds nothing.
 */
int nl_req_open(struct nl_req *req, const struct ctx *ctx, int cmd, bool dump,
		const struct attr_set *set)
{
	int flags = dump ? NLM_F_DUMP : NLM_F_ACK;
	int on = 1, status;

	memset(req, 0, sizeof(*req));
	req->ctx = ctx;
	req->set = set;
	req->dump = dump;
	status = nl_family_open(ctx, &req->sk, &req->family);
	if (status)
		return status;
	setsockopt(nl_socket_get_fd(req->sk), SOL_NETLINK, NETLINK_EXT_ACK,
		   &on, sizeof(on));
	nl_socket_disable_auto_ack(req->sk);
	req->msg = nlmsg_alloc();
	if (req->msg && genlmsg_put(req->msg, NL_AUTO_PORT, NL_AUTO_SEQ,
				    req->family, 0, flags, cmd,
				    MRC_FAMILY_VERSION))
		return EXIT_OK;
	nlmsg_free(req->msg);
	nl_socket_free(req->sk);
	return cannot(ctx, "netlink", ENOMEM);
}

/**
 * nl_req_u32() - add an attribute of 4 bytes
 * @req: request
 * @id: number of the attribute
 * @value: its value
 * @word: word of the command line that it came from
 */
void nl_req_u32(struct nl_req *req, unsigned int id, __u32 value,
		const char *word)
{
	nla_put_u32(req->msg, id, value);
	req->word[id] = word;
}

/**
 * nl_req_u64() - add an attribute of 8 bytes
 * @req: request
 * @id: number of the attribute
 * @value: its value
 * @word: word of the command line that it came from
 */
void nl_req_u64(struct nl_req *req, unsigned int id, __u64 value,
		const char *word)
{
	nla_put_u64(req->msg, id, value);
	req->word[id] = word;
}

/**
 * nl_req_bytes() - add an attribute of any length
 * @req: request
 * @id: number of the attribute
 * @value: its value
 * @len: bytes
 * @word: word of the command line that it came from
 */
void nl_req_bytes(struct nl_req *req, unsigned int id, const void *value,
		  unsigned int len, const char *word)
{
	nla_put(req->msg, id, len, value);
	req->word[id] = word;
}

/**
 * nl_req_string() - add an attribute that is a string
 * @req: request
 * @id: number of the attribute
 * @value: word of the command line
 */
void nl_req_string(struct nl_req *req, unsigned int id, const char *value)
{
	nla_put_string(req->msg, id, value);
	req->word[id] = value;
}

static int refuse(struct nl_req *req, const struct nlmsghdr *hdr)
{
	struct nl_error err;

	nl_error_read(&err, hdr, req);
	return err.error ? nl_error_report(&err, req) : EXIT_OK;
}

static int reply(struct nl_req *req, struct nlmsghdr *hdr)
{
	struct attr_msg msg;

	if (hdr->nlmsg_type != req->family || !genlmsg_valid_hdr(hdr, 0) ||
	    attr_parse(&msg, req->set,
		       genlmsg_attrdata(genlmsg_hdr(hdr), 0),
		       genlmsg_attrlen(genlmsg_hdr(hdr), 0)))
		return cannot(req->ctx, "answer of the kernel", EBADMSG);
	return req->visit && req->visit(&msg, req->arg) ? EXIT_REFUSED : MORE;
}

/* MORE, DISTURBED, or the exit status when the answer is complete. */
static int read_buffer(struct nl_req *req, char *buf, int len, bool *disturbed)
{
	__u32 seq = nlmsg_hdr(req->msg)->nlmsg_seq;
	struct nlmsghdr *hdr;
	int status = MORE;

	for (hdr = (struct nlmsghdr *)buf; nlmsg_ok(hdr, len) && status == MORE;
	     hdr = nlmsg_next(hdr, &len)) {
		if (hdr->nlmsg_seq != seq)
			continue;
		if (hdr->nlmsg_flags & NLM_F_DUMP_INTR)
			*disturbed = true;
		if (hdr->nlmsg_type == NLMSG_ERROR)
			return refuse(req, hdr);
		if (hdr->nlmsg_type == NLMSG_DONE) {
			status = refuse(req, hdr);
			return status == EXIT_OK && *disturbed ?
			       DISTURBED : status;
		}
		status = reply(req, hdr);
	}
	return status;
}

static int receive(struct nl_req *req)
{
	char *buf = malloc(BUFFER_SIZE);
	bool disturbed = false;
	int status = MORE;
	ssize_t len;

	if (!buf)
		return cannot(req->ctx, "netlink", ENOMEM);
	while (status == MORE) {
		len = recv(nl_socket_get_fd(req->sk), buf, BUFFER_SIZE, 0);
		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			status = cannot(req->ctx, "netlink", errno);
		else
			status = read_buffer(req, buf, len, &disturbed);
	}
	free(buf);
	return status;
}

static int send_once(struct nl_req *req)
{
	int err;

	nlmsg_hdr(req->msg)->nlmsg_seq = NL_AUTO_SEQ;
	err = nl_send_auto(req->sk, req->msg);
	if (err >= 0)
		return receive(req);
	if (req->ctx)
		fail(req->ctx, EXIT_REFUSED, NULL, "netlink: %s",
		     nl_geterror(err));
	return EXIT_REFUSED;
}

/**
 * nl_req_run() - send a request, visit the replies, free the request
 * @req: request
 *
 * Return: exit status; a failure has been reported.
 */
int nl_req_run(struct nl_req *req)
{
	int tries = 0, status;

	while ((status = send_once(req)) == DISTURBED) {
		if (++tries == DUMP_TRIES) {
			note("connections change too quickly; the list may miss some");
			status = EXIT_OK;
			break;
		}
		if (req->restart)
			req->restart(req->arg);
	}
	nlmsg_free(req->msg);
	nl_socket_free(req->sk);
	return status;
}
