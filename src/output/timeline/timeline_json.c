/* The format is read by src/page/timeline_data.js alone. */
#include "base/json.h"
#include "output/timeline/timeline_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rows that are one in JSON, from this one on. */
static size_t rows_from(const struct timeline *timeline, size_t first)
{
	size_t step = rows_in_one(timeline), left = timeline->row_count - first;

	return left < step ? left : step;
}

/* How many are that row of the page. */
static size_t rows_in_row(const struct timeline *timeline, size_t row)
{
	return rows_from(timeline, row * rows_in_one(timeline));
}

/* Numbers of all rows and classes together: in memory, and letters that a page has room for. */
enum { NUMBERS_MOST = 1 << 22, LETTERS_MOST = 300000, BINS_OF_CLASS_LEAST = 16, LEVELS = 35 };

void classes_init(struct timeline_classes *classes, size_t rows, uint32_t bins_most)
{
	size_t bins = NUMBERS_MOST / CLASSES_MOST / CLASS_TIMES / (rows ? rows : 1);

	*classes = (struct timeline_classes){.rows = rows, .count = 1};
	classes->bins = BINS_OF_CLASS_LEAST;
	while (2 * classes->bins <= bins && 2 * classes->bins <= bins_most)
		classes->bins *= 2;
	classes->sums = memory_new(rows * CLASSES_MOST + 1, sizeof *classes->sums);
}

void classes_release(struct timeline_classes *classes)
{
	for (size_t i = 0; i < classes->rows * CLASSES_MOST; i++)
		free(classes->sums[i]);
	free(classes->sums);
	map_release(&classes->numbers);
}

uint32_t class_number(struct timeline_classes *classes, const struct timeline_class *wanted)
{
	uint32_t *number = map_put(&classes->numbers, map_key((uintptr_t)wanted->name, wanted->comm));

	if (*number != MAP_NONE)
		return *number;
	*number = classes->count < CLASSES_MOST ? classes->count : 0;
	if (*number)
		classes->all[classes->count++] = *wanted;
	return *number;
}

void classes_add(struct timeline_classes *classes, uint32_t class, size_t row, enum class_time time,
                 struct class_stretch stretch)
{
	float **sums = &classes->sums[row * CLASSES_MOST + class];
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

/* As many bins as there is room for. */
static uint32_t bins_written(const struct timeline_classes *classes)
{
	uint32_t bins = classes->bins;
	size_t used = 0;

	for (size_t i = 0; i < classes->rows * CLASSES_MOST; i++)
		used += classes->sums[i] != NULL;
	while (bins > 1 && used * bins * CLASS_TIMES > LETTERS_MOST)
		bins /= 2;
	return bins;
}

/* A letter for each part, in 35ths: those inside and those of waits in turn. `share`: of how many rows this one is. */
static void add_letters(const struct timeline_classes *classes, const float *sums, uint32_t bins,
                        double share, struct text *out)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	uint32_t step = classes->bins / bins;

	for (uint32_t i = 0; i < bins; i++)
		for (int time = 0; time < CLASS_TIMES; time++) {
			double sum = 0;
			for (uint32_t j = 0; j < step; j++)
				sum += (double)sums[(i * step + j) * CLASS_TIMES + (uint32_t)time];
			sum = sum / step * share * LEVELS + 0.5;
			text_add_bytes(out, &letters[sum < 0 ? 0 : sum > LEVELS ? LEVELS : (int)sum], 1);
		}
}

static void add_row(const struct timeline_classes *classes, size_t row, uint32_t bins, double share,
                    struct text *out)
{
	bool is_first = true;

	text_add(out, "%s[", row ? "," : "");
	for (uint32_t class = 0; class < classes->count; class ++) {
		const float *sums = classes->sums[row * CLASSES_MOST + class];
		if (!sums)
			continue;
		text_add(out, "%s%" PRIu32 ",\"", is_first ? "" : ",", class);
		add_letters(classes, sums, bins, share, out);
		text_add(out, "\"");
		is_first = false;
	}
	text_add(out, "]");
}

/* Of each class: function, kind, and the number of its communicator, -1 if there is none. */
static void add_names(const struct timeline_classes *classes, struct site_list *sites, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '[');
	for (uint32_t i = 0; i < classes->count; i++) {
		const struct timeline_class *class = &classes->all[i];
		json_open(&json, NULL, '[');
		json_text(&json, NULL, class->name ? class->name : "");
		json_text(&json, NULL, class->name ? bin_kind_names[class->kind] : "");
		json_number(&json, NULL, class->comm ? number_comm(sites, class->process, class->comm) : -1);
		json_close(&json, ']');
	}
	json_close(&json, ']');
}

