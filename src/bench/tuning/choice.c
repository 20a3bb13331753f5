#include "bench/tuning/choice.h"

#include <math.h>
#include <string.h>

/* The same operation, too. */
static bool same_processes(const struct result_point *first, const struct result_point *second)
{
	return first->ranks == second->ranks && strcmp(first->operation, second->operation) == 0 &&
	       strcmp(first->communicator, second->communicator) == 0;
}

static bool same_parameters(const struct result_point *first, const struct result_point *second)
{
	return first->bytes == second->bytes && same_processes(first, second);
}

static bool is_variant(const struct result_point *point, const char *variant)
{
	return strcmp(point->variant, variant) == 0;
}

static const struct result_point *find_point(const struct results *results, const struct result_point *like,
                                             const char *variant)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (same_parameters(&results->points[i], like) && is_variant(&results->points[i], variant))
			return &results->points[i];
	return NULL;
}

static struct sample_comparison compare_points(const struct result_point *first,
                                               const struct result_point *second, double confidence)
{
	return compare_samples(first->times, first->summary.count, second->times, second->summary.count,
	                       confidence);
}

static void find_best(const struct results *results, struct choice *choice)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct result_point *point = &results->points[i];
		if (!same_parameters(point, choice->untuned) || is_variant(point, UNTUNED) ||
		    !point->summary.count)
			continue;
		choice->rivals++;
		if (!choice->best || point->summary.median < choice->best->summary.median)
			choice->best = point;
	}
}

static bool is_faster(const struct sample_comparison *comparison, double chance, double gain)
{
	return comparison->p < chance && comparison->high < 1 && comparison->ratio < 1 - gain;
}

static void choose(const struct results *results, const struct demand *demand, struct choice *choice)
{
	find_best(results, choice);
	if (!choice->best || !choice->untuned->summary.count)
		return;
	double chance = (1 - demand->confidence) / (double)choice->rivals;
	choice->measured = compare_points(choice->untuned, choice->best, 1 - chance);
	choice->is_taken = is_faster(&choice->measured, chance, demand->gain);
}

/* Operations keep the order of the results, in which the user named them. */
static size_t place_of_operation(const struct results *results, const char *operation)
{
	size_t place = 0;
	while (strcmp(results->points[place].operation, operation) != 0)
		place++;
	return place;
}

static bool belongs_before(const struct results *results, const struct result_point *first,
                           const struct result_point *second)
{
	size_t first_place = place_of_operation(results, first->operation);
	size_t second_place = place_of_operation(results, second->operation);
	if (first_place != second_place)
		return first_place < second_place;
	int layouts = strcmp(first->communicator, second->communicator);
	return first->ranks != second->ranks ? first->ranks < second->ranks
	       : layouts                     ? layouts < 0
	                                     : first->bytes < second->bytes;
}

static void insert(const struct results *results, struct choices *choices, struct choice choice)
{
	size_t at = choices->count++;
	for (; at && belongs_before(results, choice.untuned, choices->at[at - 1].untuned); at--)
		choices->at[at] = choices->at[at - 1];
	choices->at[at] = choice;
}

void choices_make(const struct results *results, const struct demand *demand, struct arena *arena,
                  struct choices *choices)
{
	*choices = (struct choices){.at = arena_array(arena, struct choice, results->point_count)};
	for (size_t i = 0; i < results->point_count; i++) {
		struct choice choice = {.untuned = &results->points[i]};
		if (!is_variant(choice.untuned, UNTUNED) ||
		    find_point(results, choice.untuned, UNTUNED) != choice.untuned)
			continue;
		choose(results, demand, &choice);
		insert(results, choices, choice);
	}
}

/* Times of all points of this kind: several jobs may have measured it. */
static size_t pool(const struct results *results, const struct result_point *like, const char *variant,
                   struct arena *arena, double **times)
{
	size_t count = 0;

	for (int pass = 0; pass < 2; pass++) {
		*times = pass ? arena_array(arena, double, count) : NULL;
		count = 0;
		for (size_t i = 0; i < results->point_count; i++) {
			const struct result_point *point = &results->points[i];
			if (!same_parameters(point, like) || !is_variant(point, variant))
				continue;
			for (size_t k = 0; k < point->summary.count && pass; k++)
				(*times)[count + k] = point->times[k];
			count += point->summary.count;
		}
	}
	return count;
}

static double median_of_job(const struct result_point *point, double confidence)
{
	return summarize_values(point->times, point->summary.count, 0, confidence).median;
}

/* Runs of one job have much in common, such as the placement of processes and buffers. So jobs count as
 * well: each job with the file must be faster than each without. */
