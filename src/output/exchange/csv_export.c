#include "analysis/model/session.h"
#include "base/array.h"
#include "calls/calls.h"
#include "output/exchange/export_output.h"
#include "trace/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 16, PROGRESS_EVENTS = 1 << 16 };

/* The columns of a distinct call: those between the times and the polls, and those after the polls. */
struct csv_call {
	char *middle;
	char *rest;
};

struct csv {
	const struct export_job *job;
	struct output output;
	const struct corrected_time *time;
	struct text text;
	uint64_t events, chunks_done;
	/* of the current process */
	uint32_t process;
	char *beginning;              /* of each of its lines */
	ARRAY(struct csv_call) calls; /* by id */
};

/* Each adds one value of a distinct call; nothing where the call has none. */

static void add_function(struct text *text, const struct process *process, const struct call *call)
{
	(void)process;
	text_add_csv(text, call->outline->name);
}

static void add_class(struct text *text, const struct process *process, const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	(void)process;
	if (info)
		text_add(text, "%s", call_class_names[info->class]);
}

static void add_comm(struct text *text, const struct process *process, const struct call *call)
{
	int64_t comm;

	(void)process;
	if (call_field(call, FIELD_COMM, &comm))
		text_add(text, "0x%" PRIx64, (uint64_t)comm);
}

static void add_comm_name(struct text *text, const struct process *process, const struct call *call)
{
	const struct comm *comm;
	int64_t identity;

	if (!call_field(call, FIELD_COMM, &identity))
		return;
	comm = find_comm(process, (uint64_t)identity);
	if (comm)
		text_add_csv(text, comm->name);
}

static void add_rank_field(struct text *text, const struct call *call, enum field_key key)
{
	int64_t rank;

	if (!call_field(call, key, &rank))
		return;
	if (rank < 0 && rank >= RANK_ROOT)
		text_add(text, "%s", special_rank_names[-1 - rank]);
	else
		text_add(text, "%" PRId64, rank);
}

static void add_peer(struct text *text, const struct process *process, const struct call *call)
{
	(void)process;
	add_rank_field(text, call, FIELD_PEER);
}

static void add_root(struct text *text, const struct process *process, const struct call *call)
{
	(void)process;
	add_rank_field(text, call, FIELD_ROOT);
}

static void add_tag(struct text *text, const struct process *process, const struct call *call)
{
	int64_t tag;

	(void)process;
	if (call_field(call, FIELD_TAG, &tag))
		text_add(text, "%" PRId64, tag);
}

/* Over all requests that the call completed. */
static void add_sum(struct text *text, const struct call *call, enum field_key key)
{
	uint64_t sum = 0;
	bool found = false;

	for (uint32_t i = 0; i < field_count(call); i++) {
		if (field_key_at(call, i) != key)
			continue;
		sum += (uint64_t)field_value_at(call, i);
		found = true;
	}
	if (found)
		text_add(text, "%" PRId64, (int64_t)sum);
}

static void add_sent(struct text *text, const struct process *process, const struct call *call)
{
	(void)process;
	add_sum(text, call, FIELD_SENT);
}

static void add_received(struct text *text, const struct process *process, const struct call *call)
{
	(void)process;
	add_sum(text, call, FIELD_RECEIVED);
}

static void add_region(struct text *text, const struct process *process, const struct call *call)
{
	const char *region = call_text(call, FIELD_REGION);

	(void)process;
	if (region)
		text_add_csv(text, region);
}

typedef void add_column(struct text *text, const struct process *process, const struct call *call);