static void classes_json(const struct timeline_classes *classes, struct site_list *sites, struct text *out)
{
	const struct timeline *timeline = sites->timeline;
	uint32_t bins = bins_written(classes);
	double length = (double)timeline->options.length_ns / 1e9;

	text_add(out, ",\"classes\":{\"count\":%" PRIu32 ",\"from_s\":%.9f,\"to_s\":%.9f,\"names\":", bins,
	         (double)timeline->shown.from / 1e9,
	         timeline->shown.to < timeline->options.length_ns ? (double)timeline->shown.to / 1e9
	                                                          : length);
	add_names(classes, sites, out);
	text_add(out, ",\"rows\":[");
	for (size_t row = 0; row < classes->rows; row++)
		add_row(classes, row, bins, 1 / (double)rows_in_row(timeline, row), out);
	text_add(out, "]}");
}

/* The critical path as JSON, for the page: rows and when the path comes to each. */

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

/* ,"path":{…}: of the time that is shown; nothing if it is not known. */
static void add_path(struct text *out, const struct timeline *timeline, size_t rows_in_one)
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

size_t rows_in_one(const struct timeline *timeline)
{
	return (timeline->row_count + TIMELINE_ROWS - 1) / TIMELINE_ROWS + !timeline->row_count;
}

static void add_row_name(struct text *out, const struct timeline *timeline, const struct timeline_row *row)
{
	const struct process *process = &timeline->options.session->reader->processes[row->process];

	if (process->rank == PROCESS_UNKNOWN)
		text_add(out, "process %" PRIu32, row->process);
	else
		text_add(out, "rank %" PRIu32, process->rank);
	if (row->thread)
		text_add(out, ".%" PRIu32, row->thread);
}

/* Parts of the time that is shown, in thousandths: by them rows are alike or not. */
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
		const struct process *process = &timeline->options.session->reader->processes[row->process];
		struct text name = {0};
		add_row_name(&name, timeline, row);
		if (step > 1)
			text_add(&name, " …");
		json_open(json, NULL, '{');
		json_text(json, "name", text_get(&name));
		json_number(json, "rank", process->rank);
		json_number(json, "thread", row->thread);
		json_number(json, "threads", (int64_t)rows_from(timeline, i));
		json_number(json, "node", timeline->nodes->of[row->process]);
		json_shares(json, timeline, i);
		json_close(json, '}');
		text_release(&name);
	}
	json_close(json, ']');
}

/* A letter for each kind of each bin: parts of its time in 35ths. */
static void json_bins(struct json *json, const struct timeline *timeline)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	size_t step = rows_in_one(timeline), numbers = (size_t)timeline->bin_count * BIN_KINDS;
	double width = (double)(timeline->shown.to - timeline->shown.from) / timeline->bin_count;
	struct text line = {0};

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
			sum = sum / (double)rows / width * 35 + 0.5;
			text_add_bytes(&line, &letters[sum < 0 ? 0 : sum > 35 ? 35 : (int)sum], 1);
		}
		json_text(json, NULL, text_get(&line));
	}
	json_close(json, ']');
	json_close(json, '}');
	text_release(&line);
}

/* All calls are there, and a page has room for them. */
static bool is_whole(const struct timeline *timeline)
{
	return timeline->keeps_all &&
	       (timeline->options.embeds_all || timeline->options.events <= TIMELINE_CALLS) &&
	       rows_in_one(timeline) == 1;
}

static bool is_chosen(const struct timeline *timeline, int64_t start, int64_t end)
{
	for (size_t i = 0; i < timeline->span_count; i++)
		if (!timeline->spans[i].is_given_up && timeline->spans[i].time.from <= end &&
		    start <= timeline->spans[i].time.to)
			return true;
	return is_whole(timeline);
}

/* The first call of a row that ends behind this time. */
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

/* Numbers without blanks or keys: a page has many of them. */
static void add_calls(struct text *out, struct site_list *sites, const struct timeline_row *row)
{
	const struct timeline *timeline = sites->timeline;
	int64_t before = 0;
	bool is_first = true;

	text_add(out, "[");
	for (size_t i = is_whole(timeline) || timeline->span_count != 1
	                        ? 0
	                        : first_behind(row, timeline->spans[0].time.from);
	     i < row->calls.count; i++) {
		const struct kept_call *call = &row->calls.items[i];
		if (timeline->span_count == 1 && call->start > timeline->spans[0].time.to &&
		    !is_whole(timeline))
			break;
		if (!is_chosen(timeline, call->start, call->end))
			continue;
		text_add(out, "%s%" PRId64 ",%" PRId64 ",%" PRIu32 ",%" PRId64 ",%" PRIu32,
		         is_first ? "" : ",", call->start - before, call->end - call->start,
		         number_site(sites, row->process, call->call), call->wait, call->group);
		before = call->start;
		is_first = false;
	}
	text_add(out, "]");
}

