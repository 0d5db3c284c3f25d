// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out why the kernel refused: errno, the kernel's sentence, the
 * attribute at fault and the range it should have had. Called by nl.c.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <string.h>
#include "fail.h"
#include "nl.h"

/* Errors of the kernel are below this. */
#define MAX_ERRNO	4095

#ifndef NETLINK_EXT_ACK
#error "the headers of the kernel are too old: no extended ACK"
#endif

/* Which attribute of the request stands at @offset of the message. */
static unsigned int attr_at(const struct nl_req *req, __u32 offset)
{
	const struct nlmsghdr *hdr = nlmsg_hdr(req->msg);
	struct nlattr *attr;

	if (offset < NLMSG_HDRLEN || offset > hdr->nlmsg_len ||
	    hdr->nlmsg_len - offset < NLA_HDRLEN)
		return 0;
	attr = (struct nlattr *)((char *)hdr + offset);
	return (unsigned int)nla_type(attr) <= req->set->max ?
	       (unsigned int)nla_type(attr) : 0;
}

/* A limit has 8 bytes, or 4 from a kernel that has no use for more. */
static bool is_limit(const struct nlattr *attr)
{
	return nla_len(attr) == 8 || nla_len(attr) == 4;
}

static __u64 limit_of(struct nlattr *attr)
{
	return nla_len(attr) == 8 ? nla_get_u64(attr) : nla_get_u32(attr);
}

/* Appends the range that the policy asks for. */
static void add_range(struct nl_error *err, struct nlattr *policy)
{
	struct nlattr *attr, *min = NULL, *max = NULL;
	size_t used = strlen(err->sentence);
	int rem;

	nla_for_each_nested(attr, policy, rem) {
		if (nla_type(attr) == NL_POLICY_TYPE_ATTR_MIN_VALUE_U)
			min = attr;
		if (nla_type(attr) == NL_POLICY_TYPE_ATTR_MAX_VALUE_U)
			max = attr;
	}
	if (min && max && is_limit(min) && is_limit(max))
		snprintf(err->sentence + used, sizeof(err->sentence) - used,
			 " (%llu to %llu)",
			 (unsigned long long)limit_of(min),
			 (unsigned long long)limit_of(max));
}

static void read_tlvs(struct nl_error *err, struct nlattr *head, int len,
		      const struct nl_req *req)
{
	struct nlattr *attr, *policy = NULL;

	for (attr = head; nla_ok(attr, len); attr = nla_next(attr, &len)) {
		switch (nla_type(attr)) {
		case NLMSGERR_ATTR_MSG:
			snprintf(err->sentence, sizeof(err->sentence), "%.*s",
				 nla_len(attr), (char *)nla_data(attr));
			break;
		case NLMSGERR_ATTR_OFFS:
			if (nla_len(attr) == 4)
				err->attr = attr_at(req, nla_get_u32(attr));
			break;
		case NLMSGERR_ATTR_POLICY:
			policy = attr;
			break;
		}
	}
	if (policy && err->sentence[0])
		add_range(err, policy);
}

/* Kernel errors are small and negative; anything else is no answer. */
static int positive(int error)
{
	if (!error)
		return 0;
	return error < 0 && error >= -MAX_ERRNO ? -error : EPROTO;
}

/* Bytes of an error message before its attributes, the quoted request too. */
static size_t error_len(const struct nlmsghdr *hdr, const struct nlmsgerr *ack)
{
	size_t quoted = ack->msg.nlmsg_len;

	if ((hdr->nlmsg_flags & NLM_F_CAPPED) || quoted < NLMSG_HDRLEN)
		quoted = NLMSG_HDRLEN;
	return sizeof(ack->error) + NLMSG_ALIGN(quoted);
}

/**
 * nl_error_read() - take an error message or the end of a dump apart
 * @err: to fill; @err->error is 0 when it reports success
 * @hdr: NLMSG_ERROR or NLMSG_DONE
 * @req: request that it answers
 */
void nl_error_read(struct nl_error *err, const struct nlmsghdr *hdr,
		   const struct nl_req *req)
{
	size_t len = hdr->nlmsg_len - NLMSG_HDRLEN, skip = sizeof(int);
	char *data = (char *)hdr + NLMSG_HDRLEN;
	int error = 0;

	memset(err, 0, sizeof(*err));
	if (len < skip)
		return;
	memcpy(&error, data, sizeof(error));
	err->error = positive(error);
	if (hdr->nlmsg_type == NLMSG_ERROR) {
		if (len < sizeof(struct nlmsgerr) ||
		    !(hdr->nlmsg_flags & NLM_F_ACK_TLVS))
			return;
		skip = error_len(hdr, (struct nlmsgerr *)data);
	}
	if (skip < len)
		read_tlvs(err, (struct nlattr *)(data + skip), len - skip, req);
}

static const char no_permission[] =
	"only the administrator of this network namespace may do this";

/*
 * The end of a dump tells no attribute; when the request had but one that came
 * from a word, it is about that. NULL: none or several.
 */
static const char *only_word(const struct nl_req *req)
{
	const char *word = NULL;
	unsigned int i;

	for (i = 0; i <= req->set->max; i++) {
		if (req->word[i] && word)
			return NULL;
		if (req->word[i])
			word = req->word[i];
	}
	return word;
}

/**
 * nl_error_report() - tell the user
 * @err: refusal
 * @req: request
 *
 * Return: EXIT_REFUSED.
 */
int nl_error_report(const struct nl_error *err, const struct nl_req *req)
{
	const char *attr = err->attr ? req->set->attr[err->attr].name : NULL;
	const char *word = err->attr || !req->dump ? req->word[err->attr] :
			   only_word(req);
	const char *sentence = err->sentence;

	if (!req->ctx)
		return EXIT_REFUSED;
	if (!sentence[0] && err->error == EPERM)
		sentence = no_permission;
	if (!sentence[0])
		sentence = strerror(err->error);
	return fail(req->ctx, EXIT_REFUSED, word ? word : attr, "%s",
		    sentence);
}
