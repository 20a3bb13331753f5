#include "cli/terminal.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "base/utf8.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Colours */

/* 8 colours, and 256 for the activities of ranks (src/page/page.css; the test page-palette compares them). */
static const struct {
	const char *basic, *rich;
} codes[] = {
	[COLOUR_NONE] = {"\033[0m", NULL},
	[COLOUR_GOOD] = {"\033[32m", NULL},
	[COLOUR_BAD] = {"\033[31m", NULL},
	[COLOUR_DOUBTFUL] = {"\033[33m", NULL},
	[COLOUR_FAINT] = {"\033[2m", NULL},
	[COLOUR_STRONG] = {"\033[1m", NULL},
	[COLOUR_COMPUTING] = {"\033[32m", "\033[38;5;72m"},
	[COLOUR_WAITING] = {"\033[31m", "\033[38;5;166m"},
	[COLOUR_MPI] = {"\033[34m", "\033[38;5;68m"},
	[COLOUR_BLOCKED] = {"\033[35m", "\033[38;5;97m"},
	[COLOUR_UNRECORDED] = {"\033[2m", "\033[38;5;245m"},
};

static bool can_show(FILE *stream)
{
	const char *refused = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(fileno(stream)) && !(refused && *refused) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool has_many_colours(void)
{
	const char *terminal = getenv("TERM"), *more = getenv("COLORTERM");

	return (more && *more) || (terminal && strstr(terminal, "256color"));
}

const char *colour_code(enum colour colour, FILE *stream)
{
	if (!can_show(stream))
		return "";
	return codes[colour].rich && has_many_colours() ? codes[colour].rich : codes[colour].basic;
}

/* Letters */

bool speaks_utf8(void)
{
	const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !(locale && *locale); i++)
		locale = getenv(names[i]);
	return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

static char nearest_ascii(uint32_t code)
{
	static const struct {
		uint32_t code;
		char letter;
	} letters[] = {
		{0xa0, ' '},    {0xb5, 'u'},   {0xd7, 'x'},   {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''},
		{0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2026, '.'}, {0x202f, ' '}, {0x2192, '>'},
		{0x2212, '-'},  {0x22ee, ':'}, {0x2500, '-'}, {0x2502, '|'}, {0x250c, '+'}, {0x2514, '+'},
		{0x2518, '+'},  {0x251c, '+'}, {0x2588, '#'}, {0x25ba, '>'}, {0x25bc, 'v'},
	};

	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
		if (letters[i].code == code)
			return letters[i].letter;
	return code < 0x80 ? (char)code : '?';
}

void fold_to_ascii(struct text *text)
{
	struct text folded = {0};

	for (const char *at = text_get(text), *end = at + text->length; at < end;)
		text_add(&folded, "%c", nearest_ascii(utf8_next(&at, end)));
	text_release(text);
	*text = folded;
}

/* The bar */

enum { BAR_WIDTH = 40, BESIDE_BAR = sizeof " [] 100%", PATIENCE_NS = 500000000, REDRAW_NS = 100000000 };

static struct {
	const char *what;
	bool wanted;
	bool drawn;
	int64_t next_ns; /* when to draw again */
} bar;
static _Thread_local bool moves_bar;

/* The space after the word on one line, because only one line can be erased. Negative: the rest does not
 * fit. */
static int bar_width(void)
{
	struct winsize size;
	int room;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return BAR_WIDTH;
	room = size.ws_col - BESIDE_BAR - (int)strlen(bar.what);
	return room < BAR_WIDTH ? room : BAR_WIDTH;
}

void progress_begin(const char *what)
{
	const char *terminal;

	progress_hide(); /* of an earlier activity */
	bar.what = what;
	/* A bar that cannot be erased would leave a line each time. */
	terminal = getenv("TERM");
	bar.wanted = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
	bar.drawn = false;
	moves_bar = true;
	bar.next_ns = (int64_t)clock_system_ns(CLOCK_MONOTONIC_COARSE) + PATIENCE_NS;
}

static void draw(double part)
{
	char line[BAR_WIDTH + 1] = "";
	int width = bar_width();

	if (width < 0)
		return;
	memset(line, '.', (size_t)width);
	memset(line, '#', (size_t)(part * width));
	fprintf(stderr, "\r%s [%s] %3d%%", bar.what, line, (int)(part * 100));
	fflush(stderr);
	bar.drawn = true;
}

void progress_join(void)
{
	moves_bar = true;
}

void progress_show(double part)
{
	int64_t now;

	/* Other threads do other parts of the work. */
	if (!moves_bar || !bar.wanted ||
	    (now = (int64_t)clock_system_ns(CLOCK_MONOTONIC_COARSE)) < bar.next_ns)
		return;
	draw(part > 0 ? part < 1 ? part : 1 : 0);
	bar.next_ns = now + REDRAW_NS;
}

void progress_hide(void)
{
	if (!bar.drawn)
		return;
	fprintf(stderr, "\r\033[K");
	fflush(stderr);
	bar.drawn = false;
	bar.next_ns = 0;
}

void progress_end(void)
{
	progress_hide();
	bar.wanted = false;
}

/* The cursor is hidden and lines are not wrapped: the terminal cuts lines that it considers too long. */
static const char enter[] = "\033[?1049h\033[?25l\033[?7l";
static const char leave[] = "\033[?7h\033[?25h\033[?1049l";

enum { ROWS = 24, COLUMNS = 80 };

static volatile sig_atomic_t is_entered;

bool screen_is_possible(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void screen_size(int *rows, int *columns)
{
	struct winsize size;

	*rows = ROWS;
	*columns = COLUMNS;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
}

void screen_leave(void)
{
	if (!is_entered)
		return;
	is_entered = 0;
	if (!write_fully(STDOUT_FILENO, leave, sizeof leave - 1))
		return; /* the terminal is gone */
}

/* Even if tarry crashes, the terminal must remain usable. The handler has been reset by then. */
static void leave_and_die(int number)
{
	screen_leave();
	raise(number);
}

size_t screen_fit(const char *text, size_t columns)
{
	size_t used = 0, at = 0;

	for (; text[at]; at++) {
		bool begins = ((unsigned char)text[at] & 0xc0) != 0x80;
		if (begins && used++ == columns)
			break;
	}
	return at;
}

/* One write, over the previous picture, so that nothing flickers. */
void screen_draw(const struct screen_line *lines, size_t count)
{
	static bool is_prepared;
	struct text out = {0};
	int rows, columns;

	if (!is_prepared) {
		static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, 0};
		struct sigaction action = {.sa_handler = leave_and_die,
		                           .sa_flags = (int)SA_RESETHAND | SA_NODEFER};

		atexit(screen_leave);
		for (const int *number = fatal; *number; number++)
			sigaction(*number, &action, NULL);
	}
	is_prepared = true;
	screen_size(&rows, &columns);
	if (!is_entered)
		text_add(&out, "%s", enter);
	text_add(&out, "\033[H");
	for (size_t i = 0; i < count && i < (size_t)rows; i++) {
		const struct screen_line *line;

		text_add(&out, "%s", i ? "\r\n" : "");
		line = &lines[i];
		text_add(&out, "%s", line->colour ? colour_code(line->colour, stdout) : "");
		text_add_bytes(&out, line->text, screen_fit(line->text, (size_t)columns));
		text_add(&out, "%s\033[K", line->colour ? colour_code(COLOUR_NONE, stdout) : "");
	}
	text_add(&out, "\033[J");
	is_entered = 1;
	if (!write_fully(STDOUT_FILENO, text_get(&out), out.length))
		is_entered = 0; /* the terminal is gone */
	text_release(&out);
}
