#include "bench/results/memory_differences.h"

#include "bench/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const memory_verdict_names[MEMORY_VERDICTS_END] = {
	[MEMORY_SAME] = "same",
	[MEMORY_LESS] = "less",
	[MEMORY_MORE] = "more",
};

static int by_choice_and_place(const void *left, const void *right)
{
	const struct memory_use *a = *(const struct memory_use *const *)left,
				*b = *(const struct memory_use *const *)right;
	int order = memory_order(a, b);

	return order ? order : (a > b) - (a < b);
}

static const struct memory_use **sorted_uses(const struct results *results, struct arena *arena)
{
	const struct memory_use **sorted = arena_array(arena, const struct memory_use *,
	                                               results->memory_count + 1);

	for (size_t i = 0; i < results->memory_count; i++)
		sorted[i] = &results->memory[i];
	qsort(sorted, results->memory_count, sizeof *sorted, by_choice_and_place);
	return sorted;
}

static double ratio_of(const struct memory_use *first, const struct memory_use *second)
{
	double before = memory_own(first), after = memory_own(second);

	return before > 0 && after > 0 ? after / before : NAN;
}

static enum memory_verdict verdict_of(const struct memory_use *first, const struct memory_use *second,
                                      const struct memory_limits *limits)
{
	double before = memory_own(first), after = memory_own(second);
	double least = fmin(fabs(before), fabs(after));

	if (!(fabs(after - before) > (double)limits->bytes && fabs(after - before) > limits->share * least))
		return MEMORY_SAME;
	return after > before ? MEMORY_MORE : MEMORY_LESS;
}

static void add_pair(struct memory_differences *differences, const struct memory_use *first,
                     const struct memory_use *second)
{
	enum memory_verdict verdict = verdict_of(first, second, &differences->limits);

	differences->at[differences->count++] = (struct memory_difference){first, second,
	                                                                   ratio_of(first, second), verdict};
	differences->verdicts[verdict]++;
}

/* Merges two sorted lists. */
static void match(const struct memory_use **a, size_t a_left, const struct memory_use **b, size_t b_left,
                  struct memory_differences *differences)
{
	while (a_left || b_left) {
		int order = !b_left ? -1 : !a_left ? 1 : memory_order(*a, *b);

		if (order < 0)
			differences->only_first[differences->only_first_count++] = *a;
		else if (order > 0)
			differences->only_second[differences->only_second_count++] = *b;
		else
			add_pair(differences, *a, *b);
		a += order <= 0;
		a_left -= order <= 0;
		b += order >= 0;
		b_left -= order >= 0;
	}
}

/* A difference and the position of its step. */
struct placed_step {
	struct memory_difference difference;
	const struct memory_use *step;
};

static int by_place(const void *left, const void *right)
{
	const struct placed_step *a = left, *b = right;
	int order = (a->step > b->step) - (a->step < b->step);

	return order ? order : memory_order(a->difference.first, b->difference.first);
}

/* They are sorted by step names: restore the order of steps. */
static void sort_by_place(struct memory_differences *differences, struct arena *arena)
{
	struct placed_step *placed = arena_array(arena, struct placed_step, differences->count + 1);

	for (size_t i = 0, end; i < differences->count; i = end) {
		const struct memory_use *step = differences->at[i].first;

		for (end = i; end < differences->count &&
		              strcmp(differences->at[end].first->step, differences->at[i].first->step) == 0;
		     end++)
			if (differences->at[end].first < step)
				step = differences->at[end].first;
		for (size_t j = i; j < end; j++)
			placed[j] = (struct placed_step){differences->at[j], step};
	}
	qsort(placed, differences->count, sizeof *placed, by_place);
	for (size_t i = 0; i < differences->count; i++)
		differences->at[i] = placed[i].difference;
}

void memory_differences_find(const struct results *first, const struct results *second,
                             const struct memory_limits *limits, struct arena *arena,
                             struct memory_differences *differences)
{
	*differences = (struct memory_differences){
		.limits = *limits,
		.at = arena_array(arena, struct memory_difference, first->memory_count + 1),
		.only_first = arena_array(arena, const struct memory_use *, first->memory_count + 1),
		.only_second = arena_array(arena, const struct memory_use *, second->memory_count + 1)};
	match(sorted_uses(first, arena), first->memory_count, sorted_uses(second, arena),
	      second->memory_count, differences);
	sort_by_place(differences, arena);
}

static void add_use(struct json *json, const struct memory_use *use)
{
	json_text(json, "step", use->step);
	json_number(json, "ranks", use->ranks);
}

