#include "bench/run/described.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool ends_with_name(const char *begin, const char *end, const char *name)
{
	size_t length = strlen(name);

	return (size_t)(end - begin) >= length && memcmp(end - length, name, length) == 0;
}

/* Characters that may precede the name without a separator: those of a sentence, but not of a longer name. */
static bool is_longer_name(const char *begin, const char *end, const char *name)
{
	const char *before = end - strlen(name);

	return before > begin && before[-1] == '_';
}

int described_value(const char *description, const char *name)
{
	int value = -1;

	for (const char *dash = description; (dash = strstr(dash, " - ")); dash++) {
		const char *end = dash, *begin;

		while (end > description && end[-1] == ' ')
			end--;
		for (begin = end; begin > description && !isspace((unsigned char)begin[-1]); begin--)
			;
		value++;
		if (ends_with_name(begin, end, name) && !is_longer_name(begin, end, name))
			return value;
	}
	return -1;
}
