#include "analysis/model/session.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "calls/calls.h"
#include "output/exchange/export_output.h"
#include "trace/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Several threads produce lines, chunk by chunk, which are written in order. Only some chunks at a
 * time, to limit memory. */
enum { CHUNKS_OF_JOB = 8, CHUNKS_MAX = 64 };

/* The columns of a distinct call: those between the times and the polls, and those after the polls. */
struct csv_call {
	char *middle;
	char *rest;
};

/* The lines of one chunk. */
struct csv_part {
	const struct export_job *job;
	const struct corrected_time *time;
	struct stream *stream;
	struct chunk *chunk;
	struct text text;
	uint32_t process;
	char *beginning;              /* of each line */
	ARRAY(struct csv_call) calls; /* by id */
};

struct csv {
	const struct export_job *job;
	struct output output;
	struct csv_part parts[CHUNKS_MAX];
	size_t count, most;
	uint64_t chunks_done;
};

/* Between the times and the polls: columns of a distinct call; empty if the call has no value. */
static const struct csv_column {
	const char *name;
	enum { COLUMN_FUNCTION, COLUMN_CLASS, COLUMN_COMM_NAME, COLUMN_FIELD, COLUMN_SUM } kind;
	enum field_key key;
} columns[] = {
	{"call", COLUMN_FUNCTION, 0},
	{"class", COLUMN_CLASS, 0},
	{"comm", COLUMN_FIELD, FIELD_COMM},
	{"comm_name", COLUMN_COMM_NAME, FIELD_COMM},
	{"peer", COLUMN_FIELD, FIELD_PEER},
	{"tag", COLUMN_FIELD, FIELD_TAG},
	{"root", COLUMN_FIELD, FIELD_ROOT},
	{"sent", COLUMN_SUM, FIELD_SENT},
	{"received", COLUMN_SUM, FIELD_RECEIVED},
	{"region", COLUMN_FIELD, FIELD_REGION},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_field(struct text *text, const struct call *call, enum field_key key, int64_t value)
{
	enum field_form form = field_form(key);

	if (form == FORM_name)
		text_add_csv(text, call_text(call, key));
	else if (form == FORM_identity)
		text_add(text, "0x%" PRIx64, (uint64_t)value);
	else if (form == FORM_rank && value < 0 && value >= RANK_ROOT)
		text_add(text, "%s", special_rank_names[-1 - value]);
	else
		text_add(text, "%" PRId64, value);
}

static void add_column(struct text *text, const struct csv_column *column, const struct process *process,
                       const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);
	const struct comm *comm;
	int64_t value = 0;
	uint64_t sum = 0;

	if (column->kind == COLUMN_FUNCTION)
		text_add_csv(text, call->outline->name);
	else if (column->kind == COLUMN_CLASS)
		text_add(text, "%s", info ? call_class_names[info->class] : "");
	else if (!call_field(call, column->key, &value))
		return;
	else if (column->kind == COLUMN_FIELD)
		add_field(text, call, column->key, value);
	else if (column->kind == COLUMN_COMM_NAME) {
		comm = find_comm(process, (uint64_t)value);
		text_add_csv(text, comm ? comm->name : "");
	} else { /* over all requests that the call completed */
		for (uint32_t i = 0; i < field_count(call); i++)
			sum += field_key_at(call, i) == column->key ? (uint64_t)field_value_at(call, i) : 0;
		text_add(text, "%" PRId64, (int64_t)sum);
	}
}

static char *describe_rest(const struct csv_part *part, const struct process *process,
                           const struct call *call)
{
	struct location where = {0};
	scoped_text text = {0}, fields = {0};

	if (call->outline->has_site)
		where = symbols_find_call(part->job->source, process, call);
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
	return text_take(&text);
}

static const struct csv_call *get_call(struct csv_part *part, const struct process *process,
                                       const struct call *call)
{
	struct csv_call *known = &array_extend(&part->calls, (size_t)call->id + 1)->items[call->id];

	if (!known->middle) {
		struct text text = {0};

		for (size_t i = 0; i < COLUMNS; i++) {
			text_add(&text, ",");
			add_column(&text, &columns[i], process, call);
		}
		known->middle = text_take(&text);
		known->rest = describe_rest(part, process, call);
	}
	return known;
}

