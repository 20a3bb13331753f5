#include "analysis/model/propagated_delay.h"

#include "analysis/model/needed_calls.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/relations.h"
#include "analysis/model/run_spans.h"
#include "analysis/model/spans.h"
#include "analysis/model/time_resolver.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Calls kept until their needs are known. At twice this number, the earlier half is resolved. */
	KEPT_MIN = 1 << 14,
	KEPT_OF_EACH = 16,
	LOOKED_BACK = 8, /* calls */
	/* A process that lets others leave a call leaves it itself at about that time. */
	EXIT_SLACK_NS = 100000
};

struct delay_point {
	int64_t from;
	int64_t delay, waited;
	int64_t at_exit; /* of the last completed call */
};

/* A completed call, and its needs. */
struct pending_call {
	int64_t start, end;
	int64_t last_end; /* end of the previous call */
	int64_t since;    /* unsuccessful tests and the call that ends them are one wait, from the first on */
	int64_t noise_before;  /* including the recorder */
	int64_t scheduling;    /* inside, since then */
	int64_t delay_inside;  /* of this call alone */
	int64_t delay_between; /* of the tests and this call */
	int64_t skew;          /* of MPI_Init: how much later it ended than in the first process */
	uint32_t needs;        /* number of the first + 1; 0: none */
	bool is_fruitless;     /* tests: the wait continues */
	bool has_work;         /* since then: between the tests */
	bool is_test;
	bool finds;     /* a successful probe */
	bool is_in_run; /* MPI_Init and MPI_Finalize are not */
	bool is_last;   /* MPI_Finalize: its duration delays no other process */
	bool has_skew;
};

struct delay_line {
	const struct stream *stream;
	size_t next_pause;
	ARRAY(struct delay_point) points;
	size_t asked;                   /* the last point found */
	int64_t delay, waited, at_exit; /* current values */
	int64_t delay_since;            /* at the start of the current tests */
	/* The last calls: from `first` on, those that are not resolved. */
	ARRAY(struct pending_call) calls;
	size_t first;
	bool has_started; /* the first of these: its noise has been added */
	/* As far as calls were read. */
	int64_t last_end, now;
	bool has_begun, is_over, is_testing, has_work;
	int64_t noticed_delay, noticed_tool;      /* since the last call */
	int64_t since, scheduling, delay_between; /* of the tests */
};

/* The cause of a call's wait. */
struct latest_needed {
	int64_t moment, ideal; /* the last arrival: real, and without delays */
	int64_t noise;         /* the longest time one of them had no CPU since then */
	int64_t any_delay;     /* including those from which it would have received earlier */
};

/* A needed thread, and when (needed_calls.h). */
struct needed_thread {
	struct delay_line *line; /* NULL: none */
	int64_t moment, until;
	bool is_any;
};

/* Threads without a CPU in a collective operation after all had arrived, by the time they left it. */
struct noisy_exit {
	int64_t until;
	int64_t noise; /* after sorting: the maximum so far */
};

/* Needs shared by several calls: those up to `evaluated` are included in the latest. */
struct shared_need {
	uint32_t evaluated;
	uint32_t users;
	bool is_mutual; /* all leave when all have arrived: none waits for one that leaves later */
	bool has_exits; /* as seen by the first that left */
	ARRAY(struct noisy_exit) exits;
	struct shared_item {
		struct needed_thread thread;
		int64_t ideal;
	} items[];
};

struct pending_need {
	uint32_t next;   /* number + 1; 0: none */
	uint32_t needed; /* of shared ones */
	struct shared_need *shared;
	struct needed_thread thread; /* if it is not shared */
};

