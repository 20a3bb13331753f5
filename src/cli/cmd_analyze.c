#include "cli/colour.h"
#include "cli/command.h"
#include "cli/investigate.h"
#include "cli/trace_notes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_WHEN_PIPED = 80, WIDTH_LEAST = 40, WIDTH_MOST = 120, THREADS_MOST = 1024 };

static struct {
	struct rule_choice rules;
	const char *json;
	const char *symbols;
	int64_t threads;
	bool all;
} choice;

static const struct option_spec options[] = {
	RULE_OPTIONS(choice.rules),
	{"all", 0, NULL, "show all findings, also those that cost next to nothing", OPTION_FLAG, &choice.all},
	{"json", 0, "FILE", "write the findings to FILE as JSON; '-': print that and no text", OPTION_TEXT,
         &choice.json},
	SYMBOLS_OPTION(choice.symbols),
	{"threads", 0, "N", "use N cores; default: all that there are", OPTION_NUMBER, &choice.threads},
	OPTIONS_END,
};

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return WIDTH_WHEN_PIPED;
	return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col > WIDTH_MOST ? WIDTH_MOST : size.ws_col;
}

static void print_text(const struct report *report)
{
	struct report_style style = {.width = terminal_width(),
	                             .all = choice.all,
	                             .strong = colour_code(COLOUR_BAD, stdout),
	                             .none = colour_code(COLOUR_NONE, stdout)};
	struct text out = {0};

	report_text(report, &style, &out);
	fputs(text_get(&out), stdout);
	text_release(&out);
}

static bool write_file(const char *path, const struct text *text)
{
	FILE *file = fopen(path, "w");
	bool written = file && fwrite(text_get(text), 1, text->length, file) == text->length;

	if (file && fclose(file) != 0)
		written = false;
	if (!written)
		say("cannot write '%s': %s", path, strerror(errno));
	return written;
}

static bool print_json(struct report *report)
{
	struct text out = {0};
	bool written = true;

	report_json(report, &out);
	if (strcmp(choice.json, "-") == 0)
		fputs(text_get(&out), stdout);
	else
		written = write_file(choice.json, &out);
	text_release(&out);
	return written;
}

static bool print_report(struct report *report)
{
	bool written = !choice.json || print_json(report);

	if (!choice.json || strcmp(choice.json, "-") != 0)
		print_text(report);
	return written;
}

static int run_analyze(int argc, char **argv)
{
	struct investigation_wish wish = {choice.rules, choice.symbols, (unsigned)choice.threads};
	struct investigation investigation;
	bool is_fine;

	(void)argc;
	if (choice.threads < 0 || choice.threads > THREADS_MOST)
		return misuse(&command_analyze, "option '--threads': a number from 1 to %d", THREADS_MOST);
	if (!investigate(argv[0], &wish, &investigation))
		return EXIT_FAILED;
	is_fine = print_report(investigation.report) && !investigation.reader->damage_count;
	say_warnings(investigation.source);
	say_damage(investigation.reader);
	investigation_release(&investigation);
	return is_fine ? EXIT_FINE : EXIT_FAILED;
}

const struct command command_analyze = {
	.name = "analyze",
	.summary = "find where processes wait, for whom, and what can be done about it",
	.usage = "[options] TRACE",
	.example = "tarry analyze run.tarry\n"
		   "tarry analyze --rules mine.rules --set eps=10us --json findings.json run.tarry",
	.options = options,
	.operands_min = 1,
	.operands_max = 1,
	.run = run_analyze,
};
