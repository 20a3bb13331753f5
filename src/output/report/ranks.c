#include "output/report/parts.h"

/* A run of processes with ranks one behind the other, from `first`. */
static size_t run_length(const struct reader *reader, const struct number_list *list, size_t first)
{
	size_t length = 1;

	while (first + length < list->count) {
		const struct process *last = &reader->processes[list->at[first + length - 1]];
		const struct process *next = &reader->processes[list->at[first + length]];
		if (next->world != last->world || next->rank == PROCESS_UNKNOWN ||
		    next->rank != last->rank + 1)
			break;
		length++;
	}
	return length;
}

static void add_run(const struct process *first, size_t length, struct text *out)
{
	if (first->rank == PROCESS_UNKNOWN)
		text_add(out, "?");
	else if (length == 1)
		text_add(out, "%u", first->rank);
	else
		text_add(out, "%u%c%zu", first->rank, length == 2 ? ',' : '-', first->rank + length - 1);
}

size_t add_rank_runs(const struct reader *reader, const struct number_list *list, size_t runs_shown,
                     struct text *out)
{
	size_t done = 0;

	for (size_t runs = 0; done < list->count && runs < runs_shown; runs++) {
		size_t length = run_length(reader, list, done);
		text_add(out, runs ? "," : "");
		add_run(&reader->processes[list->at[done]], length, out);
		done += length;
	}
	return list->count - done;
}
