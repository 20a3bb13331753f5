#include "cli/colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const codes[] = {
	[COLOUR_NONE] = "\033[0m",      [COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[31m",
	[COLOUR_DOUBTFUL] = "\033[33m", [COLOUR_FAINT] = "\033[2m", [COLOUR_STRONG] = "\033[1m",
};

static bool can_show(FILE *stream)
{
	const char *refused = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(fileno(stream)) && !(refused && *refused) && terminal && strcmp(terminal, "dumb") != 0;
}

const char *colour_code(enum colour colour, FILE *stream)
{
	return can_show(stream) ? codes[colour] : "";
}
