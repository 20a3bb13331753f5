#include "analysis/model/figures.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/earliest.h"
#include "analysis/model/gaps.h"
#include "analysis/model/marks.h"
#include "analysis/model/processes.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/spans.h"
#include "analysis/model/team_time.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

enum { PHASES_MAX = 1024, AT_A_TIME = 64 };

/* Facts about a distinct call, independent of its events. */
struct call_facts {
	bool is_known, is_mark, is_users, is_start, is_local, delays_computing, is_mpi, prepares, starts;
	bool is_plain;                  /* none of these but is_known and is_mpi */
	const struct call_info *openmp; /* NULL: it is none of OpenMP */
	uint32_t place;                 /* for the search of iterations */
	uint32_t phase, slot;           /* the last used total, and its phase */
};

/* Time of a thread in a phase, without nested phases. */
struct phase_time_sum {
	int64_t computing, communication, tool;
	uint64_t calls, times;
	bool was_in;
};

struct nested_region {
	const char *name;
	uint32_t phase;
};

struct thread_cursor {
	struct stream *stream;
	const struct thread_span *span;
	struct event_iter iter;
	struct event events[AT_A_TIME]; /* already read */
	uint32_t event_count, event_number;
	const struct event *event; /* the current one; NULL: at the end */
	bool is_past_gap;
	int64_t now;        /* its time is accounted for up to here */
	int64_t tool;       /* of the recorder since then */
	int64_t scheduling; /* without a CPU since then */
	int64_t blocked;    /* in the kernel since then */
	size_t pause;
	int64_t paused; /* so far, in `run` */
	uint32_t phase;
	struct phase_time_sum *in_phase;     /* the time in the phase */
	int64_t computing, communication;    /* so far */
	int64_t without_processor;           /* of both */
	struct computing_parts parts;        /* of computing */
	ARRAY(struct nested_region) regions; /* the innermost last */
	ARRAY(struct phase_time_sum) times;  /* by phase */
};

/* Totals of a phase over processes. */
struct phase_sums {
	double computing, longest, length;
};

struct figures_pass {
	struct figures *figures;
	struct reader *reader;
	const struct corrected_time *time;
	void (*progress)(double part);
	size_t chunks_done;
	uint64_t reads;
	struct interner names, places;
	struct map phase_numbers; /* by parent and name */
	struct iteration_search *search;
	/* the current process */
	struct process *process;
	uint32_t number;
	uint32_t phase; /* of the process, until the next phase */
	uint64_t lost;
	ARRAY(struct call_facts) facts; /* by the call's id */
	struct map slots;               /* by call and phase */
	struct map requests;            /* of prepared requests: the call's id */
	struct thread_cursor *threads;
	size_t thread_count;
	struct earliest order;
	struct clock_piece clock;
	struct shifts *shifts;   /* NULL: none */
	struct team_time *teams; /* NULL: none yet */
	/* over processes */
	double computing, longest;
	bool knows_teams;
	double useful, capacity;       /* of the threads of OpenMP teams */
	ARRAY(struct phase_sums) sums; /* by phase */
};

static bool is_access(const struct call_info *info)
{
	return info && info->pgas == PGAS_ACCESS;
}

static bool goes_nowhere(const struct call *call)
{
	return field_or(call, FIELD_PEER, 0) == RANK_NULL || field_or(call, FIELD_TARGET, 0) == RANK_NULL;
}

uint64_t call_bytes(const struct call *call)
{
	int64_t bytes;

	if (goes_nowhere(call))
		return 0;
	if (call_field(call, FIELD_SENT, &bytes) ||
	    (is_access(call_find(call->outline->name)) && call_field(call, FIELD_RECEIVED, &bytes)))
		return bytes > 0 ? (uint64_t)bytes : 0;
	return 0;
}

/* The groups of several requests may add up. */
static uint64_t received_bytes(const struct call *call)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_RECEIVED && field_value_at(call, i) > 0)
			bytes += (uint64_t)field_value_at(call, i);
	return bytes;
}

