#include "cli/reporting.h"

#include "cli/colour.h"
#include "cli/open_trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_WHEN_PIPED = 80, WIDTH_LEAST = 40, WIDTH_MOST = 200, THREADS_MOST = 1024 };

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return WIDTH_WHEN_PIPED;
	return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col > WIDTH_MOST ? WIDTH_MOST : size.ws_col;
}

static bool is_stdout(const char *path)
{
	return strcmp(path, "-") == 0;
}

static bool write_file(const char *path, const struct text *text)
{
	FILE *file = is_stdout(path) ? stdout : fopen(path, "w");
	bool written = file && fwrite(text_get(text), 1, text->length, file) == text->length;

	if (file && file != stdout && fclose(file) != 0)
		written = false;
	if (!written && file != stdout)
		say("cannot write '%s': %s", path, strerror(errno));
	return written;
}

static bool speaks_utf8(void)
{
	const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !(locale && *locale); i++)
		locale = getenv(names[i]);
	return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

/* Colours and bars are for terminals. */
static struct report_style style_of_stdout(void)
{
	struct report_style style = {
		.width = terminal_width(),
		.title = colour_code(COLOUR_STRONG, stdout),
		.faint = colour_code(COLOUR_FAINT, stdout),
		.none = colour_code(COLOUR_NONE, stdout),
		.gravities = {[GRAVITY_HIGH] = colour_code(COLOUR_BAD, stdout),
	                      [GRAVITY_MEDIUM] = colour_code(COLOUR_DOUBTFUL, stdout),
	                      [GRAVITY_LOW] = colour_code(COLOUR_STRONG, stdout)},
	};

	if (isatty(STDOUT_FILENO))
		style.bar = speaks_utf8() ? "█" : "#";
	return style;
}

static void print_text(struct report *report)
{
	struct report_style style = style_of_stdout();
	struct text out = {0};

	report_text(report, &style, &out);
	fwrite(text_get(&out), 1, out.length, stdout);
	text_release(&out);
}

static bool write_format(struct report *report, enum report_format format, const char *path)
{
	struct text out = {0};
	bool written;

	report_formats[format].write(report, &out);
	written = write_file(path, &out);
	text_release(&out);
	return written;
}

/* What goes to stdout takes the place of the text. */
static bool write_all(struct report *report, const struct reporting_choice *choice)
{
	bool written = true, printed = false;

	for (int i = 0; i < REPORT_FORMATS_END; i++) {
		if (!choice->outputs[i])
			continue;
		written = write_format(report, (enum report_format)i, choice->outputs[i]) && written;
		printed = printed || is_stdout(choice->outputs[i]);
	}
	if (!printed)
		print_text(report);
	return written;
}

/* Of two that are written to the same place only one would be left. */
static enum status check_place(const struct reporting_choice *choice, int format)
{
	const char *place = choice->outputs[format], *name = report_formats[format].name;

	if (!is_stdout(place) && is_trace(place))
		return fail("option '--%s': '%s' is a trace and would be lost: name another file", name,
		            place);
	for (int i = 0; i < format; i++) {
		if (!choice->outputs[i] || strcmp(choice->outputs[i], place) != 0)
			continue;
		return is_stdout(place)
		               ? fail("options '--%s -' and '--%s -': only one of them can be printed; "
		                      "give the other a file",
		                      report_formats[i].name, name)
		               : fail("options '--%s' and '--%s': give each a file of its own",
		                      report_formats[i].name, name);
	}
	return OK;
}

static enum status check_choice(const struct reporting_choice *choice)
{
	TRY(limits_parse(&choice->limits));
	if (choice->threads < 0 || choice->threads > THREADS_MOST)
		return fail("option '--threads': a number from 1 to %d", THREADS_MOST);
	for (int i = 0; i < REPORT_FORMATS_END; i++)
		if (choice->outputs[i])
			TRY(check_place(choice, i));
	return OK;
}

/* What was written is whole, then what was found is within its limits, then all of the trace could be read. */
static int tell(const struct investigation *investigation, const struct reporting_choice *choice)
{
	if (!write_all(investigation->report, choice))
		return EXIT_FAILED;
	fflush(stdout);
	if (limits_are_crossed(&choice->limits, investigation->report))
		return EXIT_GATE;
	return investigation->reader->damage_count ? EXIT_FAILED : EXIT_FINE;
}

int tell_report(const struct command *command, const char *path, const struct reporting_choice *choice)
{
	char root[PATH_MAX];
	struct investigation_wish wish = {
		.rules = choice->rules,
		.symbols = choice->symbols,
		.threads = (unsigned)choice->threads,
		.limits = choice->limits,
		.report = {.profile = choice->profile,
	                   .all = choice->all,
	                   .root = realpath(choice->root ? choice->root : ".", root)},
	};
	struct investigation investigation;
	int code;

	if (check_choice(choice) != OK)
		return misuse(command, "%s", trail_text());
	if (!investigate(path, &wish, &investigation))
		return EXIT_FAILED;
	code = tell(&investigation, choice);
	say_warnings(investigation.source);
	say_damage(investigation.reader);
	investigation_release(&investigation);
	return code;
}
