#include "base/utf8.h"
#include "bench/results/differences.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 80, UNMATCHED_SHOWN = 10, FACTS_SHOWN = 20, VALUE_SHOWN = 60 };

static const char strong[] = "\033[1m", faint[] = "\033[2m", plain[] = "\033[0m";
static const char *const verdict_colours[VERDICTS_END] = {
	[VERDICT_SAME] = "",
	[VERDICT_FASTER] = "\033[32m",
	[VERDICT_SLOWER] = "\033[31m",
	[VERDICT_UNSURE] = "\033[33m",
};

/* State of the printed comparison. */
struct drawing {
	const struct differences *of;
	const struct compared_names *names;
	bool coloured;
	struct text *out;
	struct text title; /* of the previous line: a different title starts a table */
};

static const char *in(const struct drawing *drawing, const char *colour)
{
	return drawing->coloured ? colour : "";
}

static void add_time(struct text *out, double seconds)
{
	struct text time = {0};

	if (isfinite(seconds))
		text_add_seconds(&time, seconds);
	text_add(out, " %9s", time.length ? text_get(&time) : "?");
	text_release(&time);
}

static void add_ratio(struct text *out, double ratio)
{
	if (isfinite(ratio))
		text_add(out, "%.*f", ratio < 9.9995 ? 3 : ratio < 99.95 ? 1 : 0, ratio);
	else
		text_add(out, "?");
}

static void add_interval(struct text *out, const struct sample_comparison *found)
{
	struct text interval = {0};

	if (isfinite(found->high)) {
		add_ratio(&interval, found->low);
		text_add(&interval, " to ");
		add_ratio(&interval, found->high);
	}
	text_add(out, " %15s", interval.length ? text_get(&interval) : "?");
	text_release(&interval);
}

static void add_p(struct text *out, double p)
{
	if (p >= 0.0001)
		text_add(out, " %8.4f", p);
	else
		text_add(out, " %8s", p >= 0 ? "< 0.0001" : "?");
}

static void add_block_head(struct drawing *drawing)
{
	struct text *out = drawing->out, sure = {0};

	text_add(&sure, "%.6g %% CI", 100 * drawing->of->how.confidence);
	text_add(out, "\n%s%s%s\n", in(drawing, strong), text_get(&drawing->title), in(drawing, plain));
	text_add(out, "%s%7s %5s %9s %9s %7s %15s %8s  %s%s\n", in(drawing, faint), "bytes", "ranks", "first",
	         "second", "ratio", text_get(&sure), "p", "second is", in(drawing, plain));
	text_release(&sure);
}

static void add_head_if_new(struct drawing *drawing, const struct result_point *point)
{
	struct text title = {0};

	text_add_point_name(&title, point);
	bool is_new = strcmp(text_get(&title), text_get(&drawing->title)) != 0;

	text_release(&drawing->title);
	drawing->title = title;
	if (is_new)
		add_block_head(drawing);
}

static void add_difference(struct drawing *drawing, const struct difference *difference)
{
	struct text *out = drawing->out, size = {0}, ratio = {0};
	enum verdict verdict = difference->verdict;

	add_head_if_new(drawing, difference->first);
	text_add_point_size(&size, difference->first);
	add_ratio(&ratio, difference->comparison.ratio);
	text_add(out, "%7s %5d", text_get(&size), difference->first->ranks);
	add_time(out, difference->first->summary.median);
	add_time(out, difference->second->summary.median);
	text_add(out, " %7s", text_get(&ratio));
	add_interval(out, &difference->comparison);
	add_p(out, difference->p);
	text_add(out, "  %s%s%s\n", in(drawing, verdict_colours[verdict]), verdict_names[verdict],
	         *verdict_colours[verdict] ? in(drawing, plain) : "");
	text_release(&size);
	text_release(&ratio);
}

/* Where to cut a long line: at a space, or else between characters. */
static int shown_length(const char *value)
{
	int length = VALUE_SHOWN;

	while (length && value[length] != ' ')
		length--;
	for (length = length ? length : VALUE_SHOWN; utf8_continues(value[length]);)
		length--;
	return length;
}

static void add_value(struct text *out, const char *value)
{
	if (!value)
		text_add(out, "not known");
	else if (strlen(value) <= VALUE_SHOWN)
		text_add(out, "%s", value);
	else
		text_add(out, "%.*s ...", shown_length(value), value);
}

static void add_fact(const struct fact_difference *fact, struct text *out)
{
	struct text words = {0};

	text_add(&words, "%s, %s: ", fact->section, fact->name);
	add_value(&words, fact->first);
	text_add(&words, " -> ");
	add_value(&words, fact->second);
	text_add(out, "  ");
	text_add_wrapped(out, text_get(&words), 2, WIDTH);
	text_release(&words);
}

static void add_facts(struct drawing *drawing)
{
	size_t count = drawing->of->fact_count, shown = count > FACTS_SHOWN + 1 ? FACTS_SHOWN : count;

	if (!count)
		return;
	text_add(drawing->out, "\nDifferences that may be the cause:\n");
	for (size_t i = 0; i < shown; i++)
		add_fact(&drawing->of->facts[i], drawing->out);
	if (shown < count)
		text_add(drawing->out, "  and %zu more\n", count - shown);
}

