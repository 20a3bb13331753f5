#include "bench/results/html.h"
#include "bench/results/memory_differences.h"
#include "bench/results/memory_use.h"
#include "bench/results/page_parts.h"
#include "bench/results/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_ranks(const void *left, const void *right)
{
	double a = ((const struct plot_point *)left)->x, b = ((const struct plot_point *)right)->x;

	return (a > b) - (a < b);
}

static struct series series_of(const struct memory_of_step *step, const struct memory_field *field,
                               struct arena *arena)
{
	struct series series = {.spots = arena_array(arena, struct plot_point, step->count)};

	series.name = arena_format(arena, "%.*s", (int)strcspn(field->name, "_"), field->name);
	for (size_t i = 0; i < step->count; i++)
		series.spots[series.count++] = (struct plot_point){
			step->uses[i]->ranks, *memory_value(field, step->uses[i]), NAN, NAN, false, NULL};
	qsort(series.spots, series.count, sizeof(*series.spots), by_ranks);
	return series;
}

static void draw_step(const struct memory_of_step *step, struct arena *arena, struct text *out)
{
	enum { SHOWN = 2 }; /* private and shared, which are the library's own */
	struct series series[SHOWN];
	struct plot plot = {.title = step->name,
	                    .x = {.title = "ranks", .unit = UNIT_COUNT},
	                    .y = {.title = "bytes that it adds to a process", .unit = UNIT_MEMORY},
	                    .series = series,
	                    .series_count = SHOWN};

	for (size_t i = 0; i < SHOWN; i++)
		series[i] = series_of(step, &memory_fields[i], arena);
	plot_draw(&plot, out);
}

static bool adds_memory(const struct memory_of_step *step)
{
	for (size_t i = 0; i < step->count; i++)
		if (memory_own(step->uses[i]) > 0)
			return true;
	return false;
}

static void draw_memory(const struct memory_of_steps *steps, struct arena *arena, struct text *out)
{
	enum { STEPS_MAX = 24 };
	size_t drawn = 0;

	for (size_t i = 0; i < steps->count && drawn < STEPS_MAX; i++)
		if (adds_memory(&steps->at[i])) {
			draw_step(&steps->at[i], arena, out);
			drawn++;
		}
}

/* What one more process costs each of the others. */
static void add_growth(const struct fitted_line *growth, struct text *out)
{
	text_add(out, "<td");
	if (growth && isfinite(growth->slope)) {
		draw_data(out, "value", growth->slope);
		text_add(out, ">%.0f bytes", growth->slope);
	} else {
		text_add(out, ">");
	}
	text_add(out, "</td>");
}

static void add_row(const struct memory_use *use, const struct fitted_line *growth, struct text *out)
{
	text_add(out, "<tr><td class=\"words\">");
	html_add(out, use->step);
	text_add(out, "</td><td>%d</td>", use->ranks);
	for (const struct memory_field *field = memory_fields; field->name; field++) {
		text_add(out, "<td");
		draw_data(out, "value", *memory_value(field, use));
		text_add(out, ">");
		add_value(out, UNIT_MEMORY, *memory_value(field, use));
		text_add(out, "</td>");
	}
	add_growth(growth, out);
	text_add(out, "</tr>\n");
}

static void add_rows(const struct memory_of_step *step, struct text *out)
{
	struct fitted_line growth;
	bool is_known = memory_growth(step, &growth);

	for (size_t i = 0; i < step->count; i++)
		add_row(step->uses[i], is_known ? &growth : NULL, out);
}

static void add_heads(struct text *out)
{
	text_add(out, "<div class=\"scroll\"><table>\n<tr><th class=\"words\">step</th><th>ranks</th>");
	for (const struct memory_field *field = memory_fields; field->name; field++)
		text_add(out, "<th>%.*s</th>", (int)strcspn(field->name, "_"), field->name);
	text_add(out, "<th>for each further rank</th></tr>\n");
}

void page_memory(const struct results *results, struct arena *arena, struct text *out)
{
	if (!results->memory_count)
		return;
	text_add(out, "<section>\n<h2>Memory of the MPI library</h2>\n<div class=\"plots\">\n");
	struct memory_of_steps steps = memory_by_step(results, arena);

	draw_memory(&steps, arena, out);
	text_add(out, "</div>\n");
	add_heads(out);
	for (size_t i = 0; i < steps.count; i++)
		add_rows(&steps.at[i], out);
	text_add(out, "</table></div>\n</section>\n");
}

enum { STEPS_MAX = 24 }; /* that are drawn */

static const char *const LOOKS[MEMORY_VERDICTS_END] = {"same", "faster", "slower"};

static size_t rows_of_step(const struct memory_differences *differences, size_t from)
{
	size_t end = from;

	while (end < differences->count &&
	       strcmp(differences->at[end].first->step, differences->at[from].first->step) == 0)
		end++;
	return end - from;
}

