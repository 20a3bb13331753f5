#include "base/paths.h"
#include "base/units.h"
#include "output/report/parts.h"

enum { BRIEF_SHOWN = 3, TIME_WIDTH = 9 };

/* How many columns it takes. */
static size_t name_width(const struct report *report, size_t number)
{
	return text_width(problem_name(report->entries[number].problem, report->analysis->lang));
}

static void add_gap(size_t used, size_t width, struct text *out)
{
	if (used < width)
		text_add_repeated(out, ' ', width - used);
}

static void add_brief(const struct report *report, size_t number, size_t width, struct text *out)
{
	const struct entry *entry = &report->entries[number];
	const struct location *where = &entry->at.where;
	struct text time = {0};

	text_add_seconds_in(&time, locale_of(report->analysis->lang), (double)entry->total_ns * 1e-9);
	text_add(out, "%zu. %s", number + 1, problem_name(entry->problem, report->analysis->lang));
	add_gap(name_width(report, number), width + 1, out);
	add_gap(text_width(text_get(&time)), TIME_WIDTH, out);
	text_add(out, "%s %3.0f %%  ", text_get(&time), 100 * share_of_run(report, entry->total_ns));
	if (where->file)
		text_add(out, "%s:%d\n", path_name(where->file), where->line);
	else
		text_add(out, "%s\n", entry->at.call);
	text_release(&time);
}

void report_brief(const struct report *report, struct text *out)
{
	size_t shown = report->shown, width = 0;

	if (shown > BRIEF_SHOWN)
		shown = BRIEF_SHOWN;
	for (size_t i = 0; i < shown; i++)
		if (name_width(report, i) > width)
			width = name_width(report, i);
	for (size_t i = 0; i < shown; i++)
		add_brief(report, i, width, out);
	text_strip_controls(out);
}
