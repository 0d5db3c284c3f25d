/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seam to the kernel: requests, dumps and notices of the family "mrc".
 */
#ifndef MRCCTL_NL_H
#define MRCCTL_NL_H

#include <netlink/netlink.h>
#include "attr.h"
#include "cmd.h"

/**
 * struct nl_req - a request
 * @ctx: command, for error reports; NULL: fail silently
 * @sk: socket
 * @msg: message
 * @family: number of the family
 * @set: describes the attributes of request and replies
 * @word: words of the command line that the attributes came from, by number
 * @dump: many replies
 * @visit: called for each reply; a return other than 0 ends with that status
 * @restart: forget what @visit has collected: the dump is repeated
 * @arg: for @visit and @restart
 */
struct nl_req {
	const struct ctx *ctx;
	struct nl_sock *sk;
	struct nl_msg *msg;
	int family;
	const struct attr_set *set;
	const char *word[ATTR_MAX];
	bool dump;
	int (*visit)(const struct attr_msg *msg, void *arg);
	void (*restart)(void *arg);
	void *arg;
};

/**
 * struct nl_error - why the kernel refused
 * @error: positive errno
 * @attr: number of the attribute at fault; 0: none was named
 * @sentence: the kernel's words; "" when it had none
 */
struct nl_error {
	int error;
	unsigned int attr;
	char sentence[512];
};

int nl_req_open(struct nl_req *req, const struct ctx *ctx, int cmd, bool dump,
		const struct attr_set *set);
void nl_req_u32(struct nl_req *req, unsigned int id, __u32 value,
		const char *word);
void nl_req_u64(struct nl_req *req, unsigned int id, __u64 value,
		const char *word);
void nl_req_bytes(struct nl_req *req, unsigned int id, const void *value,
		  unsigned int len, const char *word);
void nl_req_string(struct nl_req *req, unsigned int id, const char *value);
int nl_req_run(struct nl_req *req);
int nl_family_open(const struct ctx *ctx, struct nl_sock **sk, int *family);

/* nl_error.c */
void nl_error_read(struct nl_error *err, const struct nlmsghdr *hdr,
		   const struct nl_req *req);
int nl_error_report(const struct nl_error *err, const struct nl_req *req);

#endif /* MRCCTL_NL_H */
