#include "analysis/model/run_spans.h"

#include "analysis/model/processes.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/spans.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "calls/calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool has_life(const struct call *call, enum life_step life)
{
	const struct call_info *info = call_find(call->outline->name);

	return info && info->life == life;
}

bool starts_mpi(const struct call *call)
{
	return has_life(call, LIFE_BEGINS);
}

bool ends_mpi(const struct call *call)
{
	return has_life(call, LIFE_ENDS);
}

static bool is_finalize(const struct call *call)
{
	return strcmp(call->outline->name, all_calls[CALL_Finalize].name) == 0;
}

bool communicates(const struct call *call)
{
	return !is_local_call(call_find(call->outline->name));
}

bool is_users_mark(const struct call *call)
{
	return text_begins(call->outline->name, "tarry_");
}

/* Pauses */

/* Only then the trace has pauses, which may be anywhere. */
static bool may_pause(const struct process *process)
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "selection") == 0 &&
		    (text_begins(process->properties[i].value, "--from") ||
		     text_begins(process->properties[i].value, "--to")))
			return true;
	return false;
}

/* Flags of each distinct call of a process, computed once. */
enum { EVENT_KNOWN = 1, EVENT_ENDS = 2, EVENT_COMMUNICATES = 4 };

struct known_calls {
	unsigned char *items; /* by id */
	size_t count, room;
};

/* Synchronisation among OpenMP threads. */
static bool is_of_team(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	return info && call_is_openmp(info);
}

/* Excludes the user's marks, and the mark of the start of a UPC thread. */
static bool is_call(const struct call *call)
{
	return !is_users_mark(call) && !marks_start(call) && !is_of_team(call);
}

static unsigned look_at_call(struct known_calls *known, const struct event *event)
{
	unsigned char *bits;

	array_extend(known, event->id + 1u);
	assert(known->items);
	bits = &known->items[event->id];
	if (!*bits)
		*bits = (unsigned char)(EVENT_KNOWN | (ends_mpi(event->call) ? EVENT_ENDS : 0) |
		                        (communicates(event->call) ? EVENT_COMMUNICATES : 0));
	return *bits;
}

/* The ends of a thread: its events before and after the run. */
struct thread_ends {
	bool any, has_calls, has_team;
	struct event first; /* of all; the start of MPI, if it precedes all communication */
	struct event last;
	bool has_start, has_end;
	struct event start, finish; /* that start and end MPI */
	uint64_t events;            /* that were read after the first */
};

static void read_head(struct reader *reader, struct stream *stream, struct thread_ends *ends)
{
	struct event_iter iter;
	struct event event;

	reader_events(reader, stream, &iter);
	while (reader_next(&iter, &event)) {
		if (!ends->any)
			ends->first = event;
		ends->any = true;
		ends->has_calls |= is_call(event.call);
		ends->has_team |= is_of_team(event.call);
		ends->has_start = starts_mpi(event.call);
		ends->start = event;
		if (ends->has_start || marks_start(event.call) || communicates(event.call)) {
			event_iter_release(&iter);
			return;
		}
	}
}

/* True: the last communication is known. */
static bool read_tail(struct reader *reader, struct stream *stream, size_t chunk, struct known_calls *known,
                      struct thread_ends *ends)
{
	enum { BATCH = 64 };
	struct event_iter iter;
	struct event events[BATCH];
	unsigned any = 0;
	uint32_t count;

	ends->events = 0;
	ends->has_end = false;
	reader_events(reader, stream, &iter);
	iter.next_chunk = chunk;
	while ((count = reader_next_many(&iter, events, BATCH))) {
		for (uint32_t i = 0; i < count; i++) {
			unsigned bits = look_at_call(known, &events[i]);
			if (bits & EVENT_ENDS && !ends->has_end)
				ends->finish = events[i];
			ends->has_end = bits & EVENT_ENDS || (ends->has_end && !(bits & EVENT_COMMUNICATES));
			any |= bits & (EVENT_ENDS | EVENT_COMMUNICATES);
		}
		ends->last = events[count - 1];
		ends->events += count;
	}
	return any != 0;
}

static struct thread_ends read_ends(struct reader *reader, struct stream *stream, bool reads_all,
                                    struct known_calls *known)
{
	enum { CHUNKS_LOOKED_AT = 4 };
	struct thread_ends ends = {0};
	size_t chunk = reads_all ? 1 : stream->chunk_count;

	read_head(reader, stream, &ends);
	if (!ends.any)
		return ends;
	ends.last = ends.first;
	for (size_t looked = 0; chunk > 0; looked++)
		if (read_tail(reader, stream, --chunk, known, &ends) ||
		    (ends.events && looked >= CHUNKS_LOOKED_AT))
			break;
	return ends;
}

struct span_pass {
	struct reader *reader;
	const struct corrected_time *time;
	struct run_spans *run;
	uint32_t process;
	int64_t last_ns;
	bool any;
};

static int64_t ns_at(const struct span_pass *pass, uint64_t tick)
{
	return corrected_ns(pass->time, pass->process, tick);
}

