/* Colours on terminals. Other output, and output with the variable NO_COLOR, has no colours. */
#ifndef TARRY_CLI_TERMINAL_H
#define TARRY_CLI_TERMINAL_H

#include "base/text.h"
#include "cli/terminal.h"

#include <stdbool.h>
#include <stdio.h>

enum colour {
	COLOUR_NONE,
	COLOUR_GOOD,
	COLOUR_BAD,
	COLOUR_DOUBTFUL,
	COLOUR_FAINT,
	COLOUR_STRONG,
	/* Activities of a rank, as in pages (src/page/page.css). */
	COLOUR_COMPUTING,
	COLOUR_WAITING,
	COLOUR_MPI,
	COLOUR_BLOCKED,
	COLOUR_UNRECORDED
};

/* The code to print before a text in this colour to `stream`. Print the code of COLOUR_NONE after the
 * text. */
const char *colour_code(enum colour colour, FILE *stream);

/* Whether the locale (LC_ALL, LC_CTYPE, LANG) uses UTF-8. */
bool speaks_utf8(void);
/* Replaces characters outside ASCII by similar ones of the same width, or by question marks. */
void fold_to_ascii(struct text *text);

/* A progress bar on stderr for long work. Short work has no bar, and neither has a terminal that cannot erase
 * a line.
 *
 *	progress_begin("reading");
 *	progress_show(0.4);
 *	progress_end();
 *
 * Only the thread that began the bar moves it, and threads that call progress_join(). */

void progress_begin(const char *what);
/* Lets the calling thread move the bar. */
void progress_join(void);
/* `part` is from 0 to 1. Cheap enough to be called often. */
void progress_show(double part);
/* Erases the bar until the next progress_show(), because other text is about to be printed. */
void progress_hide(void);
/* Erases the bar. */
void progress_end(void);

/* The whole terminal for some time, as its alternate screen: afterwards the former content is back. Terminal
 * modes are not changed, because the keyboard belongs to the job.
 *
 *	if (screen_is_possible()) {
 *		screen_draw(lines, count);          enters it
 *		screen_size(&rows, &columns);       call it each time: a terminal may be resized
 *		screen_leave();                     also done when tarry ends in any way that it can notice
 *	} */
struct screen_line {
	char *text; /* one line, without control characters */
	enum colour colour;
};

/* Whether stdout is a terminal with an alternate screen. */
bool screen_is_possible(void);
void screen_size(int *rows, int *columns);
/* Lines below the last row and text beyond the last column are omitted. */
void screen_draw(const struct screen_line *lines, size_t count);
void screen_leave(void);

/* The number of bytes of the text that fit into this many columns. */
size_t screen_fit(const char *text, size_t columns);

#endif
