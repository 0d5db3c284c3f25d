/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Netlink attributes as described by the generated tables of attr_gen.c: one
 * table parses, names and types them for text and JSON alike. A parsed message
 * points into the buffer it came from.
 */
#ifndef MRCCTL_ATTR_H
#define MRCCTL_ATTR_H

#include <assert.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <netlink/attr.h>

#define ARRAY_SIZE(x)	(sizeof(x) / sizeof((x)[0]))

/* More than the highest attribute number of any set; checked at build time. */
#define ATTR_MAX	48

/* What an attribute carries. */
enum attr_kind {
	ATTR_UNKNOWN,
	ATTR_U8,
	ATTR_U16,
	ATTR_U32,
	ATTR_U64,
	ATTR_IP,	/* IP address, network order: 4 bytes, or 16 of IPv6 */
	ATTR_BINARY,	/* bytes that this program does not look at */
	ATTR_STRING,
	ATTR_NEST,
	ATTR_PAD,
};

/**
 * struct attr_names - names of the values of an attribute
 * @name: by value, or by bit when @flags
 * @count: entries of @name
 * @flags: the value is a set of bits
 */
struct attr_names {
	const char * const *name;
	unsigned int count;
	bool flags;
};

struct attr_set;

/**
 * struct attr_desc - one attribute
 * @name: as in the specification
 * @kind: what it carries
 * @hex: a number that people know in hexadecimal
 * @names: names of its values; NULL: it is a plain number
 * @nested: set of the attributes inside; NULL: not a nest
 */
struct attr_desc {
	const char *name;
	enum attr_kind kind;
	bool hex;
	const struct attr_names *names;
	const struct attr_set *nested;
};

/**
 * struct attr_set - attributes of one kind of object
 * @name: as in the specification
 * @attr: by attribute number
 * @max: highest number, less than ATTR_MAX
 */
struct attr_set {
	const char *name;
	const struct attr_desc *attr;
	unsigned int max;
};

/**
 * struct attr_msg - a parsed message or nest
 * @set: describes @attr
 * @attr: by number; NULL: absent. The last one of those that repeat
 * @head: first attribute, for attributes that repeat
 * @len: bytes at @head
 */
struct attr_msg {
	const struct attr_set *set;
	struct nlattr *attr[ATTR_MAX];
	struct nlattr *head;
	int len;
};

int attr_parse(struct attr_msg *msg, const struct attr_set *set,
	       struct nlattr *head, int len);
bool attr_has(const struct attr_msg *msg, unsigned int id);
__u64 attr_number(const struct attr_msg *msg, unsigned int id);
int attr_address(const struct attr_msg *msg, unsigned int id,
		 const void **address);
const char *attr_string(const struct attr_msg *msg, unsigned int id);
const char *attr_value_name(const struct attr_msg *msg, unsigned int id);

#endif /* MRCCTL_ATTR_H */
