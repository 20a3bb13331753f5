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

/* Between the times and the polls: what is said of a distinct call; nothing where the call has none. */
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

static char *describe_rest(const struct csv *csv, const struct process *process, const struct call *call)
{
	struct location where = {0};
	scoped_text text = {0}, fields = {0};

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
			add_column(&text, &columns[i], process, call);
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
