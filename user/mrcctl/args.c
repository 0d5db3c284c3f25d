// SPDX-License-Identifier: GPL-2.0
/*
 * Reads words of the command line. A word that does not fit is reported here;
 * callers hand the status on.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "args.h"
#include "fail.h"

/**
 * args_address() - read an IP address
 * @ctx: command
 * @word: IPv4 (four decimal numbers with dots) or IPv6 address
 * @addr: set to the address
 *
 * Return: EXIT_OK or EXIT_USAGE.
 */
int args_address(const struct ctx *ctx, const char *word,
		 struct args_address *addr)
{
	memset(addr, 0, sizeof(*addr));
	addr->len = 4;
	if (inet_pton(AF_INET, word, addr->bytes) == 1)
		return EXIT_OK;
	addr->len = 16;
	if (inet_pton(AF_INET6, word, addr->bytes) == 1)
		return EXIT_OK;
	return fail_usage(ctx, word, "not an IP address");
}

/**
 * args_u32() - read a number
 * @ctx: command
 * @word: decimal digits
 * @value: set to the number
 *
 * Return: EXIT_OK or EXIT_USAGE.
 */
int args_u32(const struct ctx *ctx, const char *word, __u32 *value)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(word, &end, 10);
	if (!isdigit((unsigned char)word[0]) || *end || errno ||
	    number > 0xffffffffUL)
		return fail_usage(ctx, word, "not a number");
	*value = number;
	return EXIT_OK;
}

/**
 * args_conn_id() - read a connection id
 * @ctx: command
 * @word: 1 to 16 hexadecimal digits
 * @id: set to the id
 *
 * Return: EXIT_OK or EXIT_USAGE.
 */
int args_conn_id(const struct ctx *ctx, const char *word, __u64 *id)
{
	size_t len = strlen(word);

	if (!len || len > 16 || strspn(word, "0123456789abcdefABCDEF") != len)
		return fail_usage(ctx, word,
				  "not a connection id (16 hexadecimal digits, as in 'mrcctl conn show')");
	*id = strtoull(word, NULL, 16);
	return EXIT_OK;
}

/**
 * args_conn_filter() - read "conn ID" or nothing
 * @ctx: command
 * @argc: words
 * @argv: words
 * @word: set to the word with the id; NULL: there is none
 * @id: set to the id
 *
 * Return: EXIT_OK or EXIT_USAGE.
 */
int args_conn_filter(const struct ctx *ctx, int argc, char **argv,
		     const char **word, __u64 *id)
{
	*word = NULL;
	if (!argc)
		return EXIT_OK;
	if (strcmp(argv[0], "conn"))
		return fail_usage(ctx, argv[0], "unknown word");
	if (argc < 2)
		return fail_usage(ctx, argv[0], "a connection id must follow");
	if (argc > 2)
		return fail_usage(ctx, argv[2], "unknown word");
	*word = argv[1];
	return args_conn_id(ctx, argv[1], id);
}

/**
 * args_none() - check that no word is left
 * @ctx: command
 * @argc: words
 * @argv: words
 *
 * Return: EXIT_OK or EXIT_USAGE.
 */
int args_none(const struct ctx *ctx, int argc, char **argv)
{
	if (!argc)
		return EXIT_OK;
	return fail_usage(ctx, argv[0], "unknown word");
}