static int64_t ns_inside(const struct span_pass *pass, const struct event *event)
{
	return interval_ns(ns_at(pass, event->start), ns_at(pass, event->end));
}

/* From the first event to the last of any kind; then the start and end of MPI come from the
 * threads that made them. */
static void widen(struct span_pass *pass, struct process_span *span, const struct thread_ends *ends,
                  uint32_t number, bool is_first)
{
	struct run_spans *run = pass->run;
	int64_t first = ns_at(pass, ends->first.start), last = ns_at(pass, ends->last.end);

	if (!pass->any || first < run->first_ns)
		run->first_ns = first;
	pass->last_ns = !pass->any || last > pass->last_ns ? last : pass->last_ns;
	pass->any = true;
	if (ends->has_start) {
		span->has_start = true;
		span->init_ns = ns_inside(pass, &ends->start);
		span->start = ns_at(pass, ends->start.end);
	} else if (!span->has_start && (is_first || first < span->start)) {
		span->start = first;
	}
	if (ends->has_end) {
		span->has_end = true;
		span->finalize_ns = ns_inside(pass, &ends->finish);
		span->end = ns_at(pass, ends->finish.start);
		span->finalizing_thread = is_finalize(ends->finish.call) ? number + 1 : 0;
	} else if (!span->has_end && (is_first || last > span->end)) {
		span->end = last;
	}
}

static struct thread_span thread_span_of(const struct span_pass *pass, const struct process_span *process,
                                         const struct thread_ends *ends, const struct stream *stream,
                                         bool counts)
{
	struct thread_span span = {.start = process->start, .end = process->start, .counts = counts};
	int64_t first, last;
	size_t next = 0;

	if (!ends->any)
		return span;
	span.has_events = true;
	span.first_tick = ends->first.start;
	span.last_tick = ends->last.end;
	if (!counts)
		return span;
	first = ends->has_start ? process->start : ns_at(pass, ends->first.start);
	last = ends->has_end ? process->end : ns_at(pass, ends->last.end);
	span.start = first > process->start ? first : process->start;
	span.end = last < process->end ? last : process->end;
	if (span.end < span.start)
		span.end = span.start;
	span.time_ns = interval_ns(span.start, span.end);
	span.time_ns -= paused_between(stream, pass->time, pass->process, span.start, span.end, &next);
	return span;
}

/* As far as its events were read through. Calls of one function mostly follow each other, and names are interned. */
static uint64_t count_calls(const struct process *process)
{
	const char *name = NULL;
	bool counts = false;
	uint64_t calls = 0;

	for (uint32_t i = 0; process->call_counts && i < process->calls.count; i++) {
		const struct call *call = process->calls.items[i];
		if (call->outline->name != name)
			counts = is_call(call);
		name = call->outline->name;
		calls += counts ? process->call_counts[i] : 0;
	}
	return calls;
}

static void look_at_process(struct span_pass *pass)
{
	struct process *process = &pass->reader->processes[pass->process];
	struct process_span *span = &pass->run->processes[pass->process];
	struct thread_ends *ends = memory_new(process->stream_count + 1, sizeof *ends);
	struct known_calls known = {0};
	bool reads_all = may_pause(process), any = false, has_calls = false, has_team = false;

	pass->run->calls += count_calls(process);
	for (size_t i = 0; i < process->stream_count; i++) {
		ends[i] = read_ends(pass->reader, &process->streams[i], reads_all, &known);
		if (ends[i].any)
			widen(pass, span, &ends[i], (uint32_t)i, !any);
		any |= ends[i].any;
		has_calls |= ends[i].has_calls;
		has_team |= ends[i].has_team;
	}
	if (span->end < span->start)
		span->end = span->start;
	for (size_t i = 0; i < process->stream_count; i++) {
		struct thread_span *thread = &pass->run->threads[span->first_thread + i];
		*thread = thread_span_of(pass, span, &ends[i], &process->streams[i],
		                         has_calls ? ends[i].has_calls : !has_team || i == 0);
		span->counted_threads += thread->counts;
		pass->run->time_ns = saturating_add(pass->run->time_ns, thread->time_ns);
	}
	if (process->stream_count) {
		size_t next = 0;
		span->length_ns = interval_ns(span->start, span->end) -
		                  paused_between(&process->streams[0], pass->time, pass->process, span->start,
		                                 span->end, &next);
	}
	array_release(&known);
	free(ends);
}

static void add_up(struct run_spans *run, const struct process_span *span)
{
	run->length_ns = span->length_ns > run->length_ns ? span->length_ns : run->length_ns;
	run->init_ns = saturating_add(run->init_ns, span->init_ns);
	run->finalize_ns = saturating_add(run->finalize_ns, span->finalize_ns);
}

