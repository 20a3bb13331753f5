#include "bench/tuning/gains.h"

#include "base/json.h"
#include "bench/results/plan.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <string.h>

/* The saved share of a ratio of times, in percent. */
static double saved(double ratio)
{
	return 100 * (1 - ratio);
}

static void add_padded(struct text *out, const struct text *cell, size_t width)
{
	size_t letters = text_width(text_get(cell));

	text_add_repeated(out, ' ', letters < width ? width - letters : 2);
	text_add(out, "%s", text_get(cell));
}

/* "34 % (30 to 38)". */
static void add_saved(struct text *out, const struct sample_comparison *comparison, size_t width)
{
	struct text cell = {0};

	text_add(&cell, "%.0f %% (%.0f to %.0f)", saved(comparison->ratio), saved(comparison->high),
	         saved(comparison->low));
	add_padded(out, &cell, width);
	text_release(&cell);
}

enum { BYTES_WIDTH = 10, NAME_WIDTH = 24, TIME_WIDTH = 13, SAVED_WIDTH = 22 };

static void add_time(struct text *out, const struct result_point *point)
{
	struct text cell = {0};

	if (point->summary.count)
		text_add_seconds(&cell, point->summary.median);
	add_padded(out, &cell, TIME_WIDTH);
	text_release(&cell);
}

/* The reason if it is not in the file. */
static const char *fate(const struct choice *choice)
{
	if (choice->is_taken)
		return "";
	if (!choice->best || !choice->untuned->summary.count)
		return "  no valid run: is the machine too busy?";
	return choice->is_tried ? "  not confirmed: left to the library" : "";
}

static bool was_taken(const struct choice *choice)
{
	return choice->is_taken || choice->is_tried;
}

static void add_row(const struct choice *choice, struct text *out)
{
	struct text size = {0};

	text_add_point_size(&size, choice->untuned);
	add_padded(out, &size, BYTES_WIDTH);
	text_release(&size);
	text_add(out, "  %-*s", NAME_WIDTH, was_taken(choice) ? choice->best->variant : "-");
	add_time(out, choice->untuned);
	if (was_taken(choice)) {
		add_time(out, choice->best);
		add_saved(out, &choice->measured, SAVED_WIDTH);
		if (choice->is_tried)
			add_saved(out, &choice->tried, SAVED_WIDTH);
	}
	text_add(out, "%s\n", fate(choice));
}

static void add_head(const struct result_point *point, struct text *out)
{
	text_add_point_name(out, &(struct result_point){.operation = point->operation,
	                                                .variant = "",
	                                                .root = -1,
	                                                .datatype = point->datatype,
	                                                .reduction = point->reduction,
	                                                .communicator = point->communicator,
	                                                .cache = point->cache,
	                                                .in_place = point->in_place});
	text_add(out, ", %d process%s\n%*s  %-*s%*s%*s%*s%*s\n", point->ranks, point->ranks == 1 ? "" : "es",
	         BYTES_WIDTH, "bytes", NAME_WIDTH, "algorithm", TIME_WIDTH, "untuned", TIME_WIDTH, "tuned",
	         SAVED_WIDTH, "saved", SAVED_WIDTH, "saved in new jobs");
}

void gains_text(const struct results *results, const struct choices *choices, struct text *out)
{
	for (size_t i = 0; i < choices->count; i++) {
		if (i == 0 || choices_alike(choices, i - 1) == 1) {
			text_add(out, i ? "\n" : "");
			add_head(choices->at[i].untuned, out);
		}
		add_row(&choices->at[i], out);
	}
	text_add(out, results->omissions ? "\nleft out\n" : "");
	for (const struct omission *omission = results->omissions; omission; omission = omission->next)
		text_add(out, "  %s: %s\n", omission->operation, omission->reason);
}

static void add_comparison(struct json *json, const char *key, const struct sample_comparison *comparison)
{
	json_open(json, key, '{');
	json_exact(json, "ratio", comparison->ratio);
	json_exact(json, "low", comparison->low);
	json_exact(json, "high", comparison->high);
	json_exact(json, "p", comparison->p);
	json_close(json, '}');
}

static void add_choice(struct json *json, const struct choice *choice)
{
	struct rank_layout layout;

	json_open(json, NULL, '{');
	json_text(json, "operation", choice->untuned->operation);
	json_number(json, "ranks", choice->untuned->ranks);
	if (layout_read(choice->untuned->communicator, &layout))
		json_text(json, "layout", layout.words);
	json_number(json, "bytes", (int64_t)choice->untuned->bytes);
	json_exact(json, "untuned", choice->untuned->summary.median);
	json_number(json, "rivals", (int64_t)choice->rivals);
	if (choice->best) {
		json_text(json, "fastest", choice->best->variant);
		json_exact(json, "time", choice->best->summary.median);
		add_comparison(json, "measured", &choice->measured);
	}
	if (choice->is_tried)
		add_comparison(json, "tried", &choice->tried);
	json_bool(json, "is_taken", choice->is_taken);
	json_close(json, '}');
}

static void add_place(struct json *json, const struct tuning_place *place)
{
	struct text format = {0};

	tuning_format(place, &format);
	json_text(json, "library", place->library);
	json_text(json, "format", text_get(&format));
	text_release(&format);
	json_open(json, "environment", '{');
	for (size_t i = 0; i < place->count; i++)
		json_text(json, place->variables[i].name, place->variables[i].value);
	json_close(json, '}');
}

void gains_json(const struct results *results, const struct choices *choices,
                const struct tuning_place *place, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	add_place(&json, place);
	json_open(&json, "choices", '[');
	for (size_t i = 0; i < choices->count; i++)
		add_choice(&json, &choices->at[i]);
	json_close(&json, ']');
	json_open(&json, "left_out", '[');
	for (const struct omission *omission = results->omissions; omission; omission = omission->next) {
		json_open(&json, NULL, '{');
		json_text(&json, "operation", omission->operation);
		json_text(&json, "reason", omission->reason);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	text_add(out, "\n");
}
