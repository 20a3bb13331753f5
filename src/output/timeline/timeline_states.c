/* States that the calls of a thread do not show: time without a CPU, time that was not recorded, and calls that never returned. */
#include "output/timeline/timeline_parts.h"

#include <math.h>

void add_gap_to_bins(const struct timeline *timeline, const struct timeline_row *row, int64_t from,
                     int64_t to, const struct kept_delay *delay)
{
	const double us = (double)(to - from) / ns_per_us;
	double without_cpu, blocked;

	if (to <= from || !(delay->before | delay->blocked))
		return;
	without_cpu = fmin(1, delay->before / us);
	blocked = fmin(1 - without_cpu, delay->blocked / us);
	count_in_bins(timeline, row, BIN_NO_CPU, (struct time_span){from, to}, without_cpu);
	count_in_bins(timeline, row, BIN_BLOCKED, (struct time_span){from, to}, blocked);
}

struct kept_delay *find_delay(const struct timeline_row *row, size_t call)
{
	size_t low = 0, high = row->delays.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (row->delays.items[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low < row->delays.count && row->delays.items[low].call == call ? &row->delays.items[low]
	                                                                      : NULL;
}

static void add_state(struct timeline_row *row, enum bin_kind kind, int64_t from, int64_t to)
{
	if (to > from)
		array_add(&row->states, ((struct kept_state){from, to, kind}));
}

/* Between the first and the last event. */
static void find_pauses(const struct timeline *timeline, struct timeline_row *row,
                        const struct stream *stream)
{
	for (size_t i = 0; i < stream->pause_count; i++) {
		size_t end = i;
		int64_t from, to;

		if (stream->pauses[i].resumes)
			continue;
		while (end < stream->pause_count && !stream->pauses[end].resumes)
			end++;
		from = time_at(timeline, row->process, stream->pauses[i].tick);
		to = end < stream->pause_count ? time_at(timeline, row->process, stream->pauses[end].tick)
		                               : row->ended;
		add_state(row, BIN_UNRECORDED, from, to < row->ended ? to : row->ended);
		i = end;
	}
}

void find_states(struct timeline *timeline)
{
	const struct reader *reader = timeline->options.session->reader;

	for (size_t i = 0; i < timeline->row_count; i++) {
		struct timeline_row *row = &timeline->rows[i];
		const struct stream *stream = find_stream(&reader->processes[row->process], row->thread);
		int64_t end = timeline->options.length_ns;

		if (stream->open.call) {
			int64_t start = time_at(timeline, row->process, stream->open.start);

			add_state(row, BIN_BLOCKED, start, end);
			row->ended = end;
			row->first = row->first < 0 ? start : row->first;
		}
		add_state(row, BIN_UNRECORDED, 0, row->first < 0 ? end : row->first);
		if (row->first < 0)
			continue;
		find_pauses(timeline, row, stream);
		add_state(row, BIN_UNRECORDED, row->ended, end);
	}
}

void add_states_to_bins(const struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->row_count; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		for (size_t j = 0; j < row->states.count; j++)
			count_in_bins(timeline, row, row->states.items[j].kind,
			              (struct time_span){row->states.items[j].from, row->states.items[j].to},
			              1);
	}
}