/* The same for calls of one function from one place. */
static uint32_t place_of(struct figures_pass *pass, const struct call *call)
{
	const struct call_identity key = call_identity(call);

	return (uint32_t)intern(&pass->places, &key, sizeof key)->number;
}

static void learn_facts(struct figures_pass *pass, const struct call *call, uint32_t id)
{
	const struct call_info *info = call_find(call->outline->name);
	struct call_facts *facts = &array_extend(&pass->facts, (size_t)id + 1)->items[id];

	*facts = (struct call_facts){
		.is_known = true,
		.is_mark = mark_kind(call) != MARK_NONE,
		.is_users = is_users_mark(call),
		.is_start = marks_start(call),
		.is_local = is_local_call(info),
		.delays_computing = delays_computing(info),
		.openmp = info && call_is_openmp(info) ? info : NULL,
		.is_mpi = info,
		.prepares = info && info->persistent,
		.starts = info && info->starts,
		.phase = UINT32_MAX,
	};
	facts->is_plain = !facts->is_mark && !facts->is_users && !facts->is_start && !facts->is_local &&
	                  !facts->delays_computing && !facts->prepares && !facts->starts && !facts->openmp;
	if (!facts->is_local)
		facts->place = place_of(pass, call);
}

static inline struct call_facts *find_facts(struct figures_pass *pass, const struct call *call, uint32_t id)
{
	if (id >= pass->facts.count || !pass->facts.items[id].is_known)
		learn_facts(pass, call, id);
	return &pass->facts.items[id];
}

static uint32_t find_phase(struct figures_pass *pass, uint32_t parent, const char *name)
{
	struct figures *figures = pass->figures;
	const struct interned *known = intern(&pass->names, name, strlen(name));
	uint32_t *number = map_put(&pass->phase_numbers, map_key(parent, known->number));
	const struct phase_figures *around = parent ? &figures->phases[parent - 1] : NULL;

	if (*number != MAP_NONE)
		return *number;
	/* Names generated in a loop must not cost more than the trace itself. */
	*number = parent;
	if (figures->phase_count == PHASES_MAX)
		return parent;
	*number = figures->phase_count + 1;
	arena_add(&figures->arena, figures->phases, figures->phase_count,
	          (struct phase_figures){
			  .name = (const char *)known->bytes,
			  .path = around ? arena_format(&figures->arena, "%s" REGION_SEPARATOR "%s",
	                                                around->path, name)
	                                 : (const char *)known->bytes,
			  .parent = parent,
			  .depth = around ? around->depth + 1 : 0,
		  });
	return figures->phase_count;
}

static struct phase_time_sum *time_in(struct thread_cursor *thread, uint32_t phase)
{
	return &array_extend(&thread->times, phase + 1u)->items[phase];
}

static void enter_phase(struct figures_pass *pass, struct thread_cursor *thread)
{
	thread->phase = thread->regions.count ? thread->regions.items[thread->regions.count - 1].phase
	                                      : pass->phase;
	thread->in_phase = time_in(thread, thread->phase);
	thread->in_phase->was_in = true;
}

static inline int64_t ns_at(struct figures_pass *pass, uint64_t tick)
{
	int64_t ns = clock_piece_ns(&pass->clock, tick);

	return pass->shifts ? ns + shift_at(pass->shifts, ns, true) : ns;
}

static inline int64_t within(const struct thread_span *span, int64_t ns)
{
	return min_ns(max_ns(ns, span->start), span->end);
}

/* A thread's time without a processor is limited to `length`; the rest stays for later spans. Returns it. */
static inline int64_t add_scheduling(struct figures_pass *pass, struct thread_cursor *thread, int64_t length)
{
	int64_t scheduling = min_ns(thread->scheduling, length);

	if (!scheduling)
		return 0;
	pass->figures->scheduling_ns += (double)scheduling;
	thread->without_processor = saturating_add(thread->without_processor, scheduling);
	thread->scheduling -= scheduling;
	return scheduling;
}

