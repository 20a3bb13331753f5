/* Only src/page/timeline_data.js reads this format. */
#include "base/json.h"
#include "output/timeline/timeline_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The number of rows merged in JSON, from this one on. */
static size_t rows_from(const struct timeline *timeline, size_t first)
{
	size_t step = rows_in_one(timeline), left = timeline->row_count - first;

	return left < step ? left : step;
}

/* Limits over all rows and classes: numbers in memory, and letters in a page. */
enum { NUMBERS_MAX = 1 << 22, LETTERS_MAX = 300000, BINS_OF_CLASS_MIN = 16, LEVELS = 35 };

void classes_init(struct timeline_classes *classes, size_t rows, uint32_t bins_most)
{
	size_t bins = NUMBERS_MAX / CLASSES_MAX / CLASS_TIMES / (rows ? rows : 1);

	*classes = (struct timeline_classes){.rows = rows, .count = 1};
	classes->bins = BINS_OF_CLASS_MIN;
	while (2 * classes->bins <= bins && 2 * classes->bins <= bins_most)
		classes->bins *= 2;
	classes->sums = memory_new(rows * CLASSES_MAX + 1, sizeof *classes->sums);
}

void classes_release(struct timeline_classes *classes)
{
	for (size_t i = 0; i < classes->rows * CLASSES_MAX; i++)
		free(classes->sums[i]);
	free(classes->sums);
	map_release(&classes->numbers);
}

uint32_t class_number(struct timeline_classes *classes, const struct timeline_class *wanted)
{
	uint32_t *number = map_put(&classes->numbers, map_key((uintptr_t)wanted->name, wanted->comm));

	if (*number != MAP_NONE)
		return *number;
	*number = classes->count < CLASSES_MAX ? classes->count : 0;
	if (*number)
		classes->all[classes->count++] = *wanted;
	return *number;
}

void classes_add(struct timeline_classes *classes, uint32_t class, size_t row, enum class_time time,
                 struct class_stretch stretch)
{
	float **sums = &classes->sums[row * CLASSES_MAX + class];
	double from = fmax(stretch.from, 0), to = fmin(stretch.to, classes->bins);

	if (!(from < to))
		return;
	if (!*sums)
		*sums = memory_new((size_t)classes->bins * CLASS_TIMES, sizeof **sums);
	for (uint32_t bin = (uint32_t)from; bin < classes->bins && bin < to; bin++)
		(*sums)[bin * CLASS_TIMES + time] += (float)((fmin(bin + 1.0, to) - fmax(bin, from)) *
		                                             stretch.times);
}

/* JSON */

/* A fraction, in 35ths. */
static void add_letter(struct text *line, double part)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	double level = part * LEVELS + 0.5;

	text_add_bytes(line, &letters[level < 0 ? 0 : level > LEVELS ? LEVELS : (int)level], 1);
}

/* As many bins as fit. */
static uint32_t bins_written(const struct timeline_classes *classes)
{
	uint32_t bins = classes->bins;
	size_t used = 0;

	for (size_t i = 0; i < classes->rows * CLASSES_MAX; i++)
		used += classes->sums[i] != NULL;
	while (bins > 1 && used * bins * CLASS_TIMES > LETTERS_MAX)
		bins /= 2;
	return bins;
}

/* A letter for each part, in 35ths: time inside and wait alternate. `share`: of how many rows this one is. */
static void add_row(struct json *json, const struct timeline_classes *classes, size_t row, uint32_t bins,
                    double share)
{
	uint32_t step = classes->bins / bins;

	json_open(json, NULL, '[');
	for (uint32_t class = 0; class < classes->count; class ++) {
		const float *sums = classes->sums[row * CLASSES_MAX + class];
		scoped_text line = {0};

		for (uint32_t i = 0; sums && i < bins * CLASS_TIMES; i++) {
			double sum = 0;

			for (uint32_t j = 0; j < step; j++)
				sum += (double)
					sums[(i / CLASS_TIMES * step + j) * CLASS_TIMES + i % CLASS_TIMES];
			add_letter(&line, sum / step * share);
		}
		if (sums) {
			json_number(json, NULL, class);
			json_text(json, NULL, text_get(&line));
		}
	}
	json_close(json, ']');
}

