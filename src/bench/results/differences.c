#include "bench/results/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS_END] = {
	[VERDICT_SAME] = "same",
	[VERDICT_FASTER] = "faster",
	[VERDICT_SLOWER] = "slower",
	[VERDICT_UNSURE] = "unsure",
};

/* A time of 0 has no logarithm: it is taken as less than any timer can tell from it. */
static const double time_least = 1e-10;

/* Points that were measured twice stay in the order in which that was done. */
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

/* Merges what is sorted: below 0 the first has no counterpart, above 0 the second. */
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

static enum verdict judge(const struct difference *difference, const struct comparing *how)
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

static void judge_all(struct differences *differences)
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
		difference->verdict = judge(difference, &differences->how);
		differences->verdicts[difference->verdict]++;
	}
}

void differences_find(const struct results *first, const struct results *second, const struct comparing *how,
                      struct differences *differences)
{
	*differences = (struct differences){
		.how = *how, .first_jobs = first->jobs, .second_jobs = second->jobs};
	match_points(first, second, differences);
	judge_all(differences);
	memory_differences_find(first, second, &how->memory, &differences->arena, &differences->memory);
	match_facts(first, second, differences);
}

void differences_release(struct differences *differences)
{
	arena_release(&differences->arena);
	*differences = (struct differences){0};
}