static bool all_jobs_agree(const struct choice *choice, const struct results *without,
                           const struct results *with, double confidence)
{
	double fastest_without = INFINITY, slowest_with = 0;

	for (size_t i = 0; i < without->point_count; i++)
		if (same_parameters(&without->points[i], choice->untuned))
			fastest_without = fmin(fastest_without,
			                       median_of_job(&without->points[i], confidence));
	for (size_t i = 0; i < with->point_count; i++)
		if (same_parameters(&with->points[i], choice->untuned))
			slowest_with = fmax(slowest_with, median_of_job(&with->points[i], confidence));
	return slowest_with < fastest_without;
}

static bool confirm(struct choice *choice, const struct results *without, const struct results *with,
                    const struct demand *demand)
{
	struct arena arena = {0};
	double *before, *after;
	size_t before_count = pool(without, choice->untuned, UNTUNED, &arena, &before);
	size_t after_count = pool(with, choice->untuned, TUNED, &arena, &after);

	choice->is_tried = before_count && after_count;
	if (choice->is_tried)
		choice->tried = compare_samples(before, before_count, after, after_count, demand->confidence);
	arena_release(&arena);
	return choice->is_tried && is_faster(&choice->tried, 1 - demand->confidence, 0) &&
	       all_jobs_agree(choice, without, with, demand->confidence);
}

size_t choices_confirm(struct choices *choices, const struct results *without, const struct results *with,
                       const struct demand *demand)
{
	size_t lost = 0;
	for (size_t i = 0; i < choices->count; i++) {
		struct choice *choice = &choices->at[i];
		if (!choice->is_taken || confirm(choice, without, with, demand))
			continue;
		choice->is_taken = false;
		lost++;
	}
	return lost;
}

size_t choices_alike(const struct choices *choices, size_t first)
{
	const struct result_point *like = choices->at[first].untuned;
	size_t next = first + 1;
	while (next < choices->count && same_processes(choices->at[next].untuned, like))
		next++;
	return next - first;
}

size_t choices_of_ranks(const struct choices *choices, size_t first)
{
	const struct result_point *like = choices->at[first].untuned;
	size_t next = first;

	while (next < choices->count && choices->at[next].untuned->ranks == like->ranks &&
	       strcmp(choices->at[next].untuned->operation, like->operation) == 0)
		next++;
	return next - first;
}

bool any_taken(const struct choice *choices, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (choices[i].is_taken)
			return true;
	return false;
}

static const char *taken_variant(const struct choice *choice)
{
	return choice->is_taken ? choice->best->variant : NULL;
}

static bool same_variant(const char *first, const char *second)
{
	return first == second || (first && second && strcmp(first, second) == 0);
}

static uint64_t middle(uint64_t low, uint64_t high)
{
	uint64_t between = (uint64_t)sqrt((double)low * (double)high);
	return between > low ? between : low + 1;
}

static size_t stretch_add(struct stretch *stretches, size_t count, uint64_t bytes, const char *variant)
{
	if (count && same_variant(stretches[count - 1].variant, variant))
		return count;
	if (count && stretches[count - 1].bytes == bytes)
		count--;
	stretches[count] = (struct stretch){.bytes = bytes, .variant = variant};
	return count + 1;
}

static size_t one_stretch(const struct choice *choices, size_t count, struct stretch *stretch)
{
	*stretch = (struct stretch){.variant = taken_variant(&choices[0])};
	for (size_t i = 1; i < count; i++)
		if (!same_variant(stretch->variant, taken_variant(&choices[i])))
			stretch->variant = NULL;
	return 1;
}

void choices_give_up(struct choice *choices, size_t count)
{
	for (size_t i = 0; i < count; i++)
		choices[i].is_taken = false;
}

void choices_agree_or_give_up(struct choice *choices, size_t count)
{
	struct stretch all;

	one_stretch(choices, count, &all);
	if (!all.variant)
		choices_give_up(choices, count);
}

static bool same_choice(const struct choice *first, const struct choice *second)
{
	return first->is_taken == second->is_taken &&
	       (!first->is_taken || strcmp(first->best->variant, second->best->variant) == 0);
}

void choices_merge(const struct results *results, struct choice *choices, size_t count,
                   rules_are_common *are_common)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (choices[i].untuned->bytes == choices[k].untuned->bytes &&
			    are_common(results, choices[i].untuned, choices[k].untuned) &&
			    !same_choice(&choices[i], &choices[k]))
				choices[i].is_taken = choices[k].is_taken = false;
}

size_t stretches_make(const struct choice *choices, size_t count, bool is_sized, struct stretch *stretches)
{
	if (!is_sized)
		return one_stretch(choices, count, stretches);
	size_t made = stretch_add(stretches, 0, 0, NULL);
	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = choices[i].untuned->bytes;
		uint64_t from = i ? middle(choices[i - 1].untuned->bytes, bytes) : bytes;
		made = stretch_add(stretches, made, from, taken_variant(&choices[i]));
	}
	return stretch_add(stretches, made, choices[count - 1].untuned->bytes + 1, NULL);
}
