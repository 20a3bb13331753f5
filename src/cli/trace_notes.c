#include "cli/trace_notes.h"

#include "cli/command.h"

enum { DAMAGE_SHOWN = 20 };

void say_damage(const struct reader *reader)
{
	size_t count = reader->damage_count;

	for (size_t i = 0; i < count && i < DAMAGE_SHOWN; i++)
		say("'%s' is damaged: %s", reader->path, reader->damage[i].text);
	if (count > DAMAGE_SHOWN)
		say("'%s' is damaged in %zu more places", reader->path, count - DAMAGE_SHOWN);
}

void say_warnings(const struct source *source)
{
	const char *const *warnings;
	size_t count = source_warnings(source, &warnings);

	for (size_t i = 0; i < count; i++)
		say("%s", warnings[i]);
}