struct propagated_delays {
	struct delay_line *lines; /* of all threads … */
	uint32_t *first_line;     /* … by process: number of its first */
	uint32_t line_count;
	struct reader *reader;
	const struct corrected_time *time;
	const struct analysis_session *session;
	int64_t origin; /* origin of the times in rows */
	struct delay_sums sums;
	/* During the replay. */
	struct need_reader needs;
	struct replay_counts counts;
	ARRAY(struct pending_need) pending;
	uint32_t free_need;            /* number + 1 */
	struct time_resolver resolver; /* of calls */
	size_t kept_min;               /* number after the last resolution */
	size_t kept_max;               /* number at which the next one is due */
};

static struct delay_line *line_of(const struct propagated_delays *delays, uint32_t process, uint32_t thread)
{
	const struct reader *reader = delays->reader;
	const struct stream *stream = process < reader->process_count
	                                      ? find_stream(&reader->processes[process], thread)
	                                      : NULL;

	return stream ? &delays->lines[delays->first_line[process] +
	                               (size_t)(stream - reader->processes[process].streams)]
	              : NULL;
}

static struct delay_line *line_of_call(const struct propagated_delays *delays, const struct occurrence *call)
{
	return line_of(delays, call->semantics->process, call->thread);
}

/* The last change before a time. Several threads may ask: the last answer is only the start of the search. */
static struct delay_point point_at(struct delay_line *line, int64_t ns)
{
	size_t asked = __atomic_load_n(&line->asked, __ATOMIC_RELAXED);
	size_t later = sorted_find_near(0, line->points.count, asked, i, line->points.items[i].from <= ns);

	if (later != asked)
		__atomic_store_n(&line->asked, later, __ATOMIC_RELAXED);
	return later ? line->points.items[later - 1] : (struct delay_point){0};
}

static struct delay_point point_of(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                   int64_t ns)
{
	struct delay_line *line = line_of(delays, process, thread);

	return line ? point_at(line, ns - delays->origin) : (struct delay_point){0};
}

int64_t propagated_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                            int64_t ns)
{
	return point_of(delays, process, thread, ns).delay;
}

int64_t propagated_waited_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                   int64_t ns)
{
	return point_of(delays, process, thread, ns).waited;
}

int64_t propagated_exit_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                                 int64_t ns)
{
	return point_of(delays, process, thread, ns).at_exit;
}

/* From the middle of this interval on: so it is clearly before or after calls that begin or end there,
 * whatever the rounding. */
static void change(struct delay_line *line, int64_t from, int64_t to, int64_t delay, int64_t waited,
                   int64_t at_exit)
{
	int64_t middle = from + (to - from) / 2;

	if (delay == line->delay && waited == line->waited && at_exit == line->at_exit)
		return;
	/* There may have been changes between tests of one wait. */
	if (line->points.count)
		middle = max_ns(middle, line->points.items[line->points.count - 1].from);
	line->delay = delay;
	line->waited = waited;
	line->at_exit = at_exit;
	array_add(&line->points, (struct delay_point){middle, delay, waited, at_exit});
}

static void release_shared(struct shared_need *shared)
{
	if (!shared || --shared->users)
		return;
	array_release(&shared->exits);
	free(shared);
}

static void add_pending(struct propagated_delays *delays, struct pending_call *call, struct pending_need need)
{
	uint32_t number = delays->free_need;

	need.next = call->needs;
	if (number) {
		delays->free_need = delays->pending.items[number - 1].next;
		delays->pending.items[number - 1] = need;
	} else {
		array_add(&delays->pending, need);
		number = (uint32_t)delays->pending.count;
	}
	call->needs = number;
}

/* How long a thread had no CPU in this interval, up to its current call. */
static int64_t noise_in(const struct delay_line *line, int64_t from, int64_t to)
{
	size_t end = line->first + line->has_started, first = end > LOOKED_BACK ? end - LOOKED_BACK : 0;
	int64_t noise = 0;

	for (size_t i = end; i-- > first && line->calls.items[i].end > from;) {
		const struct pending_call *call = &line->calls.items[i];
		noise += min_ns(call->scheduling,
		                max_ns(min_ns(call->end, to) - max_ns(call->start, from), 0));
		if (call->start > from)
			noise += min_ns(call->noise_before, call->start - max_ns(call->last_end, from));
	}
	return noise;
}

