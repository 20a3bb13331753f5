#include "output/findings/demangle.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A length and so many letters. */
static const char *take_name(const char *at, struct text *out)
{
	char *end;
	unsigned long length = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;

	if (!length || strnlen(end, length) < length)
		return NULL;
	if (out->length)
		text_add(out, "::");
	text_add_bytes(out, end, length);
	return end + length;
}

/* Behind "I", to behind its "E". NULL: not understood. */
static const char *skip_arguments(const char *at)
{
	for (int depth = 1; depth; at++) {
		char *end;
		if (!*at)
			return NULL;
		if (isdigit((unsigned char)*at)) {
			unsigned long length = strtoul(at, &end, 10);
			if (strnlen(end, length) < length)
				return NULL;
			at = end + length - 1;
		} else if (*at == 'L') { /* a number, whose digits are no length */
			at = strchr(at, 'E');
			if (!at)
				return NULL;
		} else {
			depth += (*at == 'I' || *at == 'N' || *at == 'X' || *at == 'J') - (*at == 'E');
		}
	}
	return at;
}

static bool take_nested(const char *at, struct text *out)
{
	at += strspn(at, "VKRO");
	if (strncmp(at, "St", 2) == 0) {
		text_add(out, "std");
		at += 2;
	}
	while (*at != 'E') {
		if (*at == 'I')
			at = skip_arguments(at + 1);
		else
			at = take_name(at, out);
		if (!at)
			return false;
	}
	return out->length;
}

const char *demangle_short(const char *name, struct arena *arena)
{
	struct text out = {0};
	const char *result = name;

	if (strncmp(name, "_Z", 2) != 0)
		return name;
	if (name[2] == 'N' ? take_nested(name + 3, &out) : take_name(name + 2, &out) != NULL)
		result = arena_text(arena, text_get(&out));
	text_release(&out);
	return result;
}
