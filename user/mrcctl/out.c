// SPDX-License-Identifier: GPL-2.0
/*
 * Collects rows and prints them at the end: column widths are known only then,
 * and a disturbed dump can be forgotten before anything was printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fail.h"
#include "nl.h"
#include "out.h"

/**
 * struct table - rows collected so far
 * @ctx: command
 * @cols: columns
 * @ncols: their number
 * @rows: JSON: array of objects
 * @cells: text: one string for each column of each row
 * @ncells: entries of @cells
 * @space: entries that fit
 */
struct table {
	const struct ctx *ctx;
	const struct out_col *cols;
	unsigned int ncols;
	struct json_object *rows;
	char **cells;
	size_t ncells;
	size_t space;
};

static void *or_die(void *p)
{
	if (!p) {
		note("out of memory");
		exit(EXIT_REFUSED);
	}
	return p;
}

/**
 * out_json() - an object with all columns
 * @cols: columns
 * @ncols: their number
 * @msg: message
 *
 * Return: new object.
 */
struct json_object *out_json(const struct out_col *cols, unsigned int ncols,
			     const struct attr_msg *msg)
{
	struct json_object *obj = or_die(json_object_new_object());
	unsigned int i;

	for (i = 0; i < ncols; i++)
		json_object_object_add(obj, cols[i].key,
				       value_json(&cols[i], msg));
	return obj;
}

/**
 * out_json_print() - print an object in one line and free it
 * @obj: object
 */
void out_json_print(struct json_object *obj)
{
	puts(json_object_to_json_string_ext(obj,
					    JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(obj);
}

static struct table *table_new(const struct ctx *ctx,
			       const struct out_col *cols, unsigned int ncols)
{
	struct table *table = or_die(calloc(1, sizeof(*table)));

	table->ctx = ctx;
	table->cols = cols;
	table->ncols = ncols;
	table->rows = or_die(json_object_new_array());
	return table;
}

static void add_cell(struct table *table, const char *text)
{
	if (table->ncells == table->space) {
		table->space = table->space ? 2 * table->space : 256;
		table->cells = or_die(realloc(table->cells, table->space *
					      sizeof(*table->cells)));
	}
	table->cells[table->ncells++] = or_die(strdup(text));
}

/* Adds a row; always 0. */
static int table_row(const struct attr_msg *msg, void *arg)
{
	struct table *table = arg;
	char buf[VALUE_TEXT];
	unsigned int i;

	if (table->ctx->json) {
		json_object_array_add(table->rows,
				      out_json(table->cols, table->ncols,
					       msg));
		return 0;
	}
	for (i = 0; i < table->ncols; i++)
		add_cell(table, value_text(&table->cols[i], msg, buf,
					   sizeof(buf)));
	return 0;
}

/* Forgets all rows. */
static void table_restart(void *arg)
{
	struct table *table = arg;

	json_object_put(table->rows);
	table->rows = or_die(json_object_new_array());
	while (table->ncells)
		free(table->cells[--table->ncells]);
}

static void table_free(struct table *table)
{
	table_restart(table);
	json_object_put(table->rows);
	free(table->cells);
	free(table);
}

static bool to_the_right(const struct out_col *col)
{
	return col->kind == OUT_NUMBER || col->kind == OUT_BYTES ||
	       col->kind == OUT_RATE || col->kind == OUT_USEC;
}

static int width_of(const struct table *table, unsigned int col)
{
	size_t width = strlen(table->cols[col].title), i;

	for (i = col; i < table->ncells; i += table->ncols) {
		if (strlen(table->cells[i]) > width)
			width = strlen(table->cells[i]);
	}
	return width;
}

/* One line of all columns; NULL: the headings. */
static void print_line(const struct table *table, const int *width,
		       char **cells)
{
	unsigned int i, last = 0;

	for (i = 0; i < table->ncols; i++) {
		if (table->cols[i].title)
			last = i;
	}
	for (i = 0; i <= last; i++) {
		const struct out_col *col = &table->cols[i];
		const char *text = cells ? cells[i] : col->title;

		if (!col->title)
			continue;
		if (to_the_right(col))
			printf("%*s", width[i], text);
		else
			printf("%-*s", i == last ? 0 : width[i], text);
		fputs(i == last ? "\n" : "  ", stdout);
	}
}

static void print_lines(const struct table *table)
{
	int *width = or_die(calloc(table->ncols, sizeof(*width)));
	unsigned int i;
	size_t row;

	for (i = 0; i < table->ncols; i++)
		width[i] = table->cols[i].title ? width_of(table, i) : 0;
	print_line(table, width, NULL);
	for (row = 0; row < table->ncells; row += table->ncols)
		print_line(table, width, &table->cells[row]);
	free(width);
}

/* Every column in a line of its own, an empty line between rows. */
static void print_blocks(const struct table *table)
{
	size_t i;

	for (i = 0; i < table->ncells; i++) {
		if (i && i % table->ncols == 0)
			putchar('\n');
		printf("%-22s %s\n", table->cols[i % table->ncols].key,
		       table->cells[i]);
	}
}

static void table_print(const struct table *table)
{
	if (table->ctx->json)
		out_json_print(json_object_get(table->rows));
	else if (table->ctx->details)
		print_blocks(table);
	else
		print_lines(table);
}

/**
 * out_table() - run a dump and print the replies as a table
 * @ctx: command
 * @req: request
 * @cols: columns
 * @ncols: their number
 *
 * Return: exit status; nothing was printed unless it is EXIT_OK.
 */
int out_table(const struct ctx *ctx, struct nl_req *req,
	      const struct out_col *cols, unsigned int ncols)
{
	struct table *table = table_new(ctx, cols, ncols);
	int status;

	req->visit = table_row;
	req->restart = table_restart;
	req->arg = table;
	status = nl_req_run(req);
	if (!status)
		table_print(table);
	table_free(table);
	return status;
}

/**
 * out_object() - print one object that stands alone
 * @ctx: command
 * @cols: columns
 * @ncols: their number
 * @msg: message
 */
void out_object(const struct ctx *ctx, const struct out_col *cols,
		unsigned int ncols, const struct attr_msg *msg)
{
	char buf[VALUE_TEXT];
	unsigned int i;

	if (ctx->json) {
		out_json_print(out_json(cols, ncols, msg));
		return;
	}
	for (i = 0; i < ncols; i++)
		printf("%-22s %s\n", cols[i].key,
		       value_text(&cols[i], msg, buf, sizeof(buf)));
}
