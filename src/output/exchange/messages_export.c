#include "analysis/model/figures.h"
#include "analysis/model/relations.h"
#include "base/array.h"
#include "base/memory.h"
#include "output/exchange/export_output.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FLUSH_BYTES = 1 << 16 };

/* Name, file and line of each distinct call of a process, by id. */
struct described_calls {
	ARRAY(char *) texts;
};

struct messages {
	const struct export_job *job;
	struct output output;
	struct text text;
	enum status status; /* of writing; after a failure nothing more is written */
	struct described_calls *processes;
};

static const struct process *process_of(const struct messages *m, const struct occurrence *call)
{
	return &m->job->reader->processes[call->semantics->process];
}

static bool is_wanted(const struct messages *m, const struct occurrence *call)
{
	const struct process *process = process_of(m, call);
	struct event event = {
		.start = (uint64_t)call->start, .end = (uint64_t)call->end, .call = call->semantics->call};

	return filter_wants_process(m->job->filter, process) &&
	       filter_wants_event(m->job->filter, process, &event);
}

static const char *describe(const struct messages *m, const struct occurrence *occurrence)
{
	const struct call *call = occurrence->semantics->call;
	struct described_calls *known = &m->processes[occurrence->semantics->process];
	char **text = &array_extend(&known->texts, (size_t)call->id + 1)->items[call->id];
	struct location where = {0};
	struct text made = {0};

	if (*text)
		return *text;
	if (call->outline->has_site)
		where = symbols_find_call(m->job->source, process_of(m, occurrence), call);
	text_add(&made, ",");
	if (where.file) {
		text_add_csv(&made, where.file);
		text_add(&made, ",%d", where.line);
	} else {
		text_add(&made, ",");
	}
	return *text = text_take(&made);
}

static void add_process(struct messages *m, const struct occurrence *call)
{
	const struct process *process = process_of(m, call);

	text_add(&m->text, ",%" PRIx64 ",", process->world);
	if (process->rank != PROCESS_UNKNOWN)
		text_add(&m->text, "%" PRIu32, process->rank);
	text_add(&m->text, ",%" PRIu32, call->thread);
}

static void add_call(struct messages *m, const struct occurrence *call)
{
	const struct corrected_time *time = m->job->session->time;
	uint32_t process = call->semantics->process;

	text_add(&m->text, ",");
	text_add_csv(&m->text, call->semantics->call->outline->name);
	text_add(&m->text, ",%" PRId64 ",%" PRId64, corrected_ns(time, process, (uint64_t)call->start),
	         corrected_ns(time, process, (uint64_t)call->end));
	text_add(&m->text, "%s", describe(m, call));
}

static void write_full_buffer(struct messages *m)
{
	if (m->text.length < FLUSH_BYTES)
		return;
	if (m->status == OK)
		m->status = export_write(&m->output, &m->text);
	text_clear(&m->text);
}

static void add_message(void *context, const struct occurrence *done, const struct completed_message *message)
{
	struct messages *m = context;
	const struct call_semantics *send = message->send->semantics;
	int64_t comm = 0;

	if (message->is_probed || (!is_wanted(m, message->send) && !is_wanted(m, done)))
		return;
	if (call_field(send->call, FIELD_COMM, &comm))
		text_add(&m->text, "0x%" PRIx64, (uint64_t)comm);
	text_add(&m->text, ",%" PRId64 ",%" PRIu64, (int64_t)send->kind->tag, sent_bytes(send->call));
	add_process(m, message->send);
	add_call(m, message->send);
	add_process(m, done);
	add_call(m, message->post);
	add_call(m, done);
	text_add(&m->text, "\n");
	write_full_buffer(m);
}

static enum status write_messages(struct messages *m)
{
	const struct row_sink sink = {.context = m, .in_ticks = true, .message = add_message};
	struct replay_counts counts;

	text_add(&m->text, "comm,tag,bytes,from_world,from_rank,from_thread,"
	                   "send,send_start_ns,send_end_ns,send_file,send_line,to_world,to_rank,to_thread,"
	                   "post,post_start_ns,post_end_ns,post_file,post_line,"
	                   "done,done_start_ns,done_end_ns,done_file,done_line\n");
	relate(m->job->session, &sink, &counts);
	TRY(m->status);
	return export_write(&m->output, &m->text);
}

enum status messages_export(const struct export_job *job)
{
	size_t count = job->reader->process_count;
	struct messages m = {.job = job};
	enum status status;

	TRY(export_open(job, &m.output));
	m.processes = memory_new(count + 1, sizeof *m.processes);
	status = export_close(&m.output, write_messages(&m));
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < m.processes[i].texts.count; j++)
			free(m.processes[i].texts.items[j]);
		array_release(&m.processes[i].texts);
	}
	free(m.processes);
	text_release(&m.text);
	return status;
}
