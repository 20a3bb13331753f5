#include "results/memory_use.h"

#include "base/memory.h"
#include "results/results.h"

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

bool memory_growth(const struct results *results, const char *step, struct line *growth)
{
	double *ranks = memory_new(results->memory_count + 1, sizeof *ranks);
	double *bytes = memory_new(results->memory_count + 1, sizeof *bytes);
	bool differ = false;
	size_t count = 0;

	for (size_t i = 0; i < results->memory_count; i++) {
		const struct memory_use *use = &results->memory[i];
		if (strcmp(use->step, step) != 0)
			continue;
		ranks[count] = use->ranks;
		bytes[count] = use->private_bytes + use->shared_bytes;
		differ |= ranks[count++] != ranks[0];
	}
	if (differ)
		*growth = line_fit(ranks, bytes, NULL, count);
	free(ranks);
	free(bytes);
	return differ;
}

/* "-4 KiB": it may also have been given back. */
static void add_bytes(struct text *out, double bytes)
{
	if (llround(bytes) < 0)
		text_add(out, "-");
	text_add_size(out, (uint64_t)llabs(llround(bytes)));
}

static void add_column(struct text *out, double bytes)
{
	struct text size = {0};

	add_bytes(&size, bytes);
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
	add_column(out, (use->private_bytes + use->shared_bytes) * use->ranks);
	text_add(out, "\n");
}

static bool is_first_of_step(const struct results *results, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(results->memory[i].step, results->memory[at].step) == 0)
			return false;
	return true;
}

static void add_step(const struct results *results, const char *step, struct text *out)
{
	struct line growth;

	text_add(out, "\n%s\n", step);
	text_add(out, "  ranks %10s %10s %10s %10s %10s\n", "private", "shared", "malloc", "at most", "all");
	for (size_t i = 0; i < results->memory_count; i++)
		if (strcmp(results->memory[i].step, step) == 0)
			add_row(&results->memory[i], out);
	if (!memory_growth(results, step, &growth))
		return;
	text_add(out, "  each further process adds ");
	add_bytes(out, growth.slope);
	text_add(out, " to that of a process\n");
}

void memory_table(const struct results *results, struct text *out)
{
	for (size_t i = 0; i < results->memory_count; i++)
		if (is_first_of_step(results, i))
			add_step(results, results->memory[i].step, out);
	for (const struct omission *omission = results->omissions; omission; omission = omission->next)
		text_add(out, "\n%s left out: %s\n", omission->operation, omission->reason);
	text_add(out, "\n"
	              "private  pages of a process alone, in the mean of all processes\n"
	              "shared   its part of memory that processes share\n"
	              "malloc   what the C library has handed out, be it touched or not\n"
	              "at most  private and shared, of the process that has most\n"
	              "all      private and shared, of all processes together\n");
}