/* The parts of some computing, which the records before the next call tell. */
static inline void add_parts(struct figures_pass *pass, struct thread_cursor *thread, int64_t length)
{
	const int64_t ready = add_scheduling(pass, thread, length),
		      blocked = min_ns(thread->blocked, length - ready);

	thread->parts.ready_ns = saturating_add(thread->parts.ready_ns, ready);
	thread->parts.blocked_ns = saturating_add(thread->parts.blocked_ns, blocked);
	thread->scheduling = thread->blocked = 0;
}

/* Counts the time since the last visit of the thread as computation. */
static inline void compute_until(struct figures_pass *pass, struct thread_cursor *thread, int64_t until)
{
	struct phase_time_sum *sum = thread->in_phase;
	int64_t from = within(thread->span, thread->now), to = within(thread->span, until);
	int64_t length = interval_ns(from, to), tool;

	if (until > thread->now)
		thread->now = until;
	if (length && thread->stream->pause_count) {
		int64_t paused = paused_between(thread->stream, pass->time, pass->number, from, to,
		                                &thread->pause);
		thread->paused += paused;
		length -= paused;
	}
	tool = thread->tool < length ? thread->tool : length;
	thread->tool = 0;
	sum->tool += tool;
	sum->computing += length - tool;
	thread->computing += length - tool;
	if (thread->scheduling | thread->blocked)
		add_parts(pass, thread, length - tool);
}

/* After lost chunks, the time before is unknown. */
static void pass_gap(struct figures_pass *pass, struct thread_cursor *thread, int64_t start)
{
	int64_t length = interval_ns(within(thread->span, thread->now), within(thread->span, start));

	thread->is_past_gap = true;
	if (start <= thread->now)
		return;
	pass->figures->unrecorded_ns = saturating_add(pass->figures->unrecorded_ns, length);
	thread->now = start;
	thread->tool = thread->scheduling = thread->blocked = 0;
}

/* Between consecutive unsuccessful tests the thread computes. */
static void communicate(struct figures_pass *pass, struct thread_cursor *thread, int64_t start, int64_t end)
{
	const struct event *event = thread->event;
	struct phase_time_sum *sum = thread->in_phase;
	int64_t from, inside;

	compute_until(pass, thread, start);
	from = within(thread->span, start > thread->now ? start : thread->now);
	inside = interval_ns(from, within(thread->span, end));
	if (event->polls) {
		int64_t busy = interval_ns(start, ns_at(pass, event->start + event->busy));
		int64_t between = inside > busy ? inside - busy : 0;
		sum->computing += between;
		thread->computing += between;
		inside -= between;
	}
	sum->communication += inside;
	sum->calls += event->polls ? event->polls : 1;
	thread->communication += inside;
	thread->now = end > thread->now ? end : thread->now;
	thread->scheduling = (int64_t)event->delay_inside * NS_PER_US;
	add_scheduling(pass, thread, inside);
	/* Consecutive tests are one event, which also has the time that the thread lost
	 * after the last of them. */
	if (!event->polls)
		thread->scheduling = 0;
}

static struct site_total *add_site(struct figures_pass *pass, const struct call *call, uint32_t phase)
{
	struct figures *figures = pass->figures;
	struct call_facts *facts = &pass->facts.items[call->id];
	uint32_t *slot = map_put(&pass->slots, map_key(call->id, phase));
	if (*slot == MAP_NONE) {
		*slot = (uint32_t)figures->site_count;
		array_fit(figures->sites, figures->site_room, figures->site_count + 1);
		figures->sites[figures->site_count++] = (struct site_total){
			.process = pass->number, .phase = phase, .call = call, .is_local = facts->is_local};
	}
	facts->phase = phase;
	facts->slot = *slot;
	return &figures->sites[*slot];
}

static inline struct site_total *find_site(struct figures_pass *pass, const struct call *call, uint32_t phase)
{
	const struct call_facts *facts = &pass->facts.items[call->id];

	return facts->phase == phase ? &pass->figures->sites[facts->slot] : add_site(pass, call, phase);
}

