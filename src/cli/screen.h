/* The whole terminal for a while: the alternate screen, which goes away with all that was on it. No mode of the terminal is changed, as
 * the keyboard stays the job's.
 *
 *	if (screen_is_possible()) {
 *		screen_draw(lines, count);          enters it
 *		screen_size(&rows, &columns);       asked again each time: a terminal may be resized
 *		screen_leave();                     also done when tarry ends in any way that it can notice
 *	} */
#ifndef TARRY_CLI_SCREEN_H
#define TARRY_CLI_SCREEN_H

#include "cli/terminal.h"

#include <stdbool.h>
#include <stddef.h>

struct screen_line {
	char *text; /* one line, without control characters */
	enum colour colour;
};

/* Whether stdout is a terminal that can do it. */
bool screen_is_possible(void);
void screen_size(int *rows, int *columns);
/* Lines beyond the last row are left out, and so is what is beyond the last column. */
void screen_draw(const struct screen_line *lines, size_t count);
void screen_leave(void);

/* As much of the text as fits into so many columns: bytes. */
size_t screen_fit(const char *text, size_t columns);

#endif
