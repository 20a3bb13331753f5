#include "bench/results/memory_use.h"

#include "base/memory.h"
#include "bench/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

const struct memory_field memory_fields[] = {
	{"private_bytes", offsetof(struct memory_use, private_bytes)},
	{"shared_bytes", offsetof(struct memory_use, shared_bytes)},
	{"file_bytes", offsetof(struct memory_use, file_bytes)},
	{"heap_bytes", offsetof(struct memory_use, heap_bytes)},
	{"most_bytes", offsetof(struct memory_use, most_bytes)},
	{NULL, 0},
};

void results_add_memory(struct results *results, const struct memory_use *use)
{
	if (results->memory_count == results->memory_room) {
		struct memory_use *old = results->memory;
		size_t room = results->memory_room ? 2 * results->memory_room : FIRST_ROOM;

		results->memory = arena_array(&results->arena, struct memory_use, room);
		if (old)
			memcpy(results->memory, old, results->memory_count * sizeof *old);
		results->memory_room = room;
	}
	results->memory[results->memory_count] = *use;
	results->memory[results->memory_count++].step = arena_text(&results->arena, use->step);
}

int memory_order(const struct memory_use *left, const struct memory_use *right)
{
	int order = strcmp(left->step, right->step);

	return order ? order : (left->ranks > right->ranks) - (left->ranks < right->ranks);
}

static int by_step_and_place(const void *left, const void *right)
{
	const struct memory_use *a = *(const struct memory_use *const *)left,
				*b = *(const struct memory_use *const *)right;
	int order = strcmp(a->step, b->step);

	return order ? order : (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
	const struct memory_use *a = *((const struct memory_of_step *)left)->uses,
				*b = *((const struct memory_of_step *)right)->uses;

	return (a > b) - (a < b);
}

struct memory_of_steps memory_by_step(const struct results *results, struct arena *arena)
{
	size_t all = results->memory_count;
	const struct memory_use **sorted = arena_array(arena, const struct memory_use *, all + 1);
	struct memory_of_steps steps = {arena_array(arena, struct memory_of_step, all + 1), 0};

	for (size_t i = 0; i < all; i++)
		sorted[i] = &results->memory[i];
	qsort(sorted, all, sizeof *sorted, by_step_and_place);
	for (size_t i = 0; i < all; i++) {
		if (!i || strcmp(sorted[i - 1]->step, sorted[i]->step) != 0)
			steps.at[steps.count++] = (struct memory_of_step){sorted[i]->step, &sorted[i], 0};
		steps.at[steps.count - 1].count++;
	}
	qsort(steps.at, steps.count, sizeof *steps.at, by_place);
	return steps;
}

bool memory_growth(const struct memory_of_step *step, struct fitted_line *growth)
{
	double *ranks = memory_new(step->count + 1, sizeof *ranks);
	double *bytes = memory_new(step->count + 1, sizeof *bytes);
	bool differ = false;

	for (size_t i = 0; i < step->count; i++) {
		ranks[i] = step->uses[i]->ranks;
		bytes[i] = memory_own(step->uses[i]);
		differ |= ranks[i] != ranks[0];
	}
	if (differ)
		*growth = line_fit(ranks, bytes, NULL, step->count);
	free(ranks);
	free(bytes);
	return differ;
}

void text_add_memory(struct text *out, double bytes)
{
	if (llround(bytes) < 0)
		text_add(out, "-");
	text_add_size(out, (uint64_t)llabs(llround(bytes)));
}

static void add_column(struct text *out, double bytes)
{
	struct text size = {0};

	text_add_memory(&size, bytes);
	text_add(out, " %10s", text_get(&size));
	text_release(&size);
}

static void add_row(const struct memory_use *use, struct text *out)
{
	text_add(out, "  %5d", use->ranks);
	add_column(out, use->private_bytes);
	add_column(out, use->shared_bytes);
	add_column(out, use->heap_bytes);
	add_column(out, use->most_bytes);
	add_column(out, memory_own(use) * use->ranks);
	text_add(out, "\n");
}

static void add_step(const struct memory_of_step *step, struct text *out)
{
	struct fitted_line growth;

	text_add(out, "\n%s\n", step->name);
	text_add(out, "  ranks %10s %10s %10s %10s %10s\n", "private", "shared", "malloc", "at most", "all");
	for (size_t i = 0; i < step->count; i++)
		add_row(step->uses[i], out);
	if (!memory_growth(step, &growth))
		return;
	if (growth.slope < 1) {
		text_add(out, "  it does not grow with the number of processes\n");
		return;
	}
	text_add(out, "  each further process adds ");
	text_add_memory(out, growth.slope);
	text_add(out, " to every process\n");
}

void memory_table(const struct results *results, struct text *out)
{
	struct arena arena = {0};
	struct memory_of_steps steps = memory_by_step(results, &arena);

	for (size_t i = 0; i < steps.count; i++)
		add_step(&steps.at[i], out);
	arena_release(&arena);
	for (const struct omission *omission = results->omissions; omission; omission = omission->next)
		text_add(out, "\n%s left out: %s\n", omission->operation, omission->reason);
	text_add(out, "\n"
	              "private  memory of a process alone, mean over all processes\n"
	              "shared   its share of memory that processes share\n"
	              "malloc   allocated from the C library, touched or not\n"
	              "at most  private and shared memory of the process with the most\n"
	              "all      private and shared memory of all processes\n");
}