static void start_requests(struct figures_pass *pass, const struct event *event, uint32_t phase)
{
	for (uint32_t i = 0; i < field_count(event->call); i++) {
		const uint32_t *id = field_key_at(event->call, i) == FIELD_REQUEST
		                             ? map_find(&pass->requests,
		                                        map_key((uint64_t)field_value_at(event->call, i), 0))
		                             : NULL;
		if (id)
			find_site(pass, pass->process->calls.items[*id], phase)->starts++;
	}
}

static void add_to_site(struct figures_pass *pass, const struct thread_cursor *thread,
                        const struct call_facts *facts, int64_t start, int64_t end)
{
	const struct event *event = thread->event;
	struct site_total *site = find_site(pass, event->call, thread->phase);
	uint64_t calls = event->polls ? event->polls : 1;
	int64_t inside = interval_ns(start, end);

	if (event->polls) {
		int64_t busy = interval_ns(start, ns_at(pass, event->start + event->busy));
		inside = busy < inside ? busy : inside;
	}
	site->count += calls;
	site->starts += facts->prepares ? 0 : calls;
	site->inside_ns = saturating_add(site->inside_ns, inside);
	end = within(thread->span, end);
	start = within(thread->span, start);
	site->run_ns = saturating_add(site->run_ns,
	                              interval_ns(start, end) < inside ? interval_ns(start, end) : inside);
	pass->figures->calls += calls;
	pass->figures->ranks[pass->number].calls += facts->is_mpi ? calls : 0;
	if (facts->prepares) {
		int64_t request;
		if (call_field(event->call, FIELD_REQUEST, &request))
			*map_put(&pass->requests, map_key((uint64_t)request, 0)) = event->id;
	}
	if (facts->starts)
		start_requests(pass, event, thread->phase);
}

/* For the process: all its threads continue in the phase, unless they are in a region. */
static void change_phase(struct figures_pass *pass, struct thread_cursor *thread, uint32_t phase, int64_t ns)
{
	pass->phase = phase;
	for (size_t i = 0; i < pass->thread_count; i++) {
		if (pass->threads[i].regions.count || !pass->threads[i].event)
			continue;
		compute_until(pass, &pass->threads[i], ns);
		enter_phase(pass, &pass->threads[i]);
	}
	if (pass->phase)
		time_in(thread, pass->phase)->times++;
	thread->in_phase = time_in(thread, thread->phase);
}

static void take_mark(struct figures_pass *pass, struct thread_cursor *thread, int64_t start)
{
	const struct call *call = thread->event->call;
	enum mark_kind kind = mark_kind(call);
	const char *name = mark_name(pass->reader, call);

	compute_until(pass, thread, start);
	if (kind == MARK_REGION_BEGIN && name) {
		uint32_t phase = find_phase(pass, thread->phase, name);
		array_add(&thread->regions, (struct nested_region){name, phase});
		enter_phase(pass, thread);
		thread->in_phase->times++;
	} else if (kind == MARK_REGION_END && name) {
		size_t depth = thread->regions.count;
		/* Also ends nested regions that were not ended. */
		while (depth && strcmp(thread->regions.items[depth - 1].name, name) != 0)
			depth--;
		if (depth)
			thread->regions.count = depth - 1;
		enter_phase(pass, thread);
	} else if (kind == MARK_PHASE && name) {
		change_phase(pass, thread, find_phase(pass, 0, name), start);
	} else if (kind == MARK_LEVEL_END && pass->phase &&
	           is_level(pass->figures->phases[pass->phase - 1].name)) {
		change_phase(pass, thread, 0, start);
	}
}

static void follow_team(struct figures_pass *pass, struct thread_cursor *thread, const struct call_info *info,
                        int64_t start, int64_t end)
{
	const struct process_span *span = &pass->figures->run->processes[pass->number];

	if (!pass->teams)
		pass->teams = team_time_new((uint32_t)pass->thread_count);
	team_time_event(pass->teams, (uint32_t)(thread - pass->threads), info, thread->event->call,
	                max_ns(start, span->start), min_ns(end, span->end));
}

