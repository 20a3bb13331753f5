#include "base/whole_files.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/manual_page.h"
#include "cli/program.h"
#include "cli/subprocess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE_WIDTH = 80, PAGE_MAX = 16 << 20 };

static const struct option_spec options[] = {OPTIONS_END};

/* "tarry-bench-compare.1"; as packages of distributions have it, also with ".gz" behind it. NULL: not installed. */
static const char *find_page(const struct command *command, struct arena *arena)
{
	char *name = arena_format(arena, "tarry-%s.1", command->name);
	const char *path;

	for (char *blank = name; (blank = strchr(blank, ' '));)
		*blank = '-';
	if (installation_manual(name, arena, &path) == OK && access(path, R_OK) == 0)
		return path;
	path = arena_format(arena, "%s.gz", path);
	return access(path, R_OK) == 0 ? path : NULL;
}

static bool unpack_page(const char *path, struct arena *arena, struct text *source)
{
	const char *const words[] = {"gzip", "-dc", path, NULL};
	const char *gzip;

	return program_find(words[0], arena, &gzip) == OK && capture_output(gzip, words, NULL, source) == 0;
}

/* The manual page; what --help prints where no page is installed. */
static int show(const struct command *command)
{
	struct arena arena = {0};
	const char *path = find_page(command, &arena);
	int code = EXIT_FAILED;

	if (path && isatty(STDOUT_FILENO)) {
		char *words[] = {arena_text(&arena, "man"), arena_text(&arena, "-l"),
		                 arena_text(&arena, path), NULL};
		const char *man;

		/* Only returns if there is no such program. */
		if (program_find(words[0], &arena, &man) == OK)
			execv(man, words);
	}
	if (path) {
		struct text source = {0}, page = {0};
		bool is_read = text_ends(path, ".gz") ? unpack_page(path, &arena, &source)
		                                      : text_add_user_file(&source, path, PAGE_MAX);

		if (is_read)
			manual_page_render(text_get(&source), PAGE_WIDTH, &page);
		fputs(text_get(&page), stdout);
		text_release(&source);
		text_release(&page);
		code = is_read ? EXIT_FINE : EXIT_FAILED;
	}
	arena_release(&arena);
	return code == EXIT_FINE ? code : explain(command);
}

static int run_help(int argc, char **argv)
{
	const struct command *command = argc ? command_find(argv[0]) : NULL;

	if (argc && !command)
		return unknown_command(argv[0]);
	if (argc == 2)
		command = subcommand_find(command, argv[1]);
	if (argc && !command)
		return misuse(&command_help, "'%s' is not a command of 'tarry %s'", argv[1], argv[0]);
	return command ? show(command) : explain(NULL);
}

const struct command command_help = {
	.name = "help",
	.summary = "show the manual page of a command",
	.usage = "[COMMAND [COMMAND]]",
	.example = "tarry help run",
	.options = options,
	.operands_max = 2,
	.run = run_help,
};