static void add_unmatched(struct json *json, const char *key, const struct memory_use **uses, size_t count)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < count; i++) {
		json_open(json, NULL, '{');
		add_use(json, uses[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_difference(struct json *json, const struct memory_difference *difference)
{
	json_open(json, NULL, '{');
	add_use(json, difference->first);
	json_exact(json, "first_bytes", memory_own(difference->first));
	json_exact(json, "second_bytes", memory_own(difference->second));
	json_exact(json, "ratio", difference->ratio);
	json_text(json, "verdict", memory_verdict_names[difference->verdict]);
	json_close(json, '}');
}

void memory_differences_json(const struct memory_differences *differences, struct json *json)
{
	json_open(json, "memory", '{');
	json_exact(json, "threshold", differences->limits.share);
	json_number(json, "least_bytes", (int64_t)differences->limits.bytes);
	json_open(json, "verdicts", '{');
	for (int i = 0; i < MEMORY_VERDICTS_END; i++)
		json_number(json, memory_verdict_names[i], (int64_t)differences->verdicts[i]);
	json_close(json, '}');
	json_open(json, "steps", '[');
	for (size_t i = 0; i < differences->count; i++)
		add_difference(json, &differences->at[i]);
	json_close(json, ']');
	add_unmatched(json, "only_first", differences->only_first, differences->only_first_count);
	add_unmatched(json, "only_second", differences->only_second, differences->only_second_count);
	json_close(json, '}');
}

enum { WIDTH = 80, UNMATCHED_SHOWN = 10 };

static void add_column(struct text *out, double bytes)
{
	struct text size = {0};

	text_add_memory(&size, bytes);
	text_add(out, " %10s", text_get(&size));
	text_release(&size);
}

static void add_row(const struct memory_difference *difference, struct text *out)
{
	text_add(out, "  %5d", difference->first->ranks);
	add_column(out, memory_own(difference->first));
	add_column(out, memory_own(difference->second));
	if (isfinite(difference->ratio))
		text_add(out, " %9.3f", difference->ratio);
	else
		text_add(out, " %9s", "?");
	text_add(out, "  %s\n", memory_verdict_names[difference->verdict]);
}

static void add_rows(const struct memory_differences *differences, struct text *out)
{
	const char *step = NULL;

	for (size_t i = 0; i < differences->count; i++) {
		const struct memory_difference *difference = &differences->at[i];

		if (!step || strcmp(step, difference->first->step) != 0)
			text_add(out, "\nmemory of a process: %s\n  ranks %10s %10s %9s  %s\n",
			         difference->first->step, "first", "second", "ratio", "second has");
		step = difference->first->step;
		add_row(difference, out);
	}
}

static void add_unmatched_text(const char *which, const struct memory_use **uses, size_t count,
                               struct text *out)
{
	size_t shown = count > UNMATCHED_SHOWN + 1 ? UNMATCHED_SHOWN : count;

	if (!count)
		return;
	text_add(out, "\nMemory that only the %s has:\n", which);
	for (size_t i = 0; i < shown; i++)
		text_add(out, "  %s, %d ranks\n", uses[i]->step, uses[i]->ranks);
	if (shown < count)
		text_add(out, "  and %zu more\n", count - shown);
}

static void add_legend(const struct memory_limits *limits, struct text *out)
{
	struct text words = {0};

	text_add(
		&words,
		"first, second: private and shared memory that a step adds to a process, on average. A job has one such "
		"value, so there is no interval and no test. More, less: a difference of more than %.3g%% and more than ",
		100 * limits->share);
	text_add_size(&words, limits->bytes);
	text_add(&words, " ('--memory-threshold', '--memory-least').");
	text_add(out, "\n");
	text_add_wrapped(out, text_get(&words), 0, WIDTH);
	text_release(&words);
}

static void add_sum(const struct memory_differences *differences, struct text *out)
{
	const char *between = ": ";

	text_add(out, "\n");
	text_add_counted(out, differences->count, "amount of memory", "amounts of memory");
	for (int i = 0; i < MEMORY_VERDICTS_END; i++)
		if (differences->verdicts[i]) {
			text_add(out, "%s%zu %s", between, differences->verdicts[i], memory_verdict_names[i]);
			between = ", ";
		}
	text_add(out, "\n");
}

void memory_differences_text(const struct memory_differences *differences, struct text *out)
{
	add_rows(differences, out);
	add_unmatched_text("first", differences->only_first, differences->only_first_count, out);
	add_unmatched_text("second", differences->only_second, differences->only_second_count, out);
	if (!differences->count)
		return;
	add_legend(&differences->limits, out);
	add_sum(differences, out);
}
