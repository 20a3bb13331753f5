#include "results/html.h"
#include "results/memory_use.h"
#include "results/page_parts.h"
#include "results/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = SERIES_MAX };

static bool has_step(const struct series *steps, size_t count, const char *step)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(steps[i].name, step))
			return true;
	}
	return false;
}

static int by_ranks(const void *left, const void *right)
{
	double a = ((const struct spot *)left)->x, b = ((const struct spot *)right)->x;

	return (a > b) - (a < b);
}

static struct series series_of(const struct results *results, const char *step, struct arena *arena)
{
	struct series series = {.name = step,
	                        .spots = arena_array(arena, struct spot, results->memory_count)};

	for (size_t i = 0; i < results->memory_count; i++) {
		const struct memory_use *use = &results->memory[i];
		double bytes = use->private_bytes + use->shared_bytes;

		if (!strcmp(use->step, step))
			series.spots[series.count++] = (struct spot){use->ranks, bytes, NAN,
			                                             NAN,        false, NULL};
	}
	qsort(series.spots, series.count, sizeof(*series.spots), by_ranks);
	return series;
}

/* The first steps only: more lines than that nobody can tell apart; the table has all. */
static void draw_memory(const struct results *results, struct arena *arena, struct text *out)
{
	struct series series[STEPS_MAX];
	struct plot plot = {.title = "Memory of a process that each step adds",
	                    .x = {.title = "ranks", .unit = UNIT_COUNT},
	                    .y = {.title = "private and shared bytes", .unit = UNIT_MEMORY},
	                    .series = series};

	for (size_t i = 0; i < results->memory_count && plot.series_count < STEPS_MAX; i++) {
		const char *step = results->memory[i].step;

		if (!has_step(series, plot.series_count, step))
			series[plot.series_count++] = series_of(results, step, arena);
	}
	plot_draw(&plot, out);
}

static void add_row(const struct memory_use *use, struct text *out)
{
	text_add(out, "<tr><td class=\"words\">");
	html_add(out, use->step);
	text_add(out, "</td><td>%d</td>", use->ranks);
	for (const struct memory_field *field = memory_fields; field->name; field++) {
		text_add(out, "<td data-value=\"%.9g\">", *memory_value(field, use));
		add_value(out, UNIT_MEMORY, *memory_value(field, use));
		text_add(out, "</td>");
	}
	text_add(out, "</tr>\n");
}

static void add_heads(struct text *out)
{
	text_add(out, "<div class=\"scroll\"><table>\n<tr><th class=\"words\">step</th><th>ranks</th>");
	for (const struct memory_field *field = memory_fields; field->name; field++)
		text_add(out, "<th>%.*s</th>", (int)strcspn(field->name, "_"), field->name);
	text_add(out, "</tr>\n");
}

void page_memory(const struct results *results, struct arena *arena, struct text *out)
{
	if (!results->memory_count)
		return;
	text_add(out, "<section>\n<h2>Memory of the MPI library</h2>\n<div class=\"plots\">\n");
	draw_memory(results, arena, out);
	text_add(out, "</div>\n");
	add_heads(out);
	for (size_t i = 0; i < results->memory_count; i++)
		add_row(&results->memory[i], out);
	text_add(out, "</table></div>\n</section>\n");
}