/* For each class: function, kind, and the number of its communicator, -1 without one. */
static void classes_json(struct json *json, const struct timeline_classes *classes, struct site_list *sites)
{
	const struct timeline *timeline = sites->timeline;
	uint32_t bins = bins_written(classes);

	json_open(json, "classes", '{');
	json_number(json, "count", bins);
	json_seconds(json, "from_s", timeline->shown.from);
	json_seconds(json, "to_s",
	             timeline->shown.to < timeline->options.length_ns ? timeline->shown.to
	                                                              : timeline->options.length_ns);
	json_open(json, "names", '[');
	for (uint32_t i = 0; i < classes->count; i++) {
		const struct timeline_class *class = &classes->all[i];

		json_open(json, NULL, '[');
		json_text(json, NULL, class->name ? class->name : "");
		json_text(json, NULL, class->name ? bin_kind_names[class->kind] : "");
		json_number(json, NULL, class->comm ? number_comm(sites, class->process, class->comm) : -1);
		json_close(json, ']');
	}
	json_close(json, ']');
	json_open(json, "rows", '[');
	for (size_t row = 0; row < classes->rows; row++)
		add_row(json, classes, row, bins,
		        1 / (double)rows_from(timeline, row * rows_in_one(timeline)));
	json_close_all(json, "]}");
}

/* The critical path as JSON, for the page: rows and the times at which the path reaches each. */

/* Maximum number of steps in a page, and of intervals if there are more. */
enum { STEPS_MAX = 20000, STRETCHES = 4096, STATES_MAX = 20000 };

struct path_writer {
	const struct timeline *timeline;
	const struct critical_path *path;
	struct json *json;
	int64_t before; /* the last written time */
	int64_t row;    /* the last written row; -1: none yet */
};

static uint32_t row_of_segment(const struct path_writer *writer, const struct path_segment *segment)
{
	return (uint32_t)((writer->timeline->first_row[segment->process] + segment->stream) /
	                  rows_in_one(writer->timeline));
}

/* Steps within one row are merged. */
static void add_step(struct path_writer *writer, uint32_t row, int64_t from)
{
	if (row == writer->row)
		return;
	json_numbers(writer->json, (int64_t[]){row, from - writer->before}, 2);
	writer->before = from;
	writer->row = row;
}

static int64_t segment_end(const struct critical_path *path, size_t number)
{
	return number + 1 < path->segment_count ? path->segments[number + 1].from : path->to;
}

/* The first segment that ends after a time. */
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

/* For each interval, the row with the longest visit of the path. */
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

/* `path`, for the shown time; nothing if it is unknown. */
static void add_path(struct json *json, const struct timeline *timeline)
{
	const struct critical_path *path = timeline->options.path;
	struct path_writer writer = {.timeline = timeline, .path = path, .json = json, .row = -1};
	struct time_span span = timeline->shown;
	size_t first, last;

	if (!path || !path->segment_count || path->from >= span.to || path->to <= span.from)
		return;
	span.from = span.from > path->from ? span.from : path->from;
	span.to = span.to < path->to ? span.to : path->to;
	first = first_segment(path, span.from);
	last = first_segment(path, span.to - 1) + 1;
	json_open(json, "path", '{');
	json_bool(json, "exact", last - first <= STEPS_MAX);
	json_number(json, "to", span.to);
	json_open(json, "steps", '[');
	if (last - first <= STEPS_MAX) {
		for (size_t i = first; i < last; i++) {
			const struct path_segment *segment = &writer.path->segments[i];
			add_step(&writer, row_of_segment(&writer, segment),
			         segment->from > span.from ? segment->from : span.from);
		}
	} else
		add_stretches(&writer, first, last, span);
	json_close_all(json, "]}");
}

