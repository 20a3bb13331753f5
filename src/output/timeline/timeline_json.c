/* The format is read by src/page/timeline_data.js alone. */
#include "base/json.h"
#include "output/timeline/timeline_parts.h"

#include <inttypes.h>
#include <string.h>

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

/* Rows that are one in JSON, from this one on. */
static size_t rows_from(const struct timeline *timeline, size_t first)
{
	size_t step = rows_in_one(timeline), left = timeline->row_count - first;

	return left < step ? left : step;
}

size_t rows_in_row(const struct timeline *timeline, size_t row)
{
	return rows_from(timeline, row * rows_in_one(timeline));
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
	classes_clear(&timeline->classes);
	for (size_t i = 0; i < timeline->row_count; i++)
		fill_bins(timeline, &timeline->rows[i]);
	write_timeline(timeline, out);
	timeline->spans = spans;
	timeline->span_count = span_count;
}
