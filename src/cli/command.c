#include "cli/command.h"

#include "base/user_files.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SUMMARY_COLUMN = 14, HELP_WIDTH = 80 };

int exit_code_when_exhausted = EXIT_FAILED;

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
	COMMANDS(COMMAND)
#undef COMMAND
		NULL,
};

const struct command *command_find(const char *name)
{
	for (const struct command *const *command = commands; *command; command++)
		if (strcmp((*command)->name, name) == 0)
			return *command;
	return NULL;
}

const char *command_word(const struct command *command)
{
	const char *space = strrchr(command->name, ' ');

	return space ? space + 1 : command->name;
}

const struct command *subcommand_find(const struct command *command, const char *word)
{
	for (const struct command *const *sub = command->subcommands; sub && *sub; sub++)
		if (strcmp(command_word(*sub), word) == 0)
			return *sub;
	return NULL;
}

int report_failure(void)
{
	say("%s", trail_text());
	return EXIT_FAILED;
}

/* Build the line first, so that lines of several processes do not mix. */
PRINTF_LIKE(1, 0) static void say_list(const char *format, va_list args)
{
	char line[4096];

	vsnprintf(line, sizeof line, format, args);
	/* The names come from traces, folders and arguments. */
	utf8_strip_controls(line, strlen(line), "\n\t");
	fprintf(stderr, "tarry: %s\n", line);
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(format, args);
	va_end(args);
}

void say_lines(const char *lines)
{
	while (*lines) {
		size_t size = strcspn(lines, "\n");
		say("%.*s", (int)size, lines);
		lines += size + (lines[size] == '\n');
	}
}

int misuse(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(format, args);
	va_end(args);
	if (command)
		say("see 'tarry %s --help'", command->name);
	else
		say("see 'tarry --help'");
	return EXIT_USAGE;
}

bool version_wanted;

const struct option_spec overview_options[] = {
	{"version", 'V', NULL, "print version, commit and supported MPI libraries", OPTION_FLAG,
         &version_wanted},
	OPTIONS_END,
};

int explain(const struct command *command)
{
	struct text text = {0};

	if (command) {
		/* The output of `tarry NAME --help`. */
		text_add(&text, "usage: tarry %s %s\n\n", command->name, command->usage);
		text_add_wrapped(&text, command->summary, 0, HELP_WIDTH);
		if (command->subcommands) {
			text_add(&text, "\nCOMMANDS\n");
			for (const struct command *const *sub = command->subcommands; *sub; sub++) {
				text_add(&text, "  %-*s", SUMMARY_COLUMN - 2, command_word(*sub));
				text_add_wrapped(&text, (*sub)->summary, SUMMARY_COLUMN, HELP_WIDTH);
			}
		}
		text_add(&text, "\nOPTIONS\n");
		options_help(command->options, &text);
		if (command->add_help)
			command->add_help(&text);
		text_add(&text, "\nEXAMPLE\n");
		for (const char *example = command->example; *example;) {
			size_t length = strcspn(example, "\n");
			text_add(&text, "  %.*s\n", (int)length, example);
			example += length + (example[length] == '\n');
		}
	} else {
		text_add(&text, "usage: tarry COMMAND [options] ...\n\n"
		                "Record MPI and UPC programs and find where they wait.\n\nCOMMANDS\n");
		for (const struct command *const *known = commands; *known; known++) {
			if ((*known)->hidden)
				continue;
			text_add(&text, "  %-*s", SUMMARY_COLUMN - 2, (*known)->name);
			text_add_wrapped(&text, (*known)->summary, SUMMARY_COLUMN, HELP_WIDTH);
		}
		text_add(&text, "\nOPTIONS\n");
		options_help(overview_options, &text);
		text_add(&text, "\nEXAMPLE\n  tarry run -- mpirun -n 4 ./app\n  tarry help run\n");
	}
	fputs(text_get(&text), stdout);
	text_release(&text);
	return EXIT_FINE;
}

int unknown_command(const char *name)
{
	struct nearest nearest = {.word = name};

	for (const struct command *const *command = commands; *command; command++)
		if (!(*command)->hidden)
			nearest_offer(&nearest, (*command)->name);
	if (nearest_found(&nearest))
		return misuse(NULL, "unknown command '%s', did you mean '%s'?", name,
		              nearest_found(&nearest));
	return misuse(NULL, "unknown command '%s'", name);
}

bool write_output(const char *path, const struct text *text)
{
	FILE *file = strcmp(path, "-") == 0 ? stdout : open_user_stream(path, "w");
	bool written = file && fwrite(text_get(text), 1, text->length, file) == text->length;

	if (file && file != stdout && fclose(file) != 0)
		written = false;
	if (!written && file != stdout)
		say("cannot write '%s': %s", path, file_error());
	return written;
}