/* Nothing happens besides a call in the run, after the previous one: so are most events. */
static inline bool is_plain(const struct figures_pass *pass, const struct thread_cursor *thread,
                            const struct call_facts *facts, int64_t start, int64_t end)
{
	const struct event *event = thread->event;

	return facts->is_plain &&
	       !(event->polls | event->tool_before | event->delay_before | event->delay_inside |
	         event->blocked_before) &&
	       !(thread->tool | thread->scheduling | thread->blocked) && event->start < pass->lost &&
	       !thread->stream->pause_count && thread->now >= thread->span->start && start >= thread->now &&
	       end >= start && end <= thread->span->end;
}

/* The same result as by take_event(), in half of the instructions. */
static inline void take_plain_event(struct figures_pass *pass, struct thread_cursor *thread,
                                    const struct call_facts *facts, int64_t start, int64_t end)
{
	const struct call *call = thread->event->call;
	struct site_total *site = find_site(pass, call, thread->phase);
	int64_t inside = interval_ns(start, end), before = interval_ns(thread->now, start);

	site->count++;
	site->starts++;
	site->inside_ns = saturating_add(site->inside_ns, inside);
	site->run_ns = saturating_add(site->run_ns, inside);
	pass->figures->calls++;
	pass->figures->ranks[pass->number].calls += facts->is_mpi;
	thread->in_phase->computing += before;
	thread->in_phase->communication += inside;
	thread->in_phase->calls++;
	thread->computing += before;
	thread->communication += inside;
	thread->now = end;
	iteration_search_note(pass->search, facts->place, (uint32_t)(thread - pass->threads), call, end,
	                      thread->computing);
}

static void take_event(struct figures_pass *pass, struct thread_cursor *thread)
{
	struct figures *figures = pass->figures;
	const struct event *event = thread->event;
	struct call_facts *facts = find_facts(pass, event->call, event->id);
	int64_t start = ns_at(pass, event->start), end = ns_at(pass, event->end);

	figures->events++;
	if (is_plain(pass, thread, facts, start, end)) {
		take_plain_event(pass, thread, facts, start, end);
		return;
	}
	if (event->tool_before)
		figures->overhead_ns += 1e3 * event->tool_before;
	thread->tool += (int64_t)event->tool_before * NS_PER_US;
	thread->scheduling += ((int64_t)event->delay_before +
	                       (facts->delays_computing ? event->delay_inside : 0)) *
	                      NS_PER_US;
	thread->blocked += (int64_t)event->blocked_before * NS_PER_US;
	if (event->start >= pass->lost && !thread->is_past_gap)
		pass_gap(pass, thread, start);
	if (facts->is_mark)
		take_mark(pass, thread, start);
	if (facts->is_users) {
		figures->marks++;
	} else if (!facts->is_start) {
		add_to_site(pass, thread, &pass->facts.items[event->id], start, end);
		if (facts->openmp)
			follow_team(pass, thread, facts->openmp, start, end);
		if (!facts->is_local) {
			communicate(pass, thread, start, end);
			if (start >= thread->span->start && end <= thread->span->end)
				iteration_search_note(pass->search, facts->place,
				                      (uint32_t)(thread - pass->threads), event->call,
				                      end - thread->paused, thread->computing);
		}
	}
}

static void read_next(struct figures_pass *pass, struct thread_cursor *thread)
{
	if (++thread->event_number < thread->event_count) {
		thread->event = &thread->events[thread->event_number];
		return;
	}
	thread->event_number = 0;
	thread->event_count = reader_next_many(&thread->iter, thread->events, AT_A_TIME);
	thread->event = thread->event_count ? thread->events : NULL;
	if (!thread->event)
		pass->chunks_done += thread->stream->chunk_count;
	else if (pass->progress && (pass->reads++ & 1023) == 0)
		pass->progress((double)(pass->chunks_done + thread->iter.next_chunk) /
		               (double)pass->reader->chunk_count);
}

