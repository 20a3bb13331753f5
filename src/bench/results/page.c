/* Pages: results as JSON, and the scripts that draw them. */
#include "page/page.h"

#include "base/json.h"
#include "bench/results/differences.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "bench/results/point_text.h"

static void write_marks(struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '[');
	for (const struct mark_kind *kind = mark_kinds; kind->name; kind++) {
		json_open(&json, NULL, '{');
		json_text(&json, "name", kind->name);
		json_text(&json, "help", kind->help);
		json_close(&json, '}');
	}
	json_close(&json, ']');
}

/* Cost of one more process for each other process. */
static void write_growth(const struct results *results, struct text *out)
{
	struct arena arena = {0};
	struct memory_of_steps steps = memory_by_step(results, &arena);
	struct json json = {.out = out};
	struct fitted_line growth;

	json_open(&json, NULL, '[');
	for (size_t i = 0; i < steps.count; i++) {
		if (!memory_growth(&steps.at[i], &growth))
			continue;
		json_open(&json, NULL, '{');
		json_text(&json, "step", steps.at[i].name);
		json_exact(&json, "bytes_per_rank", growth.slope);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	arena_release(&arena);
}

void results_page(const struct results *results, struct text *out)
{
	const char *library = results_find_fact(results, "mpi", "library");
	struct text title = {0}, json = {0}, marks = {0}, growth = {0};
	const struct page_part parts[] = {{"results", &json}, {"marks", &marks}, {"growth", &growth}};

	text_add(&title, library ? "Measured with tarry bench: %s" : "Measured with tarry bench", library);
	results_page_json(results, &json);
	write_marks(&marks);
	write_growth(results, &growth);
	page_write(&(struct page){.title = text_get(&title),
	                          .view = "bench",
	                          .parts = parts,
	                          .part_count = sizeof parts / sizeof *parts},
	           out);
	text_release(&title);
	text_release(&json);
	text_release(&marks);
	text_release(&growth);
}

static void write_side(struct json *json, const char *key, const struct results *results)
{
	const char *library = results_find_fact(results, "mpi", "library");

	json_open(json, key, '{');
	json_text(json, "library", library ? library : "");
	json_bool(json, "complete", results->is_complete);
	json_close(json, '}');
}

void differences_page(const struct differences *differences, const struct results *first,
                      const struct results *second, const struct compared_names *names, struct text *out)
{
	struct text text = {0}, sides = {0};
	struct json json = {.out = &sides};
	const struct page_part parts[] = {{"differences", &text}, {"sides", &sides}};

	differences_json(differences, names, &text);
	json_open(&json, NULL, '{');
	write_side(&json, "first", first);
	write_side(&json, "second", second);
	json_close(&json, '}');
	page_write(&(struct page){.title = "Compared with tarry bench",
	                          .view = "compare",
	                          .parts = parts,
	                          .part_count = sizeof parts / sizeof *parts},
	           out);
	text_release(&text);
	text_release(&sides);
}
