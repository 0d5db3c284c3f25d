// SPDX-License-Identifier: GPL-2.0
/*
 * One value as text (with units that people read) and as JSON (plain numbers
 * in base units). Absent: "-" and null. Called by out.c and cmd_monitor.c.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "out.h"

static const char *ip_text(const struct attr_msg *msg, unsigned int id,
			   char *buf, size_t size)
{
	const void *ip;
	int family = attr_address(msg, id, &ip);

	if (family == AF_UNSPEC || !inet_ntop(family, ip, buf, size))
		return "-";
	return buf;
}

/* Is it 0.0.0.0 or ::? */
static bool is_any(const struct attr_msg *msg, unsigned int id)
{
	static const struct in6_addr any = IN6ADDR_ANY_INIT;
	const void *ip;
	int family = attr_address(msg, id, &ip);

	return family != AF_UNSPEC &&
	       !memcmp(ip, &any, family == AF_INET ? 4 : sizeof(any));
}

static const char *addr_text(const struct out_col *col,
			     const struct attr_msg *msg, bool people,
			     char *buf, size_t size)
{
	unsigned int port = attr_number(msg, col->port);
	const char *ip, *open = "", *close = "";
	char text[INET6_ADDRSTRLEN];

	ip = ip_text(msg, col->attr, text, sizeof(text));
	if (people && is_any(msg, col->attr) && !strchr(ip, ':'))
		ip = "*";
	if (strchr(ip, ':')) {
		open = "[";
		close = "]";
	}
	if (people && !port)
		snprintf(buf, size, "%s%s%s:*", open, ip, close);
	else
		snprintf(buf, size, "%s%s%s:%u", open, ip, close, port);
	return buf;
}

/* Remembers the last device: lists have the same one again and again. */
static const char *dev_text(const struct attr_msg *msg, unsigned int id,
			    char *buf, size_t size)
{
	static char name[IF_NAMESIZE];
	static unsigned int last;
	unsigned int ifindex = attr_number(msg, id);

	if (ifindex != last) {
		last = ifindex;
		if (!if_indextoname(ifindex, name))
			snprintf(name, sizeof(name), "if%u", ifindex);
	}
	snprintf(buf, size, "%s", name);
	return buf;
}

/* Three figures and a unit that is a power of @base. */
static const char *scaled(double value, double base, const char *unit,
			  char *buf, size_t size)
{
	static const char prefix[] = " kMGTPE";
	const char *p = prefix;

	while (value >= 999.5 && p[1]) {
		value /= base;
		p++;
	}
	if (p == prefix)
		snprintf(buf, size, "%.0f %s", value, unit);
	else
		snprintf(buf, size, "%.*f %c%s",
			 value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, *p,
			 unit);
	return buf;
}

static const char *usec_text(__u64 usec, char *buf, size_t size)
{
	if (!usec)
		return "-";
	if (usec < 1000)
		snprintf(buf, size, "%u us", (unsigned int)usec);
	else if (usec < 1000000)
		snprintf(buf, size, "%.*f ms", usec < 100000 ? 2 : 0,
			 usec / 1e3);
	else
		snprintf(buf, size, "%.2f s", usec / 1e6);
	return buf;
}

static const char *time_text(__u64 nsec, char *buf, size_t size)
{
	time_t seconds = nsec / 1000000000;
	struct tm tm;
	size_t used;

	localtime_r(&seconds, &tm);
	used = strftime(buf, size, "%H:%M:%S", &tm);
	snprintf(buf + used, size - used, ".%06u",
		 (unsigned int)(nsec % 1000000000 / 1000));
	return buf;
}

static const char *name_text(const struct out_col *col,
			     const struct attr_msg *msg, char *buf,
			     size_t size)
{
	const struct attr_names *names = msg->set->attr[col->attr].names;
	__u64 value = attr_number(msg, col->attr);
	const char *name = attr_value_name(msg, col->attr);
	size_t used = 0;
	unsigned int i;

	if (name)
		return name;
	if (!names || !names->flags) {
		snprintf(buf, size, "%llu", (unsigned long long)value);
		return buf;
	}
	buf[0] = '\0';
	for (i = 0; i < names->count && used < size; i++) {
		if (value & (1ULL << i))
			used += snprintf(buf + used, size - used, "%s%s",
					 used ? " " : "", names->name[i]);
	}
	return buf;
}

/**
 * value_text() - a value for people
 * @col: column
 * @msg: message
 * @buf: space for the text
 * @size: of @buf, at least VALUE_TEXT
 *
 * Return: the text, in @buf or constant or in @msg.
 */
const char *value_text(const struct out_col *col, const struct attr_msg *msg,
		       char *buf, size_t size)
{
	__u64 value = attr_number(msg, col->attr);

	if (!attr_has(msg, col->attr))
		return "-";
	switch (col->kind) {
	case OUT_STRING:
		return attr_string(msg, col->attr);
	case OUT_NAME:
		return name_text(col, msg, buf, size);
	case OUT_BOOL:
		return value ? "yes" : "no";
	case OUT_ID:
		if (!value)
			return "-";
		snprintf(buf, size, "%016llx", (unsigned long long)value);
		return buf;
	case OUT_IP:
		return ip_text(msg, col->attr, buf, size);
	case OUT_ADDR:
		return addr_text(col, msg, true, buf, size);
	case OUT_DEV:
		return dev_text(msg, col->attr, buf, size);
	case OUT_BYTES:
		return scaled(value, 1000, "B", buf, size);
	case OUT_RATE:
		return scaled(8.0 * value, 1000, "bit/s", buf, size);
	case OUT_USEC:
		return usec_text(value, buf, size);
	case OUT_TIME:
		return time_text(value, buf, size);
	case OUT_NUMBER:
		break;
	}
	snprintf(buf, size, "%llu", (unsigned long long)value);
	return buf;
}

static void add_word(struct json_object *list, const char *word)
{
	json_object_array_add(list, json_object_new_string(word));
}

static struct json_object *name_json(const struct out_col *col,
				     const struct attr_msg *msg)
{
	const struct attr_names *names = msg->set->attr[col->attr].names;
	__u64 value = attr_number(msg, col->attr);
	const char *name = attr_value_name(msg, col->attr);
	struct json_object *list;
	unsigned int i;

	if (name)
		return json_object_new_string(name);
	if (!names || !names->flags)
		return json_object_new_uint64(value);
	list = json_object_new_array();
	for (i = 0; i < names->count; i++) {
		if (value & (1ULL << i))
			add_word(list, names->name[i]);
	}
	return list;
}

/**
 * value_json() - a value for programs
 * @col: column
 * @msg: message
 *
 * Return: new object, or NULL for null.
 */
struct json_object *value_json(const struct out_col *col,
			       const struct attr_msg *msg)
{
	__u64 value = attr_number(msg, col->attr);
	char buf[VALUE_TEXT];

	if (!attr_has(msg, col->attr) || (col->kind == OUT_ID && !value))
		return NULL;
	switch (col->kind) {
	case OUT_NAME:
		return name_json(col, msg);
	case OUT_BOOL:
		return json_object_new_boolean(value != 0);
	case OUT_ADDR:
		return json_object_new_string(addr_text(col, msg, false, buf,
							sizeof(buf)));
	case OUT_STRING:
	case OUT_ID:
	case OUT_IP:
	case OUT_DEV:
		return json_object_new_string(value_text(col, msg, buf,
							 sizeof(buf)));
	default:
		return json_object_new_uint64(value);
	}
}
