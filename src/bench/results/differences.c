#include "bench/results/differences.h"

#include "base/json.h"
#include "bench/results/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS_END] = {
	[VERDICT_SAME] = "same",
	[VERDICT_FASTER] = "faster",
	[VERDICT_SLOWER] = "slower",
	[VERDICT_UNSURE] = "unsure",
};

/* A time of 0 has no logarithm: use a value below the resolution of any timer. */
static const double time_least = 1e-10;

/* Points that were measured twice keep their order. */
static int by_choice_and_place(const void *left, const void *right)
{
	const struct result_point *a = *(const struct result_point *const *)left,
				  *b = *(const struct result_point *const *)right;
	int order = point_order(a, b);

	return order ? order : (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
	const struct result_point *a = *(const struct result_point *const *)left,
				  *b = *(const struct result_point *const *)right;

	return (a > b) - (a < b);
}

static int by_place_of_first(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

static const struct result_point **sorted_points(const struct results *results, struct arena *arena)
{
	const struct result_point **sorted = arena_array(arena, const struct result_point *,
	                                                 results->point_count + 1);

	for (size_t i = 0; i < results->point_count; i++)
		sorted[i] = &results->points[i];
	qsort(sorted, results->point_count, sizeof *sorted, by_choice_and_place);
	return sorted;
}

/* Merges two sorted lists: below 0 the first has no counterpart, above 0 the second. */
static int next_in_order(const struct result_point **first, size_t first_left,
                         const struct result_point **second, size_t second_left)
{
	if (!first_left || !second_left)
		return first_left ? -1 : 1;
	return point_order(*first, *second);
}

static void match_points(const struct results *first, const struct results *second,
                         struct differences *differences)
{
	struct arena *arena = &differences->arena;
	const struct result_point **a = sorted_points(first, arena), **b = sorted_points(second, arena);
	size_t a_left = first->point_count, b_left = second->point_count;

	differences->at = arena_array(arena, struct difference, a_left + 1);
	differences->only_first = arena_array(arena, const struct result_point *, a_left + 1);
	differences->only_second = arena_array(arena, const struct result_point *, b_left + 1);
	while (a_left || b_left) {
		int order = next_in_order(a, a_left, b, b_left);

		if (order < 0)
			differences->only_first[differences->only_first_count++] = *a;
		else if (order > 0)
			differences->only_second[differences->only_second_count++] = *b;
		else
			differences->at[differences->count++] = (struct difference){.first = *a,
			                                                            .second = *b};
		a += order <= 0;
		a_left -= order <= 0;
		b += order >= 0;
		b_left -= order >= 0;
	}
	qsort(differences->at, differences->count, sizeof *differences->at, by_place_of_first);
	qsort(differences->only_first, differences->only_first_count, sizeof *differences->only_first,
	      by_place);
	qsort(differences->only_second, differences->only_second_count, sizeof *differences->only_second,
	      by_place);
}

static const double *usable_times(const struct result_point *point, struct arena *arena)
{
	double *times = arena_array(arena, double, point->summary.count + 1);

	for (size_t i = 0; i < point->summary.count; i++)
		times[i] = fmax(point->times[i], time_least);
	return times;
}

static struct sample_comparison compare_points(const struct difference *difference, double confidence)
{
	size_t first_count = difference->first->times ? difference->first->summary.count : 0;
	size_t second_count = difference->second->times ? difference->second->summary.count : 0;
	struct arena scratch = {0};
	struct sample_comparison comparison = {NAN, NAN, NAN, NAN};

	if (first_count && second_count)
		comparison = compare_samples(usable_times(difference->first, &scratch), first_count,
		                             usable_times(difference->second, &scratch), second_count,
		                             confidence);
	arena_release(&scratch);
	return comparison;
}

static enum verdict verdict_of(const struct difference *difference, const struct comparing *how)
{
	const struct sample_comparison *found = &difference->comparison;
	double most = 1 + how->threshold, least = 1 / most;
	bool is_significant = difference->p < 1 - how->confidence;
	bool is_narrow = found->low >= least && found->high <= most;

	if (found->ratio >= least && found->ratio <= most && (is_significant || is_narrow))
		return VERDICT_SAME;
	if (!is_significant)
		return VERDICT_UNSURE;
	return found->ratio > most ? VERDICT_SLOWER : VERDICT_FASTER;
}

static void set_verdicts(struct differences *differences)
{
	double *p = arena_array(&differences->arena, double, differences->count + 1);

	for (size_t i = 0; i < differences->count; i++) {
		struct difference *difference = &differences->at[i];

		difference->comparison = compare_points(difference, differences->how.confidence);
		p[i] = difference->comparison.p;
	}
	holm_correction(p, differences->count);
	for (size_t i = 0; i < differences->count; i++) {
		struct difference *difference = &differences->at[i];

		difference->p = p[i];
		difference->verdict = verdict_of(difference, &differences->how);
		differences->verdicts[difference->verdict]++;
	}
}

void differences_find(const struct results *first, const struct results *second, const struct comparing *how,
                      struct differences *differences)
{
	*differences = (struct differences){
		.how = *how, .first_jobs = first->jobs, .second_jobs = second->jobs};
	match_points(first, second, differences);
	set_verdicts(differences);
	memory_differences_find(first, second, &how->memory, &differences->arena, &differences->memory);
	match_facts(first, second, differences);
}

void differences_release(struct differences *differences)
{
	arena_release(&differences->arena);
	*differences = (struct differences){0};
}

/* Differences between two measurements other than times */

/* Facts that differ in every measurement and explain nothing. NULL: the whole section. */
static const struct {
	const char *section, *name;
} incidental[] = {
	{"self-tests", NULL},
	{"memory growth", NULL},
	{"clock", "error"},
	{"clock", "drift"},
	{"clock", "cost of a reading"},
	{"clock", "resolution"},
	{"clock", "shortest round trip"},
	{"clock", "synchronisations"},
	{"clock", "error at the end"},
	{"clock", "true error median"},
	{"clock", "true error max"},
	{"job", "start"},
	{"job", "points"},
	{"job", "command line"},
};

static bool is_incidental(const struct fact *fact)
{
	for (size_t i = 0; i < sizeof incidental / sizeof *incidental; i++)
		if (strcmp(fact->section, incidental[i].section) == 0 &&
		    (!incidental[i].name || strcmp(fact->name, incidental[i].name) == 0))
			return true;
	return false;
}

/* A fact and its position, to restore the order of the file. */
struct placed_fact {
	const struct fact *fact;
	size_t place;
};

static int by_name(const struct fact *left, const struct fact *right)
{
	int order = strcmp(left->section, right->section);

	return order ? order : strcmp(left->name, right->name);
}

static int by_name_of_placed(const void *left, const void *right)
{
	return by_name(((const struct placed_fact *)left)->fact, ((const struct placed_fact *)right)->fact);
}

static int by_place_of_difference(const void *left, const void *right)
{
	const struct fact_difference *a = left, *b = right;

	return (a->place > b->place) - (a->place < b->place);
}

static struct placed_fact *sorted_facts(const struct results *results, struct arena *arena, size_t *count)
{
	size_t all = 0;

	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		all++;
	struct placed_fact *sorted = arena_array(arena, struct placed_fact, all + 1);

	*count = 0;
	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		if (!is_incidental(fact)) {
			sorted[*count] = (struct placed_fact){fact, *count};
			(*count)++;
		}
	qsort(sorted, *count, sizeof *sorted, by_name_of_placed);
	return sorted;
}

static void add_difference(struct differences *differences, const struct placed_fact *known,
                           const char *first, const char *second)
{
	differences->facts[differences->fact_count++] = (struct fact_difference){
		.section = known->fact->section,
		.name = known->fact->name,
		.first = first,
		.second = second,
		.place = known->place,
	};
}

void match_facts(const struct results *first, const struct results *second, struct differences *differences)
{
	size_t a_left, b_left;
	const struct placed_fact *a = sorted_facts(first, &differences->arena, &a_left);
	const struct placed_fact *b = sorted_facts(second, &differences->arena, &b_left);

	differences->facts = arena_array(&differences->arena, struct fact_difference, a_left + b_left + 1);
	while (a_left || b_left) {
		int order = !a_left ? 1 : !b_left ? -1 : by_name(a->fact, b->fact);

		if (order || strcmp(a->fact->value, b->fact->value) != 0)
			add_difference(differences, order <= 0 ? a : b, order <= 0 ? a->fact->value : NULL,
			               order >= 0 ? b->fact->value : NULL);
		a += order <= 0;
		a_left -= order <= 0;
		b += order >= 0;
		b_left -= order >= 0;
	}
	qsort(differences->facts, differences->fact_count, sizeof *differences->facts,
	      by_place_of_difference);
}

/* All parameters of a point, by their names in results. */
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

static void add_difference_json(struct json *json, const struct difference *difference)
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
		add_difference_json(&json, &differences->at[i]);
	json_close(&json, ']');
	add_unmatched(&json, "only_first", differences->only_first, differences->only_first_count);
	add_unmatched(&json, "only_second", differences->only_second, differences->only_second_count);
	memory_differences_json(&differences->memory, &json);
	json_close(&json, '}');
}