static void begin_process(struct figures_pass *pass, uint32_t number)
{
	const struct process_span *span = &pass->figures->run->processes[number];
	const struct clocks *clocks = pass->time->clocks;

	pass->number = number;
	pass->process = &pass->reader->processes[number];
	pass->phase = 0;
	pass->lost = lost_since(pass->process);
	pass->clock = clock_piece_new(&clocks->lines[clocks->line_of[number]]);
	pass->shifts = pass->time->shifts[number].count ? &pass->time->shifts[number] : NULL;
	pass->thread_count = pass->process->stream_count;
	pass->threads = memory_new(pass->thread_count + 1, sizeof *pass->threads);
	pass->order.items = memory_new(pass->thread_count + 1, sizeof *pass->order.items);
	for (size_t i = 0; i < pass->thread_count; i++) {
		struct thread_cursor *thread = &pass->threads[i];
		thread->stream = &pass->process->streams[i];
		thread->span = &pass->figures->run->threads[span->first_thread + i];
		thread->now = thread->span->start;
		enter_phase(pass, thread);
		reader_events(pass->reader, thread->stream, &thread->iter);
		read_next(pass, thread);
		if (thread->event)
			earliest_add(&pass->order, (uint32_t)i, thread->event->start, 0);
	}
}

/* The mean over the threads that were in it. */
static void add_phase(struct figures_pass *pass, uint32_t phase)
{
	struct phase_figures *figures = &pass->figures->phases[phase - 1];
	struct phase_sums *sums = &array_extend(&pass->sums, phase + 1u)->items[phase];
	double computing = 0, time = 0, threads = 0;

	for (size_t i = 0; i < pass->thread_count; i++) {
		const struct phase_time_sum *sum = time_in(&pass->threads[i], phase);
		threads += sum->was_in && pass->threads[i].span->counts;
		computing += (double)sum->computing;
		time += (double)(sum->computing + sum->communication + sum->tool);
		figures->computing_ns = saturating_add(figures->computing_ns, sum->computing);
		figures->communication_ns = saturating_add(figures->communication_ns, sum->communication);
		figures->calls += sum->calls;
		figures->times += sum->times;
	}
	if (!threads)
		return;
	figures->processes++;
	figures->time_ns = saturating_add(figures->time_ns, (int64_t)time);
	computing /= threads;
	time /= threads;
	sums->computing += computing;
	sums->longest = computing > sums->longest ? computing : sums->longest;
	sums->length = time > sums->length ? time : sums->length;
}

static void add_rank(struct figures_pass *pass)
{
	const struct process_span *span = &pass->figures->run->processes[pass->number];
	struct rank_figures *rank = &pass->figures->ranks[pass->number];
	struct computing_parts parts = {0};
	int64_t computing = 0, communication = 0, without_processor = 0;

	for (size_t i = 0; i < pass->thread_count; i++) {
		computing = saturating_add(computing, pass->threads[i].computing);
		communication = saturating_add(communication, pass->threads[i].communication);
		without_processor = saturating_add(without_processor, pass->threads[i].without_processor);
		parts.ready_ns = saturating_add(parts.ready_ns, pass->threads[i].parts.ready_ns);
		parts.blocked_ns = saturating_add(parts.blocked_ns, pass->threads[i].parts.blocked_ns);
	}
	rank->length_ns = span->length_ns;
	rank->computing_ns = mean_of_threads(span, computing);
	rank->communication_ns = mean_of_threads(span, communication);
	rank->without_processor_ns = mean_of_threads(span, without_processor);
	rank->parts = (struct computing_parts){mean_of_threads(span, parts.ready_ns),
	                                       mean_of_threads(span, parts.blocked_ns)};
	pass->figures->parts.ready_ns = saturating_add(pass->figures->parts.ready_ns, parts.ready_ns);
	pass->figures->parts.blocked_ns = saturating_add(pass->figures->parts.blocked_ns, parts.blocked_ns);
	rank->init_ns = span->init_ns;
	rank->finalize_ns = span->finalize_ns;
	rank->counted = counted_work_of(pass->process);
	counted_work_add(&pass->figures->counted, &rank->counted);
	pass->computing += (double)rank->computing_ns;
	if ((double)rank->computing_ns > pass->longest)
		pass->longest = (double)rank->computing_ns;
}

