#include "analysis/engine/rule_test_run.h"
#include "analysis/wrappers/wrappers.h"
#include "cli/command.h"
#include "cli/rule_loading.h"
#include "cli/rules_text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct {
	struct words files;
	struct words settings;
	bool no_shipped;
	bool json;
	const char *lang;
} choice;

static const struct option_spec options[] = {
	{"rules", 0, "FILE", "for 'list' and 'show': also use these rules; may be repeated", OPTION_WORDS,
         &choice.files},
	{"no-shipped", 0, NULL, "use only the named files and their imports", OPTION_FLAG,
         &choice.no_shipped},
	{"set", 0, "NAME=VALUE", "set a parameter of the rules, such as eps=5us; may be repeated",
         OPTION_WORDS, &choice.settings},
	{"json", 0, NULL, "for 'list': print JSON", OPTION_FLAG, &choice.json},
	{"lang", 0, "LANG",
         "for 'list' and 'show': language of names and descriptions, such as ru; default: $TARRY_LANG, or en",
         OPTION_TEXT, &choice.lang},
	OPTIONS_END,
};

static struct rule_options rule_options_for(const char *const *files)
{
	return (struct rule_options){
		.files = files, .settings = choice.settings.at, .without_shipped = choice.no_shipped};
}

static int run_list(int argc, char **argv)
{
	struct rulebook *book;
	const char *lang;
	int code;

	(void)argv;
	if (argc)
		return misuse(&command_rules, "'tarry rules list' takes no names: name files with --rules");
	code = load_rules(rule_options_for(choice.files.at), &book);
	if (code != EXIT_FINE)
		return code;
	if (choose_language(book, choice.lang, &lang))
		rules_list(book, lang, choice.json);
	else
		code = EXIT_USAGE;
	rulebook_free(book);
	return code;
}

static int run_show(int argc, char **argv)
{
	struct rulebook *book;
	const char *lang;
	int code;

	if (!argc)
		return misuse(&command_rules,
		              "'tarry rules show' needs a name: 'tarry rules list' shows which there are");
	code = load_rules(rule_options_for(choice.files.at), &book);
	if (code != EXIT_FINE)
		return code;
	code = choose_language(book, choice.lang, &lang) ? EXIT_FINE : EXIT_USAGE;
	for (int i = 0; i < argc && code == EXIT_FINE; i++)
		code = rules_show(book, lang, argv[i]);
	rulebook_free(book);
	return code;
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

/* What a call of a test cannot have is known to those who make a trace of it. */
static bool can_be_tested(const struct rulebook *book)
{
	bool can = true;

	for (size_t i = 0; i < book->test_count; i++)
		if (rule_test_fields(book, book->tests[i]) != OK) {
			report_failure();
			can = false;
		}
	return can;
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat left, right;

	return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}

static bool is_declared_in(const struct origin *origin, const char *file)
{
	return !file || (origin->file && is_same_file(file, origin->file));
}

static void add_count(struct text *line, size_t count, const char *one, const char *many)
{
	if (!count)
		return;
	text_add(line, "%s", line->length ? ", " : "");
	text_add_counted(line, count, one, many);
}

/* What is declared in one file, or in all if it is NULL. */
static void tell_of_file(const struct rulebook *book, const char *file)
{
	size_t problems = 0, metrics = 0, types = 0, tests = 0;
	struct text line = {0};

	for (size_t i = 0; i < book->problem_count; i++) {
		const struct problem *problem = book->problems[i];
		if (is_declared_in(&problem->origin, file))
			*(problem->is_metric ? &metrics : &problems) += 1;
	}
	for (size_t i = RELATIONS_END; i < book->type_count; i++)
		types += is_declared_in(&book->types[i]->origin, file);
	for (size_t i = 0; i < book->test_count; i++)
		tests += !file || is_same_file(file, book->tests[i]->file);
	add_count(&line, problems, "problem", "problems");
	add_count(&line, metrics, "metric", "metrics");
	add_count(&line, types, "event type", "event types");
	add_count(&line, tests, "test", "tests");
	printf("%s: no errors%s%s\n", file ? file : "shipped rules",
	       line.length ? " in " : ", and nothing in it", text_get(&line));
	text_release(&line);
}

static int run_check(int argc, char **argv)
{
	struct rulebook *book;
	int code;

	if (!argc && choice.no_shipped)
		return misuse(&command_rules, "'tarry rules check' needs files");
	code = load_rules(rule_options_for((const char *const *)argv), &book);
	if (code != EXIT_FINE)
		return code;
	if (!can_be_traced(book) || !can_be_tested(book)) {
		rulebook_free(book);
		return EXIT_FAILED;
	}
	for (char **file = argv; *file; file++)
		tell_of_file(book, *file);
	if (!*argv)
		tell_of_file(book, NULL);
	rulebook_free(book);
	return EXIT_FINE;
}

/* In one of the files named; all are wanted if none is. */
static bool is_wanted(const struct rule_test *test, char **files)
{
	for (char **file = files; *file; file++)
		if (is_same_file(*file, test->file))
			return true;
	return !*files;
}

static bool passes(const struct rulebook *book, const struct rule_test *test)
{
	struct text complaints = {0};
	bool passed;

	if (rule_test_run(book, test, &complaints) != OK)
		text_add(&complaints, "%s\n", trail_text());
	passed = !complaints.length;
	printf("%s: %s\n%s", passed ? "passed" : "FAILED", test->name, text_get(&complaints));
	text_release(&complaints);
	return passed;
}

static int run_test(int argc, char **argv)
{
	struct rulebook *book;
	int code;
	size_t count = 0, failed = 0;

	if (!argc && choice.no_shipped)
		return misuse(&command_rules, "'tarry rules test' needs files");
	code = load_rules(rule_options_for((const char *const *)argv), &book);
	if (code != EXIT_FINE)
		return code;
	for (size_t i = 0; i < book->test_count; i++) {
		if (!is_wanted(book->tests[i], argv))
			continue;
		count++;
		failed += !passes(book, book->tests[i]);
	}
	printf("%zu test%s, %zu failed\n", count, count == 1 ? "" : "s", failed);
	code = failed ? EXIT_FAILED : EXIT_FINE;
	rulebook_free(book);
	return code;
}

static const struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv); /* operands behind the name */
} subcommands[] = {
	{"list", run_list},
	{"show", run_show},
	{"check", run_check},
	{"test", run_test},
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
		return misuse(&command_rules, "unknown command 'rules %s', did you mean 'rules %s'?", argv[0],
		              found);
	return misuse(&command_rules, "unknown command 'rules %s'", argv[0]);
}

const struct command command_rules = {
	.name = "rules",
	.summary = "list and show rules, and check and test your own",
	.usage = "[options] list | show NAME... | check FILE... | test FILE...",
	.example = "tarry rules list\n"
		   "tarry rules show late-sender\n"
		   "tarry rules check mine.rules\n"
		   "tarry rules test mine.rules",
	.options = options,
	.operands_min = 1,
	.operands_max = OPERANDS_ANY,
	.run = run_rules,
};