size_t rows_in_one(const struct timeline *timeline)
{
	return (timeline->row_count + TIMELINE_ROWS - 1) / TIMELINE_ROWS + !timeline->row_count;
}

/* Shares of the shown time, in thousandths: the similarity of rows is based on them. */
static void json_shares(struct json *json, const struct timeline *timeline, size_t first)
{
	size_t rows = rows_from(timeline, first);
	double all = (double)(timeline->shown.to - timeline->shown.from) * (double)rows;

	json_open(json, "shares", '[');
	for (size_t kind = 0; kind < BIN_KINDS; kind++) {
		double sum = 0;
		for (size_t r = first; r < first + rows; r++)
			for (size_t bin = 0; bin < timeline->bin_count; bin++)
				sum += (double)timeline->rows[r].bins[bin * BIN_KINDS + kind];
		json_number(json, NULL, (int64_t)(sum / all * 1000 + 0.5));
	}
	json_close(json, ']');
}

static void json_rows(struct json *json, const struct timeline *timeline)
{
	size_t step = rows_in_one(timeline);

	json_open(json, "rows", '[');
	for (size_t i = 0; i < timeline->row_count; i += step) {
		const struct timeline_row *row = &timeline->rows[i];
		const struct process *processes = timeline->options.session->reader->processes;
		uint32_t rank = processes[row->process].rank,
			 last = processes[row[rows_from(timeline, i) - 1].process].rank;

		json_open(json, NULL, '{');
		json_number(json, "rank", rank);
		if (rank == PROCESS_UNKNOWN)
			json_number(json, "process", row->process);
		if (last > rank && last != PROCESS_UNKNOWN)
			json_number(json, "last_rank", last);
		json_number(json, "thread", row->thread);
		json_number(json, "threads", (int64_t)rows_from(timeline, i));
		json_number(json, "node", timeline->nodes->of[row->process]);
		json_shares(json, timeline, i);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* A letter for each kind of each bin: shares of its time in 35ths. */
static void json_bins(struct json *json, const struct timeline *timeline)
{
	size_t step = rows_in_one(timeline), numbers = (size_t)timeline->bin_count * BIN_KINDS;
	double width = (double)(timeline->shown.to - timeline->shown.from) / timeline->bin_count;
	scoped_text line = {0};

	json_open(json, "bins", '{');
	json_number(json, "count", timeline->bin_count);
	json_seconds(json, "from_s", timeline->shown.from);
	json_seconds(json, "to_s", timeline->shown.to);
	json_open(json, "rows", '[');
	for (size_t i = 0; i < timeline->row_count; i += step) {
		size_t rows = rows_from(timeline, i);
		text_clear(&line);
		for (size_t k = 0; k < numbers; k++) {
			double sum = 0;
			for (size_t r = 0; r < rows; r++)
				sum += (double)timeline->rows[i + r].bins[k];
			add_letter(&line, sum / (double)rows / width);
		}
		json_text(json, NULL, text_get(&line));
	}
	json_close_all(json, "]}");
}

/* All calls are kept, and fit into a page. */
static bool is_whole(const struct timeline *timeline)
{
	return timeline->keeps_all &&
	       (timeline->options.embeds_all || timeline->options.events <= TIMELINE_CALLS) &&
	       rows_in_one(timeline) == 1;
}

static bool is_chosen(const struct timeline *timeline, int64_t start, int64_t end)
{
	return is_whole(timeline) || is_in_span(timeline, start, end);
}

/* The first call of a row that ends at this time or later. */
static size_t first_behind(const struct timeline_row *row, int64_t time)
{
	size_t low = 0, high = row->calls.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (row->calls.items[middle].end >= time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Adds numbers without keys, because there are many of them. For calls without a CPU, `delays` gets the number of calls since the previous one, and
 * times in microseconds: before the call, inside it, as a part of its wait, and blocked in the kernel before it. */
static void add_calls(struct json *json, struct site_list *sites, const struct timeline_row *row,
                      struct json *delays)
{
	const struct timeline *timeline = sites->timeline;
	const bool is_one = !is_whole(timeline) && timeline->span_count == 1;
	const struct time_span only = is_one ? timeline->spans->time : (struct time_span){0};
	int64_t before = 0, since = 0;

	json_open(json, NULL, '[');
	json_open(delays, NULL, '[');
	for (size_t i = is_one ? first_behind(row, only.from) : 0; i < row->calls.count; i++) {
		const struct kept_call *call = &row->calls.items[i];
		const struct kept_delay *delay = find_delay(row, i);

		if (is_one && call->start > only.to)
			break;
		if (!is_chosen(timeline, call->start, call->end))
			continue;
		json_numbers(json,
		             (int64_t[]){call->start - before, call->end - call->start,
		                         number_site(sites, row->process, call->call), call->wait,
		                         call->group},
		             5);
		if (delay)
			json_numbers(delays,
			             (int64_t[]){since, delay->before, delay->inside, delay->other,
			                         delay->blocked},
			             5);
		since = delay ? 1 : since + 1;
		before = call->start;
	}
	json_close(json, ']');
	json_close(delays, ']');
}

static void add_details(struct json *json, const struct timeline *timeline, struct site_list *sites)
{
	bool has_calls = rows_in_one(timeline) == 1;
	scoped_text delay_text = {0};
	struct json delays = {.out = &delay_text, .is_compact = true};

	json_open(json, "calls", '[');
	json_open(&delays, NULL, '[');
	for (size_t i = 0; has_calls && i < timeline->row_count; i++)
		add_calls(json, sites, &timeline->rows[i], &delays);
	json_close(json, ']');
	json_close(&delays, ']');
	json_value(json, "delays", text_get(&delay_text));
	json_open(json, "messages", '[');
	for (size_t i = 0; has_calls && i < timeline->messages.count; i++) {
		const struct kept_message *message = &timeline->messages.items[i];

		if (is_chosen(timeline, message->sent, message->received))
			json_numbers(json,
			             (int64_t[]){message->from, message->sent, message->to, message->received,
			                         (int64_t)message->bytes,
			                         number_site(sites, timeline->rows[message->from].process,
			                                     message->call)},
			             6);
	}
	json_close(json, ']');
	if (!is_whole(timeline))
		classes_json(json, &timeline->classes, sites);
	add_sites(json, sites);
}

/* Adjacent ones as one. */
static void add_spans(struct json *json, const struct timeline *timeline)
{
	json_open(json, "spans", '[');
	for (size_t i = 0; i < timeline->span_count; i++) {
		struct time_span time = timeline->spans[i].time;

		if (timeline->spans[i].is_given_up)
			continue;
		while (i + 1 < timeline->span_count && !timeline->spans[i + 1].is_given_up &&
		       timeline->spans[i + 1].time.from <= time.to)
			time.to = timeline->spans[++i].time.to;
		json_open(json, NULL, '[');
		json_numbers(json, (int64_t[]){time.from, time.to}, 2);
		json_close(json, ']');
	}
	json_close(json, ']');
}

/* Of each row: start after the previous one, duration, kind. */
static void add_states(struct json *json, const struct timeline *timeline)
{
	size_t count = 0;

	json_open(json, "states", '[');
	for (size_t i = 0; rows_in_one(timeline) == 1 && i < timeline->row_count; i++) {
		const struct timeline_row *row = &timeline->rows[i];
		int64_t before = 0;

		json_open(json, NULL, '[');
		for (size_t j = 0; j < row->states.count && count < STATES_MAX; j++) {
			const struct kept_state *state = &row->states.items[j];

			if (state->from >= timeline->shown.to || state->to <= timeline->shown.from)
				continue;
			json_numbers(json,
			             (int64_t[]){state->from - before, state->to - state->from, state->kind},
			             3);
			before = state->from;
			count++;
		}
		json_close(json, ']');
	}
	json_close(json, ']');
}

/* The data of a strip of the whole run, in an object that stays open. */
static void open_summary(struct json *json, const struct timeline *timeline, bool has_all_calls)
{
	const struct time_span *run = &timeline->options.run;

	json_open(json, NULL, '{');
	json_seconds(json, "length_s", timeline->options.length_ns);
	json_bool(json, "complete", has_all_calls);
	if (run->from < run->to) {
		json_seconds(json, "run_from_s", run->from);
		json_seconds(json, "run_to_s", run->to);
	}
	json_texts(json, "nodes", timeline->nodes->names, timeline->nodes->count);
	json_rows(json, timeline);
	json_bins(json, timeline);
	json->is_compact = true;
}

void timeline_strip_json(const struct timeline *timeline, struct text *out)
{
	struct json json = {.out = out};

	open_summary(&json, timeline, false);
	regions_json(&json, timeline);
	json_close(&json, '}');
}

static void write_json(const struct timeline *timeline, struct text *out)
{
	struct site_list sites;
	struct json json = {.out = out};

	sites_init(&sites, timeline);
	open_summary(&json, timeline, is_whole(timeline));
	add_spans(&json, timeline);
	add_path(&json, timeline);
	regions_json(&json, timeline);
	iterations_json(&json, timeline);
	add_states(&json, timeline);
	add_details(&json, timeline, &sites);
	json_close(&json, '}');
	sites_release(&sites);
}

/* A little less than would fit if all of the text were calls. */
static const double part_of_room = 0.97;

void timeline_json(const struct timeline *timeline, struct text *out)
{
	scoped_text json = {0};

	write_json(timeline, &json);
	while (json.length > TIMELINE_BYTES && timeline->options.fills &&
	       give_up_spans(timeline, (double)TIMELINE_BYTES / (double)json.length * part_of_room)) {
		text_clear(&json);
		write_json(timeline, &json);
	}
	text_add_bytes(out, json.bytes, json.length);
}

/* Windows */

static size_t count_calls(const struct timeline *timeline, struct time_span window)
{
	size_t count = 0;

	for (size_t i = 0; i < timeline->row_count; i++) {
		const struct timeline_row *row = &timeline->rows[i];
		size_t first = first_behind(row, window.from), at = first;
		while (at < row->calls.count && row->calls.items[at].start <= window.to &&
		       count + at - first <= TIMELINE_CALLS)
			at++;
		count += at - first;
	}
	return count;
}

static void add_kept_call(struct timeline *timeline, const struct timeline_row *row, size_t number)
{
	const struct kept_delay *delay = find_delay(row, number);
	const struct kept_call *call = &row->calls.items[number];

	add_call_to_bins(timeline, row, kept_kind(timeline, row, number), call, delay);
	if (delay && number)
		add_gap_to_bins(timeline, row, call[-1].end, call->start, delay);
}

void timeline_window_json(struct timeline *timeline, struct time_span window, struct text *out)
{
	struct kept_span span = {0}, *spans = timeline->spans;
	size_t span_count = timeline->span_count;

	/* Shares of no time are not defined. */
	if (window.to <= window.from)
		window.to = window.from + 1;
	span.time = window;
	span.is_given_up = count_calls(timeline, window) > TIMELINE_CALLS;
	timeline->spans = &span;
	timeline->span_count = 1;
	timeline->shown = window;
	/* Resets all sums to 0. */
	for (size_t i = 0; i < timeline->classes.rows * CLASSES_MAX; i++) {
		free(timeline->classes.sums[i]);
		timeline->classes.sums[i] = NULL;
	}
	for (size_t i = 0; i < timeline->row_count; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		memset(row->bins, 0, (size_t)timeline->bin_count * BIN_KINDS * sizeof *row->bins);
		size_t j = first_behind(row, window.from);

		for (; j < row->calls.count && row->calls.items[j].start <= window.to; j++)
			add_kept_call(timeline, row, j);
		/* The gap before the next call may begin in the window. */
		if (j < row->calls.count)
			add_kept_call(timeline, row, j);
	}
	add_states_to_bins(timeline);
	timeline_json(timeline, out);
	timeline->spans = spans;
	timeline->span_count = span_count;
}