/* Threads that make MPI calls themselves are not workers of a team. */
static void add_teams(struct figures_pass *pass)
{
	const struct process_span *span = &pass->figures->run->processes[pass->number];
	double computing = (double)pass->figures->ranks[pass->number].computing_ns;
	struct hybrid_efficiency *hybrid = &pass->figures->hybrid;
	struct team_use use = {.is_known = true, .threads = 1};

	if (pass->teams) {
		use = team_time_end(pass->teams);
		hybrid->has_teams = true;
		pass->knows_teams &= use.is_known && span->counted_threads == 1 && pass->lost == UINT64_MAX;
		pass->teams = NULL;
	}
	pass->useful += computing - (double)use.waiting_ns + (double)use.helping_ns;
	pass->capacity += computing * use.threads;
	hybrid->threads += use.threads;
}

static int64_t ticks_ns(struct figures_pass *pass, uint64_t ticks)
{
	return interval_ns(clock_piece_ns(&pass->clock, 0), clock_piece_ns(&pass->clock, ticks));
}

/* Calls without events: their time has been counted as computation so far. */
static void add_sums(struct figures_pass *pass, struct thread_cursor *thread)
{
	struct figures *figures = pass->figures;
	int64_t inside_all = 0;

	for (size_t i = 0; i < thread->stream->summed_count; i++) {
		const struct summed_calls *summed = &thread->stream->summed[i];
		const struct call_sums *sums = &summed->sums;
		const struct call_facts *facts = find_facts(pass, summed->call, summed->call->id);
		struct site_total *site = find_site(pass, summed->call, 0);
		int64_t inside = ticks_ns(pass, sums->inside), shortest = ticks_ns(pass, sums->shortest);
		double waited = (double)inside - (double)sums->count * (double)shortest;

		site->sums = sums;
		site->count += sums->count;
		site->starts += facts->prepares ? 0 : sums->count;
		site->inside_ns = saturating_add(site->inside_ns, inside);
		site->run_ns = saturating_add(site->run_ns, inside);
		if (!facts->is_local && waited > 0)
			site->waited_ns = saturating_add(site->waited_ns, (int64_t)waited);
		figures->calls += sums->count;
		figures->ranks[pass->number].calls += facts->is_mpi ? sums->count : 0;
		if (!facts->is_local)
			inside_all = saturating_add(inside_all, inside);
	}
	inside_all = min_ns(inside_all, thread->computing);
	thread->computing -= inside_all;
	thread->communication += inside_all;
	time_in(thread, 0)->computing -= inside_all;
	time_in(thread, 0)->communication += inside_all;
}

static void end_process(struct figures_pass *pass)
{
	struct figures *figures = pass->figures;

	for (size_t i = 0; i < pass->thread_count; i++) {
		struct thread_cursor *thread = &pass->threads[i];
		compute_until(pass, thread, thread->span->end);
		if (thread->stream->summed_count)
			add_sums(pass, thread);
		for (size_t j = 0; j < thread->times.count; j++)
			figures->tool_ns = saturating_add(figures->tool_ns, thread->times.items[j].tool);
		figures->computing_ns = saturating_add(figures->computing_ns, thread->computing);
		figures->communication_ns = saturating_add(figures->communication_ns, thread->communication);
		/* Including nested phases, which follow it. */
		for (size_t k = thread->times.count; k-- > 1;) {
			const struct phase_time_sum *own = &thread->times.items[k];
			struct phase_time_sum *around = time_in(thread, figures->phases[k - 1].parent);
			if (!figures->phases[k - 1].parent)
				continue;
			around->computing += own->computing;
			around->communication += own->communication;
			around->tool += own->tool;
			around->calls += own->calls;
			around->was_in |= own->was_in;
		}
	}
	for (uint32_t i = 1; i <= figures->phase_count; i++)
		add_phase(pass, i);
	add_rank(pass);
	add_teams(pass);
	iteration_search_end_process(pass->search, pass->figures->ranks[pass->number].length_ns);
	for (size_t i = 0; i < pass->thread_count; i++) {
		array_release(&pass->threads[i].regions);
		array_release(&pass->threads[i].times);
	}
	free(pass->threads);
	free(pass->order.items);
	array_release(&pass->facts);
	map_release(&pass->slots);
	map_release(&pass->requests);
	pass->slots = pass->requests = (struct map){0};
}

