#include "bench/tuning/collective.h"

#include "base/text.h"

#include <ctype.h>

const char *collective_short_name(const char *operation, struct arena *arena)
{
	char *name = arena_text(arena, operation + (text_begins(operation, "MPI_") ? 4 : 0));
	for (char *letter = name; *letter; letter++)
		*letter = (char)tolower((unsigned char)*letter);
	return name;
}
