#include "bench/results/memory_differences.h"

#include <math.h>
#include <string.h>

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

static void add_unmatched(const char *which, const struct memory_use **uses, size_t count, struct text *out)
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
		"first, second: private and shared memory that a step adds to a process, in the mean. A job has "
		"one such number, so there is neither an interval nor a test: more or less is what differs by more "
		"than %.3g%% and more than ",
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
	add_unmatched("first", differences->only_first, differences->only_first_count, out);
	add_unmatched("second", differences->only_second, differences->only_second_count, out);
	if (!differences->count)
		return;
	add_legend(&differences->limits, out);
	add_sum(differences, out);
}
