// SPDX-License-Identifier: GPL-2.0
/*
 * Prints errors. Called by every command; each failure is printed once, at
 * the place that knows the reason, and only its status is handed on.
 */
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include "fail.h"

static void print_text(const struct ctx *ctx, const char *word,
		       const char *sentence)
{
	fputs("mrcctl: ", stderr);
	if (ctx->cmd) {
		fputs(ctx->cmd->object, stderr);
		if (ctx->cmd->verb)
			fprintf(stderr, " %s", ctx->cmd->verb);
		fputs(": ", stderr);
	}
	if (word)
		fprintf(stderr, "%s: ", word);
	fprintf(stderr, "%s\n", sentence);
}

static void add(struct json_object *obj, const char *key, const char *value)
{
	json_object_object_add(obj, key, value ?
			       json_object_new_string(value) : NULL);
}

static void print_json(const struct ctx *ctx, int status, const char *word,
		       const char *sentence)
{
	struct json_object *obj = json_object_new_object();

	add(obj, "error", sentence);
	add(obj, "word", word);
	add(obj, "object", ctx->cmd ? ctx->cmd->object : NULL);
	add(obj, "verb", ctx->cmd ? ctx->cmd->verb : NULL);
	json_object_object_add(obj, "status", json_object_new_int(status));
	fprintf(stderr, "%s\n",
		json_object_to_json_string_ext(obj,
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(obj);
}

static void __printf(4, 0) report(const struct ctx *ctx, int status,
				  const char *word, const char *fmt,
				  va_list args)
{
	char sentence[1024];

	vsnprintf(sentence, sizeof(sentence), fmt, args);
	fflush(stdout);
	if (ctx->json)
		print_json(ctx, status, word, sentence);
	else
		print_text(ctx, word, sentence);
}

/**
 * fail() - report why a command failed
 * @ctx: command
 * @status: exit status
 * @word: word of the command line that is at fault; NULL: none
 * @fmt: sentence, without a full stop
 *
 * Return: @status.
 */
int fail(const struct ctx *ctx, int status, const char *word,
	 const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(ctx, status, word, fmt, args);
	va_end(args);
	return status;
}

/**
 * fail_usage() - report words that make no sense, and how they should be
 * @ctx: command
 * @word: word of the command line that is at fault; NULL: none
 * @fmt: sentence, without a full stop
 *
 * Return: EXIT_USAGE.
 */
int fail_usage(const struct ctx *ctx, const char *word, const char *fmt, ...)
{
	const struct command *cmd = ctx->cmd;
	va_list args;

	va_start(args, fmt);
	report(ctx, EXIT_USAGE, word, fmt, args);
	va_end(args);
	if (ctx->json)
		return EXIT_USAGE;
	if (cmd)
		fprintf(stderr, "usage: mrcctl %s%s%s%s%s\n", cmd->object,
			cmd->verb ? " " : "", cmd->verb ? cmd->verb : "",
			cmd->args[0] ? " " : "", cmd->args);
	else
		fputs("'mrcctl help' lists the commands\n", stderr);
	return EXIT_USAGE;
}

/**
 * note() - tell something that is no failure
 * @fmt: sentence, without a full stop
 */
void note(const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fputs("mrcctl: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}
