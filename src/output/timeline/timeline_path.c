/* The critical path as JSON, for the page: rows and when the path comes to each. */
#include "output/timeline/timeline_parts.h"

#include <inttypes.h>

/* Steps that a page has room for, and stretches of time where there are more. */
enum { STEPS_MOST = 20000, STRETCHES = 4096 };

struct path_writer {
	const struct timeline *timeline;
	const struct critical_path *path;
	struct text *out;
	size_t rows_in_one;
	int64_t before; /* the last time that was written */
	uint32_t row;   /* likewise */
	bool is_first;
};

static uint32_t row_of_segment(const struct path_writer *writer, const struct path_segment *segment)
{
	return (uint32_t)((writer->timeline->first_row[segment->process] + segment->stream) /
	                  writer->rows_in_one);
}

/* Steps within one row are one. */
static void add_step(struct path_writer *writer, uint32_t row, int64_t from)
{
	if (!writer->is_first && row == writer->row)
		return;
	text_add(writer->out, "%s%" PRIu32 ",%" PRId64, writer->is_first ? "" : ",", row,
	         from - writer->before);
	writer->before = from;
	writer->row = row;
	writer->is_first = false;
}

static int64_t segment_end(const struct critical_path *path, size_t number)
{
	return number + 1 < path->segment_count ? path->segments[number + 1].from : path->to;
}

/* The first segment that ends behind a time. */
static size_t first_segment(const struct critical_path *path, int64_t time)
{
	size_t low = 0, high = path->segment_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (segment_end(path, middle) > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Of each stretch of time, where the path is for the longest of its visits. */
static void add_stretches(struct path_writer *writer, size_t first, size_t last, struct time_span span)
{
	double width = (double)(span.to - span.from) / STRETCHES;
	size_t at = first;

	for (int i = 0; i < STRETCHES && at < last; i++) {
		int64_t from = span.from + (int64_t)(i * width), to = span.from + (int64_t)((i + 1) * width);
		int64_t longest = -1;
		uint32_t row = 0;
		for (;; at++) {
			const struct path_segment *segment = &writer->path->segments[at];
			int64_t begin = segment->from > from ? segment->from : from;
			int64_t end = segment_end(writer->path, at) < to ? segment_end(writer->path, at) : to;
			if (end - begin > longest) {
				longest = end - begin;
				row = row_of_segment(writer, segment);
			}
			if (at + 1 == last || segment_end(writer->path, at) >= to)
				break;
		}
		add_step(writer, row, from);
	}
}

void add_path(struct text *out, const struct timeline *timeline, size_t rows_in_one)
{
	const struct critical_path *path = timeline->options.path;
	struct path_writer writer = {
		.timeline = timeline, .path = path, .out = out, .rows_in_one = rows_in_one, .is_first = true};
	struct time_span span = timeline->shown;
	size_t first, last;

	if (!path || !path->segment_count || path->from >= span.to || path->to <= span.from)
		return;
	span.from = span.from > path->from ? span.from : path->from;
	span.to = span.to < path->to ? span.to : path->to;
	first = first_segment(path, span.from);
	last = first_segment(path, span.to - 1) + 1;
	text_add(out, ",\"path\":{\"exact\":%s,\"to\":%" PRId64 ",\"steps\":[",
	         last - first <= STEPS_MOST ? "true" : "false", span.to);
	if (last - first <= STEPS_MOST) {
		for (size_t i = first; i < last; i++) {
			const struct path_segment *segment = &writer.path->segments[i];
			add_step(&writer, row_of_segment(&writer, segment),
			         segment->from > span.from ? segment->from : span.from);
		}
	} else
		add_stretches(&writer, first, last, span);
	text_add(out, "]}");
}
