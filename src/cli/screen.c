#include "cli/screen.h"

#include "base/files.h"
#include "base/text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The cursor is hidden, and lines are not wrapped: what is too long by a terminal's own counting is cut by it. */
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

/* If tarry itself is at fault, its terminal must be of use all the same. The handler is gone by then. */
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

/* In one piece, over what was there before: nothing flickers. */
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
