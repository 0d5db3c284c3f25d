// SPDX-License-Identifier: GPL-2.0
/*
 * Reads attributes after checking them against the generated tables, so that
 * no other file looks at raw bytes. Called by nl.c (replies), out.c and the
 * commands.
 */
#include <string.h>
#include <sys/socket.h>
#include "attr.h"

static bool fits(const struct attr_desc *desc, const struct nlattr *attr)
{
	switch (desc->kind) {
	case ATTR_U8:
		return nla_len(attr) == 1;
	case ATTR_U16:
		return nla_len(attr) == 2;
	case ATTR_U32:
		return nla_len(attr) == 4;
	case ATTR_IP:
		return nla_len(attr) == 4 || nla_len(attr) == 16;
	case ATTR_U64:
		return nla_len(attr) == 8;
	case ATTR_STRING:
		return nla_len(attr) > 0 &&
		       memchr(nla_data(attr), '\0', nla_len(attr));
	case ATTR_UNKNOWN:
	case ATTR_BINARY:
	case ATTR_NEST:
	case ATTR_PAD:
		break;
	}
	return true;
}

/**
 * attr_parse() - sort the attributes of a message by number
 * @msg: to fill
 * @set: what to expect
 * @head: first attribute
 * @len: bytes
 *
 * Attributes with a number beyond @set are passed over: a newer kernel may
 * know more than this program.
 *
 * Return: 0; -1: an attribute has the wrong size.
 */
int attr_parse(struct attr_msg *msg, const struct attr_set *set,
	       struct nlattr *head, int len)
{
	struct nlattr *attr;

	memset(msg, 0, sizeof(*msg));
	msg->set = set;
	msg->head = head;
	msg->len = len;
	for (attr = head; nla_ok(attr, len); attr = nla_next(attr, &len)) {
		unsigned int type = nla_type(attr);

		if (!type || type > set->max)
			continue;
		if (!fits(&set->attr[type], attr))
			return -1;
		msg->attr[type] = attr;
	}
	return 0;
}

/**
 * attr_has() - is an attribute there
 * @msg: parsed message
 * @id: number
 *
 * Return: true when it is.
 */
bool attr_has(const struct attr_msg *msg, unsigned int id)
{
	return id <= msg->set->max && msg->attr[id];
}

/**
 * attr_number() - value of an attribute that is a number
 * @msg: parsed message
 * @id: number of the attribute
 *
 * Return: the value; 0 when it is absent.
 */
__u64 attr_number(const struct attr_msg *msg, unsigned int id)
{
	const struct nlattr *attr;

	if (!attr_has(msg, id))
		return 0;
	attr = msg->attr[id];
	switch (msg->set->attr[id].kind) {
	case ATTR_U8:
		return nla_get_u8(attr);
	case ATTR_U16:
		return nla_get_u16(attr);
	case ATTR_U32:
		return nla_get_u32(attr);
	case ATTR_U64:
		return nla_get_u64(attr);
	default:
		return 0;
	}
}

/**
 * attr_address() - value of an attribute that is an IP address
 * @msg: parsed message
 * @id: number of the attribute
 * @address: set to the address in the message, struct in_addr or in6_addr
 *
 * Return: AF_INET or AF_INET6; AF_UNSPEC when it is absent.
 */
int attr_address(const struct attr_msg *msg, unsigned int id,
		 const void **address)
{
	if (!attr_has(msg, id) || msg->set->attr[id].kind != ATTR_IP)
		return AF_UNSPEC;
	*address = nla_data(msg->attr[id]);
	return nla_len(msg->attr[id]) == 4 ? AF_INET : AF_INET6;
}

/**
 * attr_string() - value of an attribute that is a string
 * @msg: parsed message
 * @id: number of the attribute
 *
 * Return: the string; "" when it is absent.
 */
const char *attr_string(const struct attr_msg *msg, unsigned int id)
{
	if (!attr_has(msg, id) || msg->set->attr[id].kind != ATTR_STRING)
		return "";
	return nla_data(msg->attr[id]);
}

/**
 * attr_value_name() - name of the value of an attribute
 * @msg: parsed message
 * @id: number of the attribute, whose values have names
 *
 * Return: the name; NULL when this program does not know the value.
 */
const char *attr_value_name(const struct attr_msg *msg, unsigned int id)
{
	const struct attr_names *names = msg->set->attr[id].names;
	__u64 value = attr_number(msg, id);

	if (!names || names->flags || value >= names->count)
		return NULL;
	return names->name[value];
}