static void draw_difference(const struct memory_difference *rows, size_t count, struct arena *arena,
                            struct text *out)
{
	struct series series[] = {{"first", arena_array(arena, struct plot_point, count), count},
	                          {"second", arena_array(arena, struct plot_point, count), count}};
	struct plot plot = {.title = rows->first->step,
	                    .x = {.title = "ranks", .unit = UNIT_COUNT},
	                    .y = {.title = "bytes that it adds to a process", .unit = UNIT_MEMORY},
	                    .series = series,
	                    .series_count = 2};

	for (size_t i = 0; i < count; i++) {
		series[0].spots[i] = (struct plot_point){
			rows[i].first->ranks, memory_own(rows[i].first), NAN, NAN, false, NULL};
		series[1].spots[i] = (struct plot_point){
			rows[i].second->ranks, memory_own(rows[i].second), NAN, NAN, false, NULL};
	}
	plot_draw(&plot, out);
}

static bool takes_memory(const struct memory_difference *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (memory_own(rows[i].first) > 0 || memory_own(rows[i].second) > 0)
			return true;
	return false;
}

static void draw_steps(const struct memory_differences *differences, struct arena *arena, struct text *out)
{
	size_t drawn = 0, count;

	text_add(out, "<div class=\"plots\">\n");
	for (size_t i = 0; i < differences->count && drawn < STEPS_MAX; i += count) {
		count = rows_of_step(differences, i);
		if (!takes_memory(&differences->at[i], count))
			continue;
		draw_difference(&differences->at[i], count, arena, out);
		drawn++;
	}
	text_add(out, "</div>\n");
}

static void add_cell(double bytes, struct text *out)
{
	text_add(out, "<td");
	draw_data(out, "value", bytes);
	text_add(out, ">");
	add_value(out, UNIT_MEMORY, bytes);
	text_add(out, "</td>");
}

static void add_difference_row(const struct memory_difference *difference, struct text *out)
{
	text_add(out, "<tr class=\"%s\" data-verdict=\"%s\"><td class=\"words\">", LOOKS[difference->verdict],
	         memory_verdict_names[difference->verdict]);
	html_add(out, difference->first->step);
	text_add(out, "</td><td>%d</td>", difference->first->ranks);
	add_cell(memory_own(difference->first), out);
	add_cell(memory_own(difference->second), out);
	if (isfinite(difference->ratio))
		text_add(out, "<td>%.3f</td>", difference->ratio);
	else
		text_add(out, "<td></td>");
	text_add(out, "<td class=\"words\">%s%s%s</td></tr>\n", difference->verdict ? "<b>" : "",
	         memory_verdict_names[difference->verdict], difference->verdict ? "</b>" : "");
}

static void add_limits(const struct memory_limits *limits, struct text *out)
{
	text_add(
		out,
		"<p class=\"faint\">Private and shared memory that a step adds to a process, in the mean. A job has one "
		"such number, so there is neither an interval nor a test: more or less is what differs by more than "
		"%.4g %% and more than ",
		100 * limits->share);
	text_add_size(out, limits->bytes);
	text_add(out, ".</p>\n");
}

static void add_lonely(const char *which, const struct memory_use **uses, size_t count, struct text *out)
{
	enum { SHOWN = 40 };

	if (!count)
		return;
	text_add(out, "<h3>Only in the %s</h3>\n<ul>\n", which);
	for (size_t i = 0; i < count && i < SHOWN; i++) {
		text_add(out, "<li>");
		html_add(out, uses[i]->step);
		text_add(out, ", %d ranks</li>\n", uses[i]->ranks);
	}
	if (count > SHOWN)
		text_add(out, "<li>and %zu more</li>\n", count - SHOWN);
	text_add(out, "</ul>\n");
}

void memory_differences_page(const struct memory_differences *differences, struct arena *arena,
                             struct text *out)
{
	if (!differences->count && !differences->only_first_count && !differences->only_second_count)
		return;
	text_add(out, "<section>\n<h2>Memory of the MPI library</h2>\n");
	add_limits(&differences->limits, out);
	draw_steps(differences, arena, out);
	text_add(
		out,
		"<div class=\"scroll\"><table>\n<tr><th class=\"words\">step</th><th>ranks</th><th>first</th>"
		"<th>second</th><th>ratio</th><th class=\"words\">second has</th></tr>\n");
	for (size_t i = 0; i < differences->count; i++)
		add_difference_row(&differences->at[i], out);
	text_add(out, "</table></div>\n");
	add_lonely("first", differences->only_first, differences->only_first_count, out);
	add_lonely("second", differences->only_second, differences->only_second_count, out);
	text_add(out, "</section>\n");
}