static int by_exit(const void *left, const void *right)
{
	const struct noisy_exit *a = left, *b = right;

	return (a->until > b->until) - (a->until < b->until);
}

static void find_exits(struct shared_need *shared, uint32_t needed, int64_t moment)
{
	shared->has_exits = true;
	for (uint32_t i = 0; i < needed; i++) {
		const struct needed_thread *thread = &shared->items[i].thread;
		int64_t noise = thread->line ? noise_in(thread->line, moment, thread->until) : 0;
		if (noise > 0)
			array_add(&shared->exits,
			          (struct noisy_exit){shared->is_mutual ? thread->until : INT64_MIN, noise});
	}
	if (shared->exits.count)
		qsort(shared->exits.items, shared->exits.count, sizeof *shared->exits.items, by_exit);
	for (size_t i = 1; i < shared->exits.count; i++)
		shared->exits.items[i].noise = max_ns(shared->exits.items[i].noise,
		                                      shared->exits.items[i - 1].noise);
}

/* Its arrival without delays. */
static int64_t ideal_of(const struct needed_thread *thread)
{
	return thread->line ? thread->moment - point_at(thread->line, thread->moment).delay : INT64_MIN;
}

/* Over the first `needed`. */
static struct latest_needed latest_of(struct shared_need *shared, uint32_t needed,
                                      const struct pending_call *call)
{
	struct shared_item *items = shared->items;
	int64_t moment;
	size_t left;

	for (; shared->evaluated < needed; shared->evaluated++) {
		struct shared_item *item = &items[shared->evaluated];
		item->ideal = ideal_of(&item->thread);
		if (shared->evaluated) {
			item->thread.moment = max_ns(item->thread.moment, item[-1].thread.moment);
			item->ideal = max_ns(item->ideal, item[-1].ideal);
		}
	}
	moment = items[needed - 1].thread.moment;
	if (!shared->has_exits)
		find_exits(shared, needed, moment);
	left = sorted_find(0, shared->exits.count, i,
	                   shared->exits.items[i].until <= call->end + EXIT_SLACK_NS);
	return (struct latest_needed){.moment = moment,
	                              .ideal = items[needed - 1].ideal,
	                              .noise = left ? shared->exits.items[left - 1].noise : 0};
}

static struct latest_needed latest_of_one(const struct needed_thread *thread, const struct pending_call *call)
{
	return (struct latest_needed){
		.moment = thread->moment,
		.ideal = ideal_of(thread),
		.noise = noise_in(thread->line, thread->moment, min_ns(thread->until, call->end)),
		.any_delay = thread->is_any ? point_at(thread->line, thread->moment).delay : 0};
}

/* Over all needs of a call. */
static struct latest_needed take_needs(struct propagated_delays *delays, struct pending_call *call)
{
	struct latest_needed latest = {.moment = INT64_MIN, .ideal = INT64_MIN};

	while (call->needs) {
		uint32_t number = call->needs;
		struct pending_need *need = &delays->pending.items[number - 1];
		struct latest_needed one = need->shared ? latest_of(need->shared, need->needed, call)
		                                        : latest_of_one(&need->thread, call);
		latest.moment = max_ns(latest.moment, one.moment);
		latest.ideal = max_ns(latest.ideal, one.ideal);
		latest.noise = max_ns(latest.noise, one.noise);
		latest.any_delay = max_ns(latest.any_delay, one.any_delay);
		release_shared(need->shared);
		call->needs = need->next;
		need->next = delays->free_need;
		delays->free_need = number;
	}
	return latest;
}

/* NULL: already resolved, in a trace with very late rows. */
static struct pending_call *find_pending(struct delay_line *line, const struct occurrence *call)
{
	enum { NEAR = 32 }; /* usually it is one of the last */
	size_t count = line->calls.count, near = count > line->first + NEAR ? count - NEAR : line->first;
	size_t from = near < count && line->calls.items[near].end < call->end ? near : line->first;
	size_t at = sorted_find(from, count, i, line->calls.items[i].end < call->end);