static void add_messages(struct text *out, struct site_list *sites)
{
	const struct timeline *timeline = sites->timeline;
	bool is_first = true;

	text_add(out, "[");
	for (size_t i = 0; i < timeline->messages.count; i++) {
		const struct kept_message *message = &timeline->messages.items[i];
		if (!is_chosen(timeline, message->sent, message->received))
			continue;
		text_add(out, "%s%" PRIu32 ",%" PRId64 ",%" PRIu32 ",%" PRId64 ",%" PRIu64 ",%" PRIu32,
		         is_first ? "" : ",", message->from, message->sent, message->to, message->received,
		         message->bytes,
		         number_site(sites, timeline->rows[message->from].process, message->call));
		is_first = false;
	}
	text_add(out, "]");
}

static void add_details(struct text *out, const struct timeline *timeline, struct site_list *sites)
{
	bool has_calls = rows_in_one(timeline) == 1;

	text_add(out, ",\"calls\":[");
	for (size_t i = 0; has_calls && i < timeline->row_count; i++) {
		text_add(out, i ? "," : "");
		add_calls(out, sites, &timeline->rows[i]);
	}
	text_add(out, "],\"messages\":");
	if (has_calls)
		add_messages(out, sites);
	else
		text_add(out, "[]");
	if (!is_whole(timeline))
		classes_json(&timeline->classes, sites, out);
	add_sites(out, sites);
}

static void write_timeline(const struct timeline *timeline, struct text *out)
{
	struct site_list sites;
	struct text head = {0};
	struct json json = {.out = &head};
	bool is_first = true;

	sites_init(&sites, timeline);
	json_open(&json, NULL, '{');
	json_seconds(&json, "length_s", timeline->options.length_ns);
	json_bool(&json, "complete", is_whole(timeline));
	json_open(&json, "nodes", '[');
	for (uint32_t i = 0; i < timeline->nodes->count; i++)
		json_text(&json, NULL, timeline->nodes->names[i]);
	json_close(&json, ']');
	json_rows(&json, timeline);
	json_bins(&json, timeline);
	json_close(&json, '}');
	/* What follows is added to the same object, without its layout. */
	while (head.length && head.bytes[head.length - 1] != '}')
		head.length--;
	text_add_bytes(out, head.bytes, head.length - 1);
	text_add(out, ",\"spans\":[");
	for (size_t i = 0; i < timeline->span_count; i++) {
		if (timeline->spans[i].is_given_up)
			continue;
		text_add(out, "%s[%" PRId64 ",%" PRId64 "]", is_first ? "" : ",",
		         timeline->spans[i].time.from, timeline->spans[i].time.to);
		is_first = false;
	}
	text_add(out, "]");
	add_path(out, timeline, rows_in_one(timeline));
	add_details(out, timeline, &sites);
	text_add(out, "}");
	sites_release(&sites);
	text_release(&head);
}

void timeline_json(const struct timeline *timeline, struct text *out)
{
	write_timeline(timeline, out);
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

static void fill_bins(struct timeline *timeline, struct timeline_row *row)
{
	/* Of calls that are kept, it is known what they are. */
	const uint8_t *kinds = timeline->kinds[row->process].items;

	memset(row->bins, 0, (size_t)timeline->bin_count * BIN_KINDS * sizeof *row->bins);
	for (size_t i = first_behind(row, timeline->shown.from);
	     i < row->calls.count && row->calls.items[i].start <= timeline->shown.to; i++) {
		const struct kept_call *call = &row->calls.items[i];
		add_call_to_bins(timeline, row, kinds[call->call] - 1, call);
	}
}

void timeline_window_json(struct timeline *timeline, struct time_span window, struct text *out)
{
	struct kept_span span = {0}, *spans = timeline->spans;
	size_t span_count = timeline->span_count;

	/* Parts of no time are no numbers. */
	if (window.to <= window.from)
		window.to = window.from + 1;
	span.time = window;
	span.is_given_up = count_calls(timeline, window) > TIMELINE_CALLS;
	timeline->spans = &span;
	timeline->span_count = 1;
	timeline->shown = window;
	/* All sums become 0. */
	for (size_t i = 0; i < timeline->classes.rows * CLASSES_MOST; i++) {
		free(timeline->classes.sums[i]);
		timeline->classes.sums[i] = NULL;
	}
	for (size_t i = 0; i < timeline->row_count; i++)
		fill_bins(timeline, &timeline->rows[i]);
	write_timeline(timeline, out);
	timeline->spans = spans;
	timeline->span_count = span_count;
}