static void add_place(struct text *out, const struct result_point *point)
{
	text_add_point_name(out, point);
	if (point->bytes) {
		text_add(out, ", ");
		text_add_point_size(out, point);
		text_add(out, point->bytes == 1 ? " byte" : " bytes");
	}
	text_add(out, ", %d ranks", point->ranks);
}

static void add_unmatched(struct drawing *drawing, const char *name, const struct result_point **points,
                          size_t count)
{
	size_t shown = count > UNMATCHED_SHOWN + 1 ? UNMATCHED_SHOWN : count;

	if (!count)
		return;
	text_add(drawing->out, "\nOnly in '%s':\n", name);
	for (size_t i = 0; i < shown; i++) {
		text_add(drawing->out, "  ");
		add_place(drawing->out, points[i]);
		text_add(drawing->out, "\n");
	}
	if (shown < count)
		text_add(drawing->out, "  and %zu more\n", count - shown);
}

static const struct difference *find_worst(const struct differences *differences)
{
	const struct difference *worst = NULL;

	for (size_t i = 0; i < differences->count; i++) {
		const struct difference *difference = &differences->at[i];

		if (difference->verdict == VERDICT_SLOWER &&
		    (!worst || difference->comparison.ratio > worst->comparison.ratio))
			worst = difference;
	}
	return worst;
}

static void add_worst(const struct difference *worst, struct text *out)
{
	struct text words = {0};

	text_add(&words, "slowed down most: ");
	add_place(&words, worst->first);
	text_add(&words, ": ");
	add_ratio(&words, worst->comparison.ratio);
	text_add(&words, " times as long");
	text_add_wrapped(out, text_get(&words), 0, WIDTH);
	text_release(&words);
}

static void add_sum(struct drawing *drawing)
{
	const struct difference *worst = find_worst(drawing->of);
	struct text *out = drawing->out;
	bool is_first = true;

	text_add(out, "\n");
	text_add_counted(out, drawing->of->count, "point", "points");
	for (int i = 0; i < VERDICTS_END; i++)
		if (drawing->of->verdicts[i]) {
			text_add(out, "%s%zu %s", is_first ? ": " : ", ", drawing->of->verdicts[i],
			         verdict_names[i]);
			is_first = false;
		}
	text_add(out, "\n");
	if (worst)
		add_worst(worst, out);
}

/* Independent of the test. */
static void add_marks(const struct differences *differences, struct text *out)
{
	struct text words = {0};
	unsigned marks = 0;
	size_t count = 0;

	for (size_t i = 0; i < differences->count; i++) {
		unsigned both = differences->at[i].first->marks | differences->at[i].second->marks;

		marks |= both;
		count += both != 0;
	}
	if (!count)
		return;
	text_add_counted(&words, count, "point is", "points are");
	text_add(&words, " marked on at least one side: ");
	text_add_marks(&words, marks, ", ");
	text_add(&words, " (see 'tarry bench show')");
	text_add(out, "\n");
	text_add_wrapped(out, text_get(&words), 0, WIDTH);
	text_release(&words);
}

static void add_legend(struct drawing *drawing)
{
	const struct comparing *how = &drawing->of->how;
	struct text words = {0};

	text_add(
		&words,
		"first, second: medians%s. ratio: second / first, the Hodges-Lehmann estimate with its interval. "
		"p: the Mann-Whitney test, corrected for %zu points (Holm). A point is slower or faster if p is below %.3g and "
		"the ratio beyond %.3g%%; unsure: too much scatter or too few %s.",
		drawing->of->first_jobs ? " of the jobs' medians" : "", drawing->of->count,
		1 - how->confidence, 100 * how->threshold, drawing->of->first_jobs ? "jobs" : "runs");
	text_add(drawing->out, "\n");
	text_add_wrapped(drawing->out, text_get(&words), 0, WIDTH);
	text_release(&words);
}

/* Runs of one job have much in common that other jobs have not. */
static void add_warning(struct drawing *drawing)
{
	static const char words[] =
		"Each side is one job, and jobs differ in the placement of processes and memory and in the load of the machine. For a reliable result, measure several jobs on each side into two folders, and compare the folders.";

	if (drawing->of->first_jobs)
		return;
	text_add(drawing->out, "\n");
	text_add_wrapped(drawing->out, words, 0, WIDTH);
}

static void add_name(struct text *out, const char *label, const char *name, size_t jobs)
{
	text_add(out, "%s%s", label, name);
	if (jobs) {
		text_add(out, ", ");
		text_add_counted(out, jobs, "job", "jobs");
	}
	text_add(out, "\n");
}

void differences_text(const struct differences *differences, const struct compared_names *names,
                      bool coloured, struct text *out)
{
	struct drawing drawing = {differences, names, coloured, out, {0}};

	add_name(out, "first:  ", names->first, differences->first_jobs);
	add_name(out, "second: ", names->second, differences->second_jobs);
	add_facts(&drawing);
	for (size_t i = 0; i < differences->count; i++)
		add_difference(&drawing, &differences->at[i]);
	add_unmatched(&drawing, names->first, differences->only_first, differences->only_first_count);
	add_unmatched(&drawing, names->second, differences->only_second, differences->only_second_count);
	if (differences->count) {
		add_legend(&drawing);
		add_warning(&drawing);
		add_marks(differences, out);
		add_sum(&drawing);
	}
	memory_differences_text(&differences->memory, out);
	text_release(&drawing.title);
}