/* Between the times and the polls. */
static const struct {
	const char *name;
	add_column *add;
} columns[] = {
	{"call", add_function},     {"class", add_class},   {"comm", add_comm}, {"comm_name", add_comm_name},
	{"peer", add_peer},         {"tag", add_tag},       {"root", add_root}, {"sent", add_sent},
	{"received", add_received}, {"region", add_region},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static char *describe_rest(const struct csv *csv, const struct process *process, const struct call *call)
{
	struct location where = {0};
	struct text text = {0}, fields = {0};

	if (call->outline->has_site)
		where = symbols_find_call(csv->job->source, process, call);
	text_add(&text, ",");
	if (where.file)
		text_add_csv(&text, where.file);
	text_add(&text, ",");
	if (where.file)
		text_add(&text, "%d", where.line);
	text_add(&text, ",");
	if (where.function)
		text_add_csv(&text, where.function);
	text_add(&text, ",");
	text_add_fields(&fields, process, call);
	text_add_csv(&text, text_get(&fields) + (fields.length > 0));
	text_add(&text, "\n");
	text_release(&fields);
	return text_take(&text);
}

static const struct csv_call *get_call(struct csv *csv, const struct process *process,
                                       const struct call *call)
{
	struct csv_call *known = &array_extend(&csv->calls, (size_t)call->id + 1)->items[call->id];

	if (!known->middle) {
		struct text text = {0};

		for (size_t i = 0; i < COLUMNS; i++) {
			text_add(&text, ",");
			columns[i].add(&text, process, call);
		}
		known->middle = text_take(&text);
		known->rest = describe_rest(csv, process, call);
	}
	return known;
}

static enum status write_stream(struct csv *csv, struct stream *stream)
{
	struct event_iter iter;
	struct event event;

	reader_events(csv->job->reader, stream, &iter);
	while (reader_next(&iter, &event)) {
		if (filter_wants_event(csv->job->filter, stream->process, &event)) {
			const struct csv_call *call = get_call(csv, stream->process, event.call);
			struct text *text = &csv->text;
			double busy_seconds = (double)event.busy *
			                      clocks_seconds_per_tick(csv->time->clocks, csv->process);

			text_add(text, "%s,%" PRIu32 ",%" PRId64 ",%" PRId64, csv->beginning, stream->number,
			         corrected_ns(csv->time, csv->process, event.start),
			         corrected_ns(csv->time, csv->process, event.end));
			text_add_bytes(text, call->middle, strlen(call->middle));
			if (event.polls)
				text_add(text, ",%" PRIu64 ",%.0f", event.polls, busy_seconds * 1e9);
			else
				text_add(text, ",,");
			text_add_bytes(text, call->rest, strlen(call->rest));
		}
		csv->events++;
		if (csv->job->session->progress && !is_standard_output(&csv->output) &&
		    csv->events % PROGRESS_EVENTS == 0)
			csv->job->session->progress((double)(csv->chunks_done + iter.next_chunk) /
			                            (double)csv->job->reader->chunk_count);
		if (csv->text.length < FLUSH_BYTES || export_write(&csv->output, &csv->text) == OK)
			continue;
		event_iter_release(&iter);
		return FAILED;
	}
	csv->chunks_done += stream->chunk_count;
	return OK;
}

static enum status write_process(struct csv *csv, struct process *process)
{
	enum status status = OK;
	struct text text = {0};

	csv->process = (uint32_t)(process - csv->job->reader->processes);
	text_add(&text, "%" PRIx64 ",", process->world);
	if (process->rank != PROCESS_UNKNOWN)
		text_add(&text, "%" PRIu32, process->rank);
	csv->beginning = text_take(&text);
	for (size_t i = 0; i < process->stream_count && status == OK; i++)
		status = write_stream(csv, &process->streams[i]);
	for (size_t i = 0; i < csv->calls.count; i++) {
		free(csv->calls.items[i].middle);
		free(csv->calls.items[i].rest);
	}
	array_release(&csv->calls);
	free(csv->beginning);
	return status;
}

static enum status write_table(struct csv *csv)
{
	text_add(&csv->text, "world,rank,thread,start_ns,end_ns");
	for (size_t i = 0; i < COLUMNS; i++)
		text_add(&csv->text, ",%s", columns[i].name);
	text_add(&csv->text, ",polls,busy_ns,file,line,function,fields\n");
	for (size_t i = 0; i < csv->job->reader->process_count; i++)
		if (filter_wants_process(csv->job->filter, &csv->job->reader->processes[i]))
			TRY(write_process(csv, &csv->job->reader->processes[i]));
	return export_write(&csv->output, &csv->text);
}

enum status csv_export(const struct export_job *job)
{
	struct csv csv = {.job = job, .time = job->session->time};
	enum status status;

	TRY(export_open(job, &csv.output));
	status = export_close(&csv.output, write_table(&csv));
	text_release(&csv.text);
	return status;
}
