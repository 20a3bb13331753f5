#include "base/json.h"
#include "bench/results/differences.h"
#include "bench/results/fields.h"

#include <math.h>

/* All that sets a point apart, by the names of results. */
static void add_choices(struct json *json, const struct result_point *point)
{
	json_text(json, "operation", point->operation);
	json_text(json, "variant", point->variant);
	json_number(json, "bytes", (int64_t)point->bytes);
	json_number(json, "ranks", point->ranks);
	if (point->root >= 0)
		json_number(json, "root", point->root);
	else
		json_null(json, "root");
	json_text(json, "datatype", point->datatype);
	json_text(json, "reduction", point->reduction);
	json_text(json, "communicator", point->communicator);
	json_text(json, "cache", point->cache);
	json_bool(json, "in_place", point->in_place);
}

static void add_difference(struct json *json, const struct difference *difference)
{
	const struct sample_comparison *found = &difference->comparison;
	bool has_interval = isfinite(found->high);

	json_open(json, NULL, '{');
	add_choices(json, difference->first);
	json_exact(json, "first_median_s", difference->first->summary.median);
	json_exact(json, "second_median_s", difference->second->summary.median);
	json_exact(json, "ratio", found->ratio);
	json_exact(json, "ratio_low", has_interval ? found->low : NAN);
	json_exact(json, "ratio_high", found->high);
	json_exact(json, "p", found->p);
	json_exact(json, "corrected_p", difference->p);
	json_text(json, "verdict", verdict_names[difference->verdict]);
	json_close(json, '}');
}

static void add_verdicts(struct json *json, const struct differences *differences)
{
	json_open(json, "verdicts", '{');
	for (int i = 0; i < VERDICTS_END; i++)
		json_number(json, verdict_names[i], (int64_t)differences->verdicts[i]);
	json_close(json, '}');
}

static void add_value(struct json *json, const char *key, const char *value)
{
	if (value)
		json_text(json, key, value);
	else
		json_null(json, key);
}

static void add_facts(struct json *json, const struct differences *differences)
{
	json_open(json, "facts", '[');
	for (size_t i = 0; i < differences->fact_count; i++) {
		const struct fact_difference *fact = &differences->facts[i];

		json_open(json, NULL, '{');
		json_text(json, "section", fact->section);
		json_text(json, "name", fact->name);
		add_value(json, "first", fact->first);
		add_value(json, "second", fact->second);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_unmatched(struct json *json, const char *key, const struct result_point **points,
                          size_t count)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < count; i++) {
		json_open(json, NULL, '{');
		add_choices(json, points[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void differences_json(const struct differences *differences, const struct compared_names *names,
                      struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_text(&json, "format", RESULTS_FORMAT "-comparison");
	json_number(&json, "version", RESULTS_VERSION);
	json_text(&json, "first", names->first);
	json_text(&json, "second", names->second);
	json_number(&json, "first_jobs", differences->first_jobs ? (int64_t)differences->first_jobs : 1);
	json_number(&json, "second_jobs", differences->second_jobs ? (int64_t)differences->second_jobs : 1);
	json_text(&json, "compared", differences->first_jobs ? "jobs" : "runs");
	json_exact(&json, "confidence", differences->how.confidence);
	json_exact(&json, "threshold", differences->how.threshold);
	json_text(&json, "correction", "holm");
	add_verdicts(&json, differences);
	add_facts(&json, differences);
	json_open(&json, "points", '[');
	for (size_t i = 0; i < differences->count; i++)
		add_difference(&json, &differences->at[i]);
	json_close(&json, ']');
	add_unmatched(&json, "only_first", differences->only_first, differences->only_first_count);
	add_unmatched(&json, "only_second", differences->only_second, differences->only_second_count);
	memory_differences_json(&differences->memory, &json);
	json_close(&json, '}');
}