	for (; at < line->calls.count && line->calls.items[at].end == call->end; at++)
		if (line->calls.items[at].start == call->start)
			return &line->calls.items[at];
	return NULL;
}

static struct needed_thread thread_of(const struct propagated_delays *delays,
                                      const struct needed_call *needed)
{
	return (struct needed_thread){line_of_call(delays, needed->call), needed->moment, needed->until,
	                              needed->is_any};
}

static struct shared_need *share(const struct propagated_delays *delays, const struct call_need *need)
{
	struct shared_need *shared = memory_new(1,
	                                        sizeof *shared + need->needed_count * sizeof *shared->items);

	shared->users = 1;
	shared->is_mutual = need->instance;
	for (uint32_t i = 0; i < need->needed_count; i++)
		shared->items[i].thread = thread_of(delays, &need->needed[i]);
	return shared;
}

static void add_need(void *context, const struct call_need *need)
{
	struct propagated_delays *delays = context;
	struct shared_need *shared = need->wait_count > 1 ? share(delays, need) : NULL;

	for (uint32_t i = 0; i < need->wait_count; i++) {
		const struct waiting_call *wait = &need->waits[i];
		struct delay_line *line = line_of_call(delays, wait->call);
		struct pending_call *call = line ? find_pending(line, wait->call) : NULL;
		if (!call)
			continue;
		if (!shared) {
			for (uint32_t j = 0; j < need->needed_count; j++) {
				struct needed_thread thread = thread_of(delays, &need->needed[j]);
				if (thread.line && thread.line != line)
					add_pending(delays, call, (struct pending_need){.thread = thread});
			}
			continue;
		}
		shared->users++;
		add_pending(delays, call, (struct pending_need){.shared = shared, .needed = wait->needed});
	}
	release_shared(shared);
}

/* A test that continues a wait: its thread lost the time before it while waiting. */
static bool goes_on(const struct pending_call *call)
{
	return call->is_test && call->since < call->start && !call->has_work;
}

/* The time after that takes several turns of all of them: if one had no CPU most of that time, the others
 * waited for it in the rest. */
static int64_t delay_after(const struct pending_call *call, int64_t rest, const struct latest_needed *needed)
{
	int64_t noise = max_ns(call->scheduling + call->delay_between, needed->noise);

	return needed->moment != INT64_MIN && noise && noise >= rest / 2 ? rest : min_ns(noise, rest);
}

static void resolve_call(struct propagated_delays *delays, struct delay_line *line, struct pending_call *call,
                         const struct latest_needed *latest)
{
	int64_t delay_since = call->since < call->start ? line->delay_since : line->delay;
	int64_t begin = max_ns(call->since, min_ns(latest->moment, call->end));
	int64_t ideal = max_ns(call->since - delay_since, min_ns(latest->ideal, call->end));
	int64_t at_exit = call->has_skew ? 0 : delay_after(call, call->end - begin, latest);
	int64_t delay = call->has_skew ? call->skew : begin - ideal + at_exit;
	int64_t harmful = call->has_work ? call->scheduling : min_ns(call->scheduling, call->end - begin);
	/* Findings subtract the extra waiting time until a later wait compensates for it. The same holds for
	 * extra time without a CPU that delayed the start of the next wait. */
	int64_t waited = line->waited + begin - ideal - line->delay + at_exit;

	line->has_started = false;
	line->first++;
	delays->resolver.kept--;
	if (call->is_fruitless) {
		/* A scheduling delay of work between tests delays its thread, inside a test or not. */
		line->delay_since = delay_since;
		if (call->has_work)
			change(line, call->start, call->end, line->delay + call->delay_inside, line->waited,
			       line->at_exit);
		return;
	}
	/* Work between tests may last until the last of them, or end before: this is unknown, so the
	 * longer delay counts. */
	if (call->has_work && delay < line->delay) {
		waited += line->delay - delay;
		delay = line->delay;
	}
	/* A server that accepts any request would have answered this one earlier. */
	delay = max_ns(delay, latest->any_delay);
	delays->sums.all_harmful_ns += call->is_last ? 0 : harmful;
	delays->sums.harmful_ns += call->is_in_run ? harmful : 0;
	/* Without noise the tests would have continued, and the last of them would have been short. */
	if (goes_on(call)) {
		int64_t before = delay - call->delay_inside;
		change(line, call->since, call->start, before, max_ns(min_ns(waited, before), 0), at_exit);
		change(line, call->start, call->end, delay, max_ns(min_ns(waited, delay), 0), at_exit);
	} else {
		change(line, call->since, call->end, delay, max_ns(min_ns(waited, delay), 0), at_exit);
	}
}

