#include "bench/results/marks.h"

const struct mark_kind mark_kinds[] = {
	{MARK_CLOCK, "clock", "the error of the clocks is a large part of the time"},
	{MARK_FEW, "few", "fewer runs were right than are needed for a mean to be trusted"},
	{MARK_UNSTEADY, "unsteady", "times scatter so much that the wanted error was not reached"},
	{MARK_OVERSUBSCRIBED, "crowded",
         "processes shared processors, with each other or with others: times include waiting for one"},
	{MARK_RESOLUTION, "coarse", "the time is so short that the steps of the timer show"},
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
