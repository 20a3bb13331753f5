/* The parts of a long run of which single calls are kept: disjoint spans in time order, each with a priority. */
#include "output/timeline/timeline_parts.h"

#include <stdlib.h>

/* The span that contains a call or overlaps it first; NULL: none that is still kept. */
static struct kept_span *span_at(const struct timeline *timeline, int64_t start, int64_t end)
{
	size_t low = 0, high = timeline->span_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (timeline->spans[middle].time.to >= start)
			high = middle;
		else
			low = middle + 1;
	}
	for (; low < timeline->span_count && timeline->spans[low].time.from <= end; low++)
		if (!timeline->spans[low].is_given_up)
			return &timeline->spans[low];
	return NULL;
}

bool may_be_kept(const struct timeline *timeline, int64_t end)
{
	return timeline->keeps_all || span_at(timeline, end, end);
}

bool is_in_span(const struct timeline *timeline, int64_t start, int64_t end)
{
	return span_at(timeline, start, end) != NULL;
}

bool is_kept(struct timeline *timeline, int64_t start, int64_t end)
{
	struct kept_span *span;

	if (timeline->keeps_all)
		return true;
	span = span_at(timeline, start, end);
	if (span && ++span->calls > TIMELINE_SPAN_CALLS)
		span->is_given_up = true;
	return span && !span->is_given_up;
}

/* Adding spans */

static int by_time(const void *left, const void *right)
{
	const struct kept_span *a = left, *b = right;

	return (a->time.from > b->time.from) - (a->time.from < b->time.from);
}

/* Adds the parts of an interval that no earlier span covers. Spans are sorted afterwards. */
static void add_span(struct timeline *timeline, struct time_span time, size_t *room)
{
	size_t count = timeline->span_count;
	int64_t from = time.from;

	while (from < time.to) {
		int64_t to = time.to, covered = from;

		for (size_t i = 0; i < count; i++) {
			const struct time_span *other = &timeline->spans[i].time;
			if (other->from <= from && from < other->to && other->to > covered)
				covered = other->to;
			if (other->from > from && other->from < to)
				to = other->from;
		}
		if (covered == from) {
			array_fit(timeline->spans, *room, timeline->span_count + 1);
			timeline->spans[timeline->span_count] = (struct kept_span){
				.time = {from, to}, .wanted = timeline->span_count};
			timeline->span_count++;
			covered = to;
		}
		from = covered;
	}
}

/* Adds rings around each wanted span. Each ring has a higher priority than all outer rings. */
enum { RINGS = 8 };

static void add_rings(struct timeline *timeline, const struct time_span *spans, size_t count, size_t *room)
{
	const struct timeline_options *options = &timeline->options;
	double part = (double)TIMELINE_SPAN_CALLS / (double)options->events;
	double width = part * (double)options->length_ns / (double)count / (2 * RINGS);

	for (int ring = 1; ring <= RINGS; ring++)
		for (size_t i = 0; i < count; i++) {
			int64_t from = spans[i].from - (int64_t)(width * ring);
			int64_t to = spans[i].to + (int64_t)(width * ring);

			add_span(timeline,
			         (struct time_span){from > 0 ? from : 0,
			                            to < options->length_ns ? to : options->length_ns},
			         room);
		}
}

void spans_init(struct timeline *timeline)
{
	const struct timeline_options *options = &timeline->options;
	const struct time_span middle = {options->length_ns / 2, options->length_ns / 2 + 1};
	bool has_spans = options->span_count > 0;
	size_t room = 0;

	for (size_t i = 0; i < options->span_count; i++)
		add_span(timeline, options->spans[i], &room);
	if (options->fills && options->events && !timeline->keeps_all)
		add_rings(timeline, has_spans ? options->spans : &middle, has_spans ? options->span_count : 1,
		          &room);
	if (timeline->span_count)
		qsort(timeline->spans, timeline->span_count, sizeof *timeline->spans, by_time);
}

/* Choosing spans */

static int by_wanted(const void *left, const void *right)
{
	const struct kept_span *const *a = left, *const *b = right;

	return ((*a)->wanted > (*b)->wanted) - ((*a)->wanted < (*b)->wanted);
}

void choose_spans(struct timeline *timeline)
{
	struct kept_span **order = memory_new(timeline->span_count + 1, sizeof *order);
	size_t calls = 0;

	for (size_t i = 0; i < timeline->span_count; i++)
		order[i] = &timeline->spans[i];
	qsort(order, timeline->span_count, sizeof *order, by_wanted);
	for (size_t i = 0; i < timeline->span_count; i++) {
		/* If all calls are kept, windows are requested later. */
		if (timeline->keeps_all || calls + order[i]->calls > TIMELINE_SPAN_CALLS)
			order[i]->is_given_up = true;
		if (!order[i]->is_given_up)
			calls += order[i]->calls;
	}
	free(order);
}

static struct kept_span *least_wanted(const struct timeline *timeline)
{
	struct kept_span *last = NULL;

	for (size_t i = 0; i < timeline->span_count; i++)
		if (!timeline->spans[i].is_given_up && (!last || timeline->spans[i].wanted > last->wanted))
			last = &timeline->spans[i];
	return last;
}

bool give_up_spans(const struct timeline *timeline, double part)
{
	size_t calls = 0;
	struct kept_span *last = least_wanted(timeline);
	bool has_any = last != NULL;
	double most;

	for (size_t i = 0; i < timeline->span_count; i++)
		calls += timeline->spans[i].is_given_up ? 0 : timeline->spans[i].calls;
	most = (double)calls * part;
	while (last) {
		last->is_given_up = true;
		calls -= last->calls;
		last = (double)calls > most ? least_wanted(timeline) : NULL;
	}
	return has_any;
}