static void add_line(struct csv_part *part, const struct event *event)
{
	const struct csv_call *call = get_call(part, part->stream->process, event->call);
	double busy_seconds = (double)event->busy *
	                      clocks_seconds_per_tick(part->time->clocks, part->process);
	struct text *text = &part->text;

	text_add(text, "%s,%" PRIu32 ",%" PRId64 ",%" PRId64, part->beginning, part->stream->number,
	         corrected_ns(part->time, part->process, event->start),
	         corrected_ns(part->time, part->process, event->end));
	text_add_bytes(text, call->middle, strlen(call->middle));
	if (event->polls)
		text_add(text, ",%" PRIu64 ",%.0f", event->polls, busy_seconds * 1e9);
	else
		text_add(text, ",,");
	text_add_bytes(text, call->rest, strlen(call->rest));
}

static void make_lines(void *context, size_t number)
{
	struct csv_part *part = &((struct csv *)context)->parts[number];
	const struct process *process = part->stream->process;
	struct text text = {0};
	struct event_iter iter;
	struct event event;

	part->process = (uint32_t)(process - part->job->reader->processes);
	text_add(&text, "%" PRIx64 ",", process->world);
	if (process->rank != PROCESS_UNKNOWN)
		text_add(&text, "%" PRIu32, process->rank);
	part->beginning = text_take(&text);
	reader_events(part->job->reader, part->stream, &iter);
	iter.next_chunk = (size_t)(part->chunk - part->stream->chunks);
	while (reader_next(&iter, &event) && iter.chunk == part->chunk)
		if (filter_wants_event(part->job->filter, process, &event))
			add_line(part, &event);
	event_iter_release(&iter);
	for (size_t i = 0; i < part->calls.count; i++) {
		free(part->calls.items[i].middle);
		free(part->calls.items[i].rest);
	}
	array_release(&part->calls);
	free(part->beginning);
}

static enum status write_parts(struct csv *csv)
{
	const struct export_job *job = csv->job;

	parallel_run(job->jobs, csv->count, make_lines, csv);
	for (size_t i = 0; i < csv->count; i++)
		TRY(export_write(&csv->output, &csv->parts[i].text));
	csv->chunks_done += csv->count;
	csv->count = 0;
	if (job->session->progress && !is_standard_output(&csv->output))
		job->session->progress((double)csv->chunks_done / (double)job->reader->chunk_count);
	return OK;
}

static enum status write_stream(struct csv *csv, struct stream *stream)
{
	for (size_t i = 0; i < stream->chunk_count; i++) {
		struct csv_part *part = &csv->parts[csv->count++];
		part->job = csv->job;
		part->time = csv->job->session->time;
		part->stream = stream;
		part->chunk = &stream->chunks[i];
		if (csv->count == csv->most)
			TRY(write_parts(csv));
	}
	return OK;
}

static enum status write_table(struct csv *csv)
{
	struct reader *reader = csv->job->reader;
	struct text *text = &csv->parts[0].text;

	text_add(text, "world,rank,thread,start_ns,end_ns");
	for (size_t i = 0; i < COLUMNS; i++)
		text_add(text, ",%s", columns[i].name);
	text_add(text, ",polls,busy_ns,file,line,function,fields\n");
	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].stream_count; j++)
			if (filter_wants_process(csv->job->filter, &reader->processes[i]))
				TRY(write_stream(csv, &reader->processes[i].streams[j]));
	TRY(write_parts(csv));
	return export_write(&csv->output, text);
}

enum status csv_export(const struct export_job *job)
{
	struct csv *csv = memory_new(1, sizeof *csv);
	enum status status;

	csv->job = job;
	csv->most = job->jobs <= 1                           ? 1
	            : job->jobs < CHUNKS_MAX / CHUNKS_OF_JOB ? CHUNKS_OF_JOB * job->jobs
	                                                     : CHUNKS_MAX;
	status = export_open(job, &csv->output);
	if (status == OK)
		status = export_close(&csv->output, write_table(csv));
	for (size_t i = 0; i < CHUNKS_MAX; i++)
		text_release(&csv->parts[i].text);
	free(csv);
	return status;
}
