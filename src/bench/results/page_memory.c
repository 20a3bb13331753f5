#include "bench/results/html.h"
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
