/* Colours on terminals; nothing when the output goes elsewhere, or when the variable NO_COLOR is set. */
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
	/* What a rank does: as in pages (src/page/page.css). */
	COLOUR_COMPUTING,
	COLOUR_WAITING,
	COLOUR_MPI,
	COLOUR_BLOCKED,
	COLOUR_UNRECORDED
};

/* What to print before a text in this colour to `stream`, and COLOUR_NONE's after it. */
const char *colour_code(enum colour colour, FILE *stream);

/* By the variables LC_ALL, LC_CTYPE and LANG. */
bool speaks_utf8(void);
/* Letters beyond ASCII become those that come nearest, each one column wide as before; others question marks. */
void fold_to_ascii(struct text *text);

/* A bar on stderr for work that takes a while; nothing if stderr is not a terminal that can wipe it, or
 * the work is short.
 *
 *	progress_begin("reading");
 *	progress_show(0.4);
 *	progress_end();
 *
 * Only the thread that began it moves the bar, and threads that ask for it. */

void progress_begin(const char *what);
/* Lets the calling thread move the bar. */
void progress_join(void);
/* From 0 to 1; cheap enough to be called often. */
void progress_show(double part);
/* Wipes the bar until it is shown again: something else is about to be printed. */
void progress_hide(void);
/* Wipes the bar. */
void progress_end(void);

/* The whole terminal for a while: the alternate screen, which goes away with all that was on it. No mode of the terminal is changed, as
 * the keyboard stays the job's.
 *
 *	if (screen_is_possible()) {
 *		screen_draw(lines, count);          enters it
 *		screen_size(&rows, &columns);       asked again each time: a terminal may be resized
 *		screen_leave();                     also done when tarry ends in any way that it can notice
 *	} */
struct screen_line {
	char *text; /* one line, without control characters */
	enum colour colour;
};

/* Whether stdout is a terminal that can do it. */
bool screen_is_possible(void);
void screen_size(int *rows, int *columns);
/* Lines below the last row and text beyond the last column are left out. */
void screen_draw(const struct screen_line *lines, size_t count);
void screen_leave(void);

/* As much of the text as fits into so many columns: bytes. */
size_t screen_fit(const char *text, size_t columns);

#endif