static int64_t next_time(const struct delay_line *line)
{
	const struct pending_call *call = &line->calls.items[line->first];

	return line->has_started ? call->end : call->start;
}

/* Steps are the starts and ends of calls. At equal times, starts are first: others may need them. */
static int64_t list_lines(void *context, struct time_resolver *resolver)
{
	const struct propagated_delays *delays = context;
	int64_t now = INT64_MAX;

	for (uint32_t i = 0; i < delays->line_count; i++) {
		const struct delay_line *line = &delays->lines[i];
		if (!line->is_over)
			now = min_ns(now, line->now);
		if (line->first < line->calls.count)
			time_resolver_add(resolver, i, next_time(line), line->has_started);
	}
	return now;
}

static bool resolve_step(void *context, uint32_t number, int64_t *ns, uint32_t *tie)
{
	struct propagated_delays *delays = context;
	struct delay_line *line = &delays->lines[number];

	if (line->has_started) {
		struct pending_call *call = &line->calls.items[line->first];
		struct latest_needed latest = take_needs(delays, call);
		if (latest.moment == INT64_MIN && call->finds) {
			/* A successful probe ended the tests before it: a thread that tests without a CPU is
			 * not delayed by that. */
			call->since = call->start;
			call->scheduling = call->delay_inside;
			call->delay_between = 0;
		}
		resolve_call(delays, line, call, &latest);
	} else {
		const struct pending_call *call = &line->calls.items[line->first];
		line->has_started = true;
		if (!goes_on(call))
			change(line, call->last_end, call->start, line->delay + call->noise_before,
			       line->waited, line->at_exit);
	}
	if (line->first >= line->calls.count)
		return false;
	*ns = next_time(line);
	*tie = line->has_started;
	return true;
}

static void resolve(struct propagated_delays *delays, size_t left)
{
	time_resolver_run(&delays->resolver, left);
	for (uint32_t i = 0; i < delays->line_count; i++) {
		struct delay_line *line = &delays->lines[i];
		line->calls.count -= line->first;
		if (line->first)
			memmove(line->calls.items, line->calls.items + line->first,
			        line->calls.count * sizeof *line->calls.items);
		line->first = 0;
	}
	delays->kept_max = delays->resolver.kept + left;
}

static bool has_class(const struct call_semantics *semantics, enum call_class class)
{
	return semantics->kind->info && semantics->kind->info->class == class;
}

static bool is_in_run(const struct call_semantics *semantics)
{
	/* Names are compared only for the few remaining calls. */
	return !(has_class(semantics, CLASS_ENVIRONMENT) ||
	         (semantics->kind->info && semantics->kind->info->pgas == PGAS_OTHER)) ||
	       !(starts_mpi(semantics->call) || ends_mpi(semantics->call));
}

