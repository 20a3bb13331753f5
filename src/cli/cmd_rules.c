#include "cli/command.h"
#include "cli/rule_files.h"
#include "cli/rules.h"
#include "tracing/wrappers.h"

#include <stdio.h>
#include <string.h>

static struct {
	struct words files;
	struct words settings;
	bool no_shipped;
	bool json;
} choice;

static const struct option_spec options[] = {
	{"rules", 0, "FILE", "of 'list' and 'show': these rules too; may be given again", OPTION_WORDS,
         &choice.files},
	{"no-shipped", 0, NULL, "only the files named, and what they import", OPTION_FLAG,
         &choice.no_shipped},
	{"set", 0, "NAME=VALUE", "set a parameter of the rules, such as eps=5us; may be given again",
         OPTION_WORDS, &choice.settings},
	{"json", 0, NULL, "of 'list': print it as JSON", OPTION_FLAG, &choice.json},
	OPTIONS_END,
};

static struct rule_wish wish_for(const char *const *files)
{
	return (struct rule_wish){
		.files = files, .settings = choice.settings.at, .without_shipped = choice.no_shipped};
}

static int run_list(int argc, char **argv)
{
	struct rulebook *book;

	(void)argv;
	if (argc)
		return misuse(&command_rules, "'tarry rules list' takes no names: name files with --rules");
	if (!load_rules(wish_for(choice.files.at), &book))
		return EXIT_FAILED;
	rules_list(book, choice.json);
	rulebook_free(book);
	return EXIT_FINE;
}

static int run_show(int argc, char **argv)
{
	struct rulebook *book;
	int code = EXIT_FINE;

	if (!argc)
		return misuse(&command_rules,
		              "'tarry rules show' needs a name: 'tarry rules list' shows which there are");
	if (!load_rules(wish_for(choice.files.at), &book))
		return EXIT_FAILED;
	for (int i = 0; i < argc && code == EXIT_FINE; i++)
		code = rules_show(book, argv[i]);
	rulebook_free(book);
	return code;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* Functions outside MPI get wrappers when a job is recorded. */
static bool can_be_traced(const struct rulebook *book)
{
	struct arena arena = {0};
	struct wrappers wrappers;
	bool can = wrappers_write(book, &arena, &wrappers) == OK;

	if (!can)
		report_failure();
	arena_release(&arena);
	return can;
}

static int run_check(int argc, char **argv)
{
	struct rulebook *book;

	(void)argc;
	if (!load_rules(wish_for((const char *const *)argv), &book))
		return EXIT_FAILED;
	if (!can_be_traced(book)) {
		rulebook_free(book);
		return EXIT_FAILED;
	}
	printf("%zu file%s: no errors in %zu problem%s and metrics, %zu event type%s and %zu test%s\n",
	       book->file_count, plural(book->file_count), book->problem_count, plural(book->problem_count),
	       book->type_count - RELATIONS_END, plural(book->type_count - RELATIONS_END), book->test_count,
	       plural(book->test_count));
	rulebook_free(book);
	return EXIT_FINE;
}

static const struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv); /* operands behind the name */
} subcommands[] = {
	{"list", run_list},
	{"show", run_show},
	{"check", run_check},
};

enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static int run_rules(int argc, char **argv)
{
	struct nearest nearest = {.word = argv[0]};
	const char *found;

	for (size_t i = 0; i < SUBCOMMANDS; i++) {
		if (strcmp(subcommands[i].name, argv[0]) == 0)
			return subcommands[i].run(argc - 1, argv + 1);
		nearest_offer(&nearest, subcommands[i].name);
	}
	found = nearest_found(&nearest);
	if (found)
		return misuse(&command_rules, "unknown word '%s'; did you mean '%s'?", argv[0], found);
	return misuse(&command_rules, "unknown word '%s'", argv[0]);
}

const struct command command_rules = {
	.name = "rules",
	.summary = "list the rules that problems are found by, show one of them, or check rules of your own",
	.usage = "[options] list | show NAME... | check FILE...",
	.example = "tarry rules list\n"
		   "tarry rules show late-sender\n"
		   "tarry rules check mine.rules",
	.options = options,
	.operands_min = 1,
	.operands_max = OPERANDS_ANY,
	.run = run_rules,
};