static void add_last_wait(struct run_spans *run, struct process_span *process, int64_t last)
{
	struct thread_span *thread;
	int64_t waits;

	if (!process->finalizing_thread)
		return;
	thread = &run->threads[process->first_thread + process->finalizing_thread - 1];
	waits = min_ns(interval_ns(process->end, last), process->finalize_ns);
	process->end += waits;
	process->length_ns = saturating_add(process->length_ns, waits);
	process->finalize_ns -= waits;
	if (!thread->counts)
		return;
	thread->end = process->end;
	thread->waits_ns = waits;
	thread->time_ns = saturating_add(thread->time_ns, waits);
	run->time_ns = saturating_add(run->time_ns, waits);
}

/* Sums of all; the leader also gets the spans of the others. */
static void share_spans(struct span_pass *pass, struct session_peers *peers, struct rank_range owned)
{
	struct run_spans *run = pass->run;
	int64_t sums[] = {run->time_ns, (int64_t)run->calls};
	int64_t ends[] = {pass->any ? run->first_ns : INT64_MAX, pass->any ? -pass->last_ns : INT64_MAX};
	struct text mine = {0}, *all;

	for (uint32_t i = owned.first; i < owned.end && !peers_lead(peers); i++) {
		const struct process_span *span = &run->processes[i];
		PACK(&mine, *span);
		text_add_bytes(&mine, (const char *)&run->threads[span->first_thread],
		               span->thread_count * sizeof *run->threads);
	}
	all = peers_gather(peers, &mine);
	for (uint32_t peer = 1, i = owned.end; peer < peers->count && peers_lead(peers); peer++) {
		struct cursor in = unpack_begin(&all[peer]);
		for (; cursor_left(&in) && i < run->process_count; i++) {
			struct process_span *span = &run->processes[i];
			(void)UNPACK(&in, span);
			(void)unpack_bytes(&in, &run->threads[span->first_thread],
			                   span->thread_count * sizeof *run->threads);
		}
	}
	peers_free_blocks(peers, all);
	peers_combine(peers, PEERS_SUM, sums, 2);
	peers_combine(peers, PEERS_MIN, ends, 2);
	run->time_ns = sums[0];
	run->calls = (uint64_t)sums[1];
	pass->any = ends[0] != INT64_MAX;
	run->first_ns = pass->any ? ends[0] : 0;
	pass->last_ns = pass->any ? -ends[1] : 0;
}

/* Totals, which only the leader can compute. */
static void share_totals(struct run_spans *run, struct session_peers *peers)
{
	int64_t totals[] = {run->length_ns, run->time_ns, run->init_ns, run->finalize_ns};
	const size_t count = sizeof totals / sizeof *totals;

	for (size_t i = 0; i < count && !peers_lead(peers); i++)
		totals[i] = INT64_MIN;
	peers_combine(peers, PEERS_MAX, totals, count);
	run->length_ns = totals[0];
	run->time_ns = totals[1];
	run->init_ns = totals[2];
	run->finalize_ns = totals[3];
}

/* Processes of one world are neighbours. Until its last one comes to MPI_Finalize, the others wait there. */
static void add_last_waits(struct run_spans *run, const struct reader *reader)
{
	for (size_t first = 0, end; first < reader->process_count; first = end) {
		int64_t last = INT64_MIN;
		for (end = first; end < reader->process_count &&
		                  reader->processes[end].world == reader->processes[first].world;
		     end++)
			if (run->processes[end].finalizing_thread)
				last = max_ns(last, run->processes[end].end);
		for (size_t i = first; i < end; i++)
			add_last_wait(run, &run->processes[i], last);
	}
}

struct run_spans *run_spans_new(struct reader *reader, const struct corrected_time *time,
                                struct session_peers *peers)
{
	struct run_spans *run = memory_new(1, sizeof *run);
	struct span_pass pass = {.reader = reader, .time = time, .run = run};
	struct rank_range owned = {0, (uint32_t)reader->process_count};
	uint32_t threads = 0;

	run->process_count = (uint32_t)reader->process_count;
	run->processes = memory_new(reader->process_count + 1, sizeof *run->processes);
	for (size_t i = 0; i < reader->process_count; i++) {
		run->processes[i].first_thread = threads;
		run->processes[i].thread_count = (uint32_t)reader->processes[i].stream_count;
		threads += run->processes[i].thread_count;
	}
	run->threads = memory_new(threads + 1u, sizeof *run->threads);
	if (peers)
		owned = peers_range(peers, reader->process_count, peers->own);
	for (pass.process = owned.first; pass.process < owned.end; pass.process++)
		look_at_process(&pass);
	if (peers)
		share_spans(&pass, peers, owned);
	add_last_waits(run, reader);
	for (size_t i = 0; i < reader->process_count; i++)
		add_up(run, &run->processes[i]);
	if (peers)
		share_totals(run, peers);
	run->elapsed_ns = pass.any ? interval_ns(run->first_ns, pass.last_ns) : 0;
	return run;
}

int64_t mean_of_threads(const struct process_span *process, int64_t sum_ns)
{
	return process->counted_threads ? sum_ns / process->counted_threads : sum_ns;
}

void run_spans_free(struct run_spans *run)
{
	if (!run)
		return;
	free(run->processes);
	free(run->threads);
	free(run);
}