static struct pending_call read_call(struct propagated_delays *delays, struct delay_line *line,
                                     const struct occurrence *now, const struct event *event)
{
	int64_t gap = line->has_begun ? max_ns(now->start - line->last_end, 0) : 0;
	int64_t tool = min_ns(line->noticed_tool, gap), before = min_ns(line->noticed_delay, gap - tool);
	int64_t inside = delay_inside_ns(now, event);
	struct pending_call call = {
		.start = now->start,
		.end = now->end,
		.last_end = now->start - gap,
		.since = line->is_testing ? line->since : now->start,
		.noise_before = tool + before,
		.scheduling = inside + (line->is_testing ? line->scheduling : 0),
		.delay_inside = inside,
		.delay_between = line->is_testing ? line->delay_between + tool + before : 0,
		.is_fruitless = now->semantics->does & CALL_FINDS_NOTHING,
		.is_test = now->semantics->does & CALL_TESTS,
		.finds = now->semantics->does & CALL_TESTS && !(now->semantics->does & CALL_COMPLETES),
		.is_in_run = is_in_run(now->semantics)};

	call.is_last = !call.is_in_run && ends_mpi(now->semantics->call);
	call.has_work = (line->is_testing && line->has_work) ||
	                (call.is_fruitless && works_between_polls(delays->session, now, event));
	/* Pauses are not part of the run, but time lost there delays the thread. */
	before = min_ns(before, gap - paused_before(line->stream, delays->time, now->semantics->process,
	                                            event->start, gap, &line->next_pause));
	delays->sums.scheduling_ns += before + (call.is_in_run ? inside : 0);
	delays->sums.harmful_ns += before;
	delays->sums.all_harmful_ns += before;
	return call;
}

static void take_call(void *context, const struct occurrence *now, const struct event *event)
{
	struct propagated_delays *delays = context;
	struct delay_line *line = line_of_call(delays, now);
	struct pending_call call;

	/* MPI_Wtime and similar calls belong to the time between other calls: a delay is often noticed at a
	 * call shorter than the delay. */
	line->noticed_tool += (int64_t)event->tool_before * NS_PER_US;
	line->noticed_delay += (int64_t)event->delay_before * NS_PER_US;
	if (has_time(now))
		line->now = now->end;
	if (delays_computing(now->semantics->kind->info))
		line->noticed_delay += (int64_t)event->delay_inside * NS_PER_US;
	if (now->semantics->is_local || !has_time(now))
		return;
	call = read_call(delays, line, now, event);
	/* Consecutive tests are one event, and time lost after the last of them is noticed in it. */
	line->noticed_tool = 0;
	line->noticed_delay = call.is_fruitless ? (int64_t)event->delay_inside * NS_PER_US - call.delay_inside
	                                        : 0;
	line->is_testing = call.is_fruitless;
	line->has_work = call.has_work;
	line->since = call.since;
	line->scheduling = call.scheduling;
	line->delay_between = call.delay_between;
	line->last_end = now->end;
	line->has_begun = true;
	line->is_over = call.is_last;
	/* A call that begins a request needs no other process. */
	if ((now->semantics->act == ACT_ISEND || now->semantics->act == ACT_IRECEIVE) && !call.noise_before &&
	    !call.scheduling)
		return;
	array_add(&line->calls, call);
	if (++delays->resolver.kept > delays->kept_max)
		resolve(delays, delays->kept_min);
}

/* The launcher starts processes at different times, and MPI_Init returns at different times: the program is
 * not responsible for that. The next calls begin later by this difference. */