uint64_t sent_bytes(const struct call *call)
{
	int64_t sent = field_or(call, FIELD_SENT, 0);

	return sent > 0 && !goes_nowhere(call) ? (uint64_t)sent : 0;
}

uint64_t site_bytes(const struct site_total *site)
{
	return site->sums ? site->sums->sent : call_bytes(site->call) * site->starts;
}

static void find_efficiencies(struct figures_pass *pass)
{
	struct figures *figures = pass->figures;
	struct hybrid_efficiency *hybrid = &figures->hybrid;

	figures->efficiency = efficiency_of((double)pass->reader->process_count, pass->computing,
	                                    pass->longest, (double)figures->run->length_ns);
	hybrid->is_known = figures->efficiency.is_known && hybrid->has_teams && pass->knows_teams &&
	                   pass->capacity > 0;
	if (hybrid->is_known) {
		hybrid->openmp = pass->useful < pass->capacity ? pass->useful / pass->capacity : 1;
		hybrid->parallel = figures->efficiency.parallel * hybrid->openmp;
	}
	for (uint32_t i = 0; i < figures->phase_count; i++) {
		const struct phase_sums *sums = &array_extend(&pass->sums, i + 2u)->items[i + 1];
		figures->phases[i].length_ns = (int64_t)sums->length;
		figures->phases[i].efficiency = efficiency_of((double)figures->phases[i].processes,
		                                              sums->computing, sums->longest, sums->length);
	}
}

struct figures *figures_new(struct analysis_session *session)
{
	struct figures *figures = memory_new(1, sizeof *figures);
	struct reader *reader = session->reader;
	struct figures_pass pass = {.figures = figures,
	                            .reader = reader,
	                            .time = session->time,
	                            .progress = session->progress,
	                            .knows_teams = true};

	figures->run = session_run_spans(session);
	figures->comms = session->comms;
	figures->ranks = arena_array(&figures->arena, struct rank_figures, reader->process_count + 1);
	pass.names.arena = pass.places.arena = &figures->arena;
	pass.search = iteration_search_new();
	for (uint32_t i = 0; i < reader->process_count; i++) {
		/* Threads proceed in time order, so that a phase begins for all of them at once. */
		begin_process(&pass, i);
		while (pass.order.count) {
			struct thread_cursor *thread = &pass.threads[pass.order.items[0].number];
			take_event(&pass, thread);
			read_next(&pass, thread);
			if (thread->event)
				earliest_move(&pass.order, thread->event->start, 0);
			else
				earliest_drop(&pass.order);
		}
		end_process(&pass);
	}
	iteration_search_finish(pass.search, reader->process_count, &figures->iteration);
	for (size_t i = 0; i < figures->site_count; i++) {
		const struct site_total *site = &figures->sites[i];
		struct rank_figures *rank = &figures->ranks[site->process];
		rank->sent_bytes += site->sums ? site->sums->sent : sent_bytes(site->call) * site->starts;
		rank->received_bytes += site->sums ? site->sums->received
		                                   : received_bytes(site->call) * site->starts;
	}
	find_efficiencies(&pass);
	map_release(&pass.phase_numbers);
	array_release(&pass.sums);
	return figures;
}

void figures_free(struct figures *figures)
{
	if (!figures)
		return;
	free(figures->sites);
	arena_release(&figures->arena);
	free(figures);
}
