/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output: rows of columns, as aligned text for people or as JSON. A column
 * says which attribute it shows and how; both forms come from it.
 */
#ifndef MRCCTL_OUT_H
#define MRCCTL_OUT_H

#include <json-c/json.h>
#include "attr.h"
#include "cmd.h"

/* How a value is shown. JSON has plain numbers in the unit named here. */
enum out_kind {
	OUT_NUMBER,	/* as it is */
	OUT_STRING,
	OUT_NAME,	/* name of the value; flags: a list of names */
	OUT_BOOL,
	OUT_ID,		/* connection id: 16 hexadecimal digits; 0: none */
	OUT_IP,		/* IP address */
	OUT_ADDR,	/* IP address and port; IPv6: [address]:port */
	OUT_DEV,	/* device, given by index */
	OUT_BYTES,	/* bytes */
	OUT_RATE,	/* bytes per second; text: bits per second */
	OUT_USEC,	/* microseconds */
	OUT_TIME,	/* nanoseconds since 1970 */
};

/**
 * struct out_col - one column
 * @key: JSON key
 * @title: heading of the text column; NULL: only with --details
 * @kind: how to show it
 * @attr: number of the attribute
 * @port: OUT_ADDR: number of the attribute with the port
 */
struct out_col {
	const char *key;
	const char *title;
	enum out_kind kind;
	unsigned int attr;
	unsigned int port;
};

struct nl_req;

int out_table(const struct ctx *ctx, struct nl_req *req,
	      const struct out_col *cols, unsigned int ncols);
void out_object(const struct ctx *ctx, const struct out_col *cols,
		unsigned int ncols, const struct attr_msg *msg);
struct json_object *out_json(const struct out_col *cols, unsigned int ncols,
			     const struct attr_msg *msg);
void out_json_print(struct json_object *obj);

/* value.c */
const char *value_text(const struct out_col *col, const struct attr_msg *msg,
		       char *buf, size_t size);
struct json_object *value_json(const struct out_col *col,
			       const struct attr_msg *msg);

/* Bytes that hold any text of one value, but for unbounded strings. */
#define VALUE_TEXT	128

#endif /* MRCCTL_OUT_H */