static void read_start(struct propagated_delays *delays, const struct collective_call *calls, uint32_t count)
{
	int64_t first = INT64_MAX;

	for (uint32_t i = 0; i < count; i++)
		first = has_time(&calls[i].call) ? min_ns(first, calls[i].call.end) : first;
	for (uint32_t i = 0; i < count; i++) {
		struct delay_line *line = line_of_call(delays, &calls[i].call);
		struct pending_call *call = line && has_time(&calls[i].call)
		                                    ? find_pending(line, &calls[i].call)
		                                    : NULL;
		if (!call)
			continue;
		call->skew = call->end - first;
		call->has_skew = true;
	}
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct propagated_delays *delays = context;

	(void)first;
	needs_read(&delays->needs, block);
	if (block->relation == RELATION_COLLECTIVE_CALL) {
		const struct collective_call *rows = block_rows(block);
		for (uint32_t i = 0, end; i < block->rows; i = end) {
			end = block_group_end(block, i);
			if (has_class(rows[i].call.semantics, CLASS_ENVIRONMENT) &&
			    starts_mpi(rows[i].call.semantics->call))
				read_start(delays, &rows[i], end - i);
		}
	}
	return block;
}

static void end_rows(void *context)
{
	struct propagated_delays *delays = context;

	resolve(delays, 0);
	for (uint32_t i = 0; i < delays->line_count; i++)
		array_release(&delays->lines[i].calls);
	array_release(&delays->pending);
	needs_release(&delays->needs);
	time_resolver_release(&delays->resolver);
}

struct propagated_delays *propagated_delays_new(struct analysis_session *session)
{
	struct propagated_delays *delays = memory_new(1, sizeof *delays);
	struct row_sink sink = {
		.context = delays, .is_prompt = true, .call = take_call, .rows = take_rows, .end = end_rows};
	const struct reader *reader;

	delays->reader = session->reader;
	delays->time = session->time;
	delays->session = session;
	delays->resolver = (struct time_resolver){
		.context = delays, .list = list_lines, .step = resolve_step};
	reader = delays->reader;
	delays->first_line = memory_new(reader->process_count + 1, sizeof *delays->first_line);
	for (size_t i = 0; i < reader->process_count; i++) {
		delays->first_line[i] = delays->line_count;
		delays->line_count += (uint32_t)reader->processes[i].stream_count;
	}
	delays->lines = memory_new(delays->line_count + 1u, sizeof *delays->lines);
	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].stream_count; j++) {
			struct delay_line *line = &delays->lines[delays->first_line[i] + j];
			line->stream = &reader->processes[i].streams[j];
			/* Until it begins, others may need its first calls. */
			line->now = line->stream->chunk_count && session_owns(session, (uint32_t)i)
			                    ? INT64_MIN
			                    : INT64_MAX;
		}
	delays->kept_min = KEPT_MIN + KEPT_OF_EACH * (size_t)delays->line_count;
	delays->kept_max = 2 * delays->kept_min;
	delays->needs = (struct need_reader){.nodes = session->nodes, .context = delays, .add = add_need};
	needs_want(&sink);
	relate(session, &sink, &delays->counts);
	delays->origin = delays->counts.start_ns;
	return delays;
}

void propagated_delays_free(struct propagated_delays *delays)
{
	if (!delays)
		return;
	for (uint32_t i = 0; i < delays->line_count; i++)
		array_release(&delays->lines[i].points);
	free(delays->first_line);
	free(delays->lines);
	free(delays);
}

struct delay_sums propagated_delay_sums(const struct propagated_delays *delays)
{
	return delays ? delays->sums : (struct delay_sums){0};
}

/* The recorder reports totals of a process, in microseconds. Less than one is irrelevant: no rule
 * charges shorter waits. */
static bool is_needed(const struct process *process)
{
	const char *delay = process_property(process, "scheduling_delay");
	const char *scheduling = delay ? delay : process_property(process, "stolen"); /* its old name */
	const char *recorder = process_property(process, "overhead");
	bool needed = (scheduling && strtoull(scheduling, NULL, 10)) ||
	              (recorder && strtoull(recorder, NULL, 10));

	for (size_t i = 0; i < process->stream_count && !needed; i++)
		needed = (!scheduling && process->streams[i].has_delays) ||
		         (!recorder && process->streams[i].has_overhead);
	return needed;
}

bool propagated_delays_are_needed(const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (is_needed(&reader->processes[i]))
			return true;
	return false;
}
