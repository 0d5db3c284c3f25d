// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: the command line of mrcctl, with the answers of the kernel.
 *
 * The input is a byte that says what goes wrong, words (a line each) up to a
 * byte 0xff, and answers (cli_stub.c). A word "@" is a program made of what
 * follows the words, so that "run" meets every kind of file.
 *
 * Whatever comes: a status that the manual has; with --json, JSON; a request
 * only when the words made sense; a reason for every failure.
 */
#include <getopt.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>
#include "cli.h"
#include "cmd.h"

#define WORDS	24

static int program = -1;
static char program_path[32];
static char program_name[8] = "mrcctl";

int fuzz_begin(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	program = memfd_create("program", MFD_CLOEXEC);
	fuzz_assert(program >= 0);
	snprintf(program_path, sizeof(program_path), "/proc/self/fd/%d",
		 program);
	return 0;
}

/* Cuts the words off the input. Return: their number. */
static int read_words(char *text, char **argv)
{
	bool used = false;
	int argc = 0;
	char *word;

	argv[argc++] = program_name;
	while (argc < WORDS && (word = strsep(&text, "\n"))) {
		if (!strcmp(word, "@")) {
			word = program_path;
			used = true;
		}
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	if (used) {
		fuzz_assert(!ftruncate(program, 0));
		fuzz_assert(pwrite(program, cli_box.in.at, cli_box.in.left,
				   0) == (ssize_t)cli_box.in.left);
	}
	return argc;
}

/* Every line must be JSON. */
static void check_json(const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;
	struct json_tokener *tok = json_tokener_new();
	struct json_object *obj;

	while ((line = strsep(&rest, "\n"))) {
		if (!*line || !strncmp(line, "mrcctl: ", 8))
			continue;
		json_tokener_reset(tok);
		obj = json_tokener_parse_ex(tok, line, strlen(line));
		if (json_tokener_get_error(tok) == json_tokener_continue)
			obj = json_tokener_parse_ex(tok, "", 1);
		fuzz_assert(json_tokener_get_error(tok) ==
			    json_tokener_success);
		json_object_put(obj);
	}
	json_tokener_free(tok);
	free(copy);
}

/* Was the global option given? As getopt_long() reads it. */
static bool wants_json(int argc, char **argv)
{
	for (int i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		if (!strcmp(argv[i], "--json"))
			return true;
		if (argv[i][1] == '-' || strspn(argv[i] + 1, "d") !=
		    strlen(argv[i] + 1))
			return false;
	}
	return false;
}

static void check(int status, bool json, const char *out, const char *err)
{
	fuzz_assert(status == EXIT_OK || status == EXIT_REFUSED ||
		    status == EXIT_USAGE || status == EXIT_CANNOT ||
		    status == EXIT_MISSING);
	fuzz_assert(status == EXIT_OK || *err);
	fuzz_assert(status != EXIT_USAGE || !cli_box.sent);
	if (!json)
		return;
	check_json(err);
	if (status == EXIT_OK && strncmp(out, "usage:", 6) && *out == '{')
		check_json(out);
}

static void run(int argc, char **argv)
{
	bool json = wants_json(argc, argv);
	char *out = NULL, *err = NULL;
	FILE *old_out = stdout, *old_err = stderr;
	size_t out_len, err_len;
	int status;

	stdout = open_memstream(&out, &out_len);
	stderr = open_memstream(&err, &err_len);
	fuzz_assert(stdout && stderr);
	optind = 0;
	status = mrcctl_main(argc, argv);
	fclose(stdout);
	fclose(stderr);
	stdout = old_out;
	stderr = old_err;
	check(status, json, out, err);
	free(out);
	free(err);
}

int fuzz_one(const unsigned char *data, size_t size)
{
	const unsigned char *end;
	char *argv[WORDS + 1], *text;
	size_t len;

	if (!size)
		return 0;
	end = memchr(data + 1, 0xff, size - 1);
	len = end ? (size_t)(end - data) - 1 : size - 1;
	text = calloc(1, len + 1);
	memcpy(text, data + 1, len);
	memset(&cli_box, 0, sizeof(cli_box));
	cli_box.wrong = data[0];
	if (end) {
		cli_box.in.at = end + 1;
		cli_box.in.left = size - len - 2;
	}
	run(read_words(text, argv), argv);
	free(text);
	return 0;
}
