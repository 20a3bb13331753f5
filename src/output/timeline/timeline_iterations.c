/* Iterations (analysis/model/iterations.h): the time of each group of them, and how long ranks waited in each call during the group. Known
 * for runs of any length, also where single calls are not kept. */
#include "analysis/model/spans.h"
#include "output/timeline/timeline_parts.h"

#include <stdlib.h>

/* Waits in calls from further places are not added up. */
enum { PLACES_MAX = 1000, PLACES_WRITTEN = 50, NO_PLACE = UINT16_MAX };

void iterations_init(struct timeline *timeline)
{
	struct timeline_iterations *iterations = &timeline->iterations;
	const struct iteration *about = timeline->options.iteration;

	if (!about || !about->is_known || !about->group_count)
		return;
	iterations->about = about;
	for (uint32_t i = 0; i < about->group_count; i++)
		iterations->groups[i] = (struct time_span){INT64_MAX, 0};
}

void iterations_release(struct timeline *timeline)
{
	array_release(&timeline->iterations.places);
	array_release(&timeline->iterations.of_outlines);
	for (size_t i = 0; i < timeline->row_count; i++)
		free(timeline->rows[i].group_starts);
}

/* The calls of a function from one place. NULL: there are too many. */
static struct iterated_place *place_of(struct timeline_iterations *iterations, uint32_t process,
                                       const struct call *call)
{
	uint16_t *number = &array_extend(&iterations->of_outlines, call->outline->number + 1u)
	                            ->items[call->outline->number];

	for (size_t i = 0; !*number && i < iterations->places.count; i++)
		if (is_from_same_site(iterations->places.items[i].call, call))
			*number = (uint16_t)(i + 1);
	if (!*number && iterations->places.count < PLACES_MAX) {
		array_add(&iterations->places, ((struct iterated_place){.call = call, .process = process}));
		*number = (uint16_t)iterations->places.count;
	} else if (!*number) {
		*number = NO_PLACE;
	}
	return *number == NO_PLACE ? NULL : &iterations->places.items[*number - 1];
}

void iterations_add_wait(struct timeline *timeline, const struct timeline_row *row, const struct call *call,
                         int64_t end, int64_t wait)
{
	struct iterated_place *place;
	uint64_t group;

	if (!row->iterations || wait <= 0)
		return;
	group = (row->iterations - 1) / timeline->iterations.about->groups[0].count;
	if (row->iterations == timeline->iterations.about->count) {
		if (end > row->group_starts[timeline->iterations.about->group_count])
			return;
		group = timeline->iterations.about->group_count - 1;
	}
	while (group && row->group_starts[group] >= end)
		group--;
	place = row->group_starts[group] < end ? place_of(&timeline->iterations, row->process, call) : NULL;
	if (place)
		place->waits[group] = saturating_add(place->waits[group], wait);
}

/* Iterations are counted on one thread of a process. */
static bool is_counted_elsewhere(const struct timeline *timeline, const struct timeline_row *row)
{
	const struct timeline_row *first = &timeline->rows[timeline->first_row[row->process]];
	size_t streams = timeline->options.session->reader->processes[row->process].stream_count;

	for (size_t i = 0; i < streams; i++)
		if (&first[i] != row && first[i].iterations)
			return true;
	return false;
}

void iterations_pass(struct timeline *timeline, struct timeline_row *row, const struct call *call,
                     int64_t end)
{
	struct timeline_iterations *iterations = &timeline->iterations;
	const struct iteration *about = iterations->about;
	uint64_t stride, passed;

	if (!about || !is_from_same_site(about->call, call) || is_counted_elsewhere(timeline, row) ||
	    row->iterations == about->count)
		return;
	if (!row->group_starts)
		row->group_starts = memory_new(ITERATION_GROUPS + 1, sizeof *row->group_starts);
	stride = about->groups[0].count;
	passed = row->iterations++;
	if (passed && (passed % stride == 0 || passed + 1 == about->count)) {
		struct time_span *ended = &iterations->groups[(passed - 1) / stride];
		ended->to = end > ended->to ? end : ended->to;
	}
	if (passed + 1 == about->count) {
		row->group_starts[about->group_count] = end;
		iterations->rows_passed++;
	} else if (passed % stride == 0) {
		struct time_span *begun = &iterations->groups[passed / stride];
		begun->from = end < begun->from ? end : begun->from;
		row->group_starts[passed / stride] = end;
	}
}

/* JSON */

static int64_t total_of(const struct iterated_place *place)
{
	int64_t total = 0;

	for (size_t i = 0; i < ITERATION_GROUPS; i++)
		total = saturating_add(total, place->waits[i]);
	return total;
}

static int by_total(const void *left, const void *right)
{
	const struct iterated_place *const *a = left, *const *b = right;
	int64_t first = total_of(*a), second = total_of(*b);

	return first != second ? (first < second) - (first > second) : (*a > *b) - (*a < *b);
}

static void add_place(struct json *json, const struct timeline *timeline, const struct iterated_place *place)
{
	const struct process *process = &timeline->options.session->reader->processes[place->process];
	struct location where = symbols_find_call(timeline->options.source, process, place->call);
	scoped_text text = {0};

	location_describe(&where, &text);
	json_open(json, NULL, '{');
	json_text(json, "call", place->call->outline->name);
	json_text(json, "place", text_get(&text));
	json_open(json, "waits", '[');
	json_numbers(json, place->waits, timeline->iterations.about->group_count);
	json_close_all(json, "]}");
}

void iterations_json(struct json *json, const struct timeline *timeline)
{
	const struct timeline_iterations *iterations = &timeline->iterations;
	const struct iterated_place **order;

	/* As the figures counted them. A page asks for windows later. */
	if (timeline->shown.from > 0 || timeline->shown.to < timeline->options.length_ns)
		return;
	if (!iterations->about || iterations->rows_passed != timeline->options.session->reader->process_count)
		return;
	order = memory_new(iterations->places.count + 1, sizeof(const struct iterated_place *));
	for (size_t i = 0; i < iterations->places.count; i++)
		order[i] = &iterations->places.items[i];
	qsort(order, iterations->places.count, sizeof *order, by_total);
	json_open(json, "iterations", '{');
	json_open(json, "groups", '[');
	for (uint32_t i = 0; i < iterations->about->group_count; i++)
		json_numbers(json, (int64_t[]){iterations->groups[i].from, iterations->groups[i].to}, 2);
	json_close(json, ']');
	json_open(json, "places", '[');
	for (size_t i = 0; i < iterations->places.count && i < PLACES_WRITTEN && total_of(order[i]); i++)
		add_place(json, timeline, order[i]);
	json_close_all(json, "]}");
	free(order);
}
