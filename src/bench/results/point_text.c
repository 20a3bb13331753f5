#include "bench/results/point_text.h"

#include <inttypes.h>
#include <string.h>

/* Defaults are not printed. */
static void add_choice(struct text *text, const char *choice, const char *usual, const char *suffix)
{
	if (*choice && strcmp(choice, usual) != 0)
		text_add(text, ", %s%s", choice, suffix);
}

void text_add_point_name(struct text *text, const struct result_point *point)
{
	text_add(text, "%s", point->operation);
	add_choice(text, point->variant, "", "");
	if (point->root >= 0)
		text_add(text, ", root %d", point->root);
	add_choice(text, point->datatype, "byte", "");
	add_choice(text, point->reduction, "", "");
	add_choice(text, point->communicator, "world", "");
	add_choice(text, point->cache, "", " cache");
	if (point->in_place)
		text_add(text, ", in place");
}

void text_add_point_size(struct text *text, const struct result_point *point)
{
	static const char letters[] = "\0KMGTPE";
	uint64_t size = point->bytes;
	size_t power = 0;

	while (size && size % 1024 == 0) {
		size /= 1024;
		power++;
	}
	if (point->bytes)
		text_add(text, power ? "%" PRIu64 "%c" : "%" PRIu64, size, letters[power]);
	else
		text_add(text, "-");
}

const struct mark_kind mark_kinds[] = {
	{MARK_CLOCK, "clock", "the clock error is a large part of the time"},
	{MARK_FEW, "few", "there are too few valid runs for a reliable mean"},
	{MARK_UNSTEADY, "unsteady", "times vary so much that the requested error was not reached"},
	{MARK_OVERSUBSCRIBED, "crowded",
         "processes shared cores with each other or with other programs: times include waiting for a core"},
	{MARK_RESOLUTION, "coarse", "the time is too short for the resolution of the timer"},
	{0},
};

void text_add_marks(struct text *text, unsigned marks, const char *separator)
{
	bool is_first = true;

	for (const struct mark_kind *kind = mark_kinds; kind->name; kind++) {
		if (!(marks & kind->mark))
			continue;
		text_add(text, "%s%s", is_first ? "" : separator, kind->name);
		is_first = false;
	}
}
