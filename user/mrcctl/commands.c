// SPDX-License-Identifier: GPL-2.0
/*
 * The list of commands, in the order in which help shows them. A new command
 * is a new file and a new line here.
 */
#include <string.h>
#include "cmd.h"

const struct command * const commands[] = {
	&cmd_endpoint_add,
	&cmd_endpoint_del,
	&cmd_endpoint_flush,
	&cmd_endpoint_show,
	&cmd_limits_show,
	&cmd_limits_set,
	&cmd_conn_show,
	&cmd_path_show,
	&cmd_stats_show,
	&cmd_monitor,
	&cmd_run,
	&cmd_help,
	&cmd_version,
	&cmd_complete,
	NULL
};

/**
 * command_object() - does a word begin any command
 * @object: first word
 *
 * Return: true when it does.
 */
bool command_object(const char *object)
{
	const struct command * const *cmd;

	for (cmd = commands; *cmd; cmd++) {
		if (!strcmp((*cmd)->object, object))
			return true;
	}
	return false;
}

/**
 * command_verb() - does an object have a verb
 * @object: first word
 * @verb: second word
 *
 * Return: true when it does.
 */
bool command_verb(const char *object, const char *verb)
{
	const struct command *cmd = command_find(object, verb);

	return cmd && cmd->verb;
}

/**
 * command_find() - look a command up, by exact words
 * @object: first word
 * @verb: second word; NULL: there is none
 *
 * Return: command, or NULL.
 */
const struct command *command_find(const char *object, const char *verb)
{
	const struct command * const *cmd;

	for (cmd = commands; *cmd; cmd++) {
		if (strcmp((*cmd)->object, object))
			continue;
		if (!(*cmd)->verb)
			return *cmd;
		if (verb ? !strcmp((*cmd)->verb, verb) : (*cmd)->fallback)
			return *cmd;
	}
	return NULL;
}
