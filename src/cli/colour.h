/* Colours on terminals; nothing when the output goes elsewhere, or when the variable NO_COLOR is set. */
#ifndef TARRY_CLI_COLOUR_H
#define TARRY_CLI_COLOUR_H

#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_GOOD, COLOUR_BAD, COLOUR_DOUBTFUL, COLOUR_FAINT, COLOUR_STRONG };

/* What to print before a text in this colour to `stream`, and COLOUR_NONE's behind it. */
const char *colour_code(enum colour colour, FILE *stream);

#endif
