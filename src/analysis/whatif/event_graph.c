#include "analysis/whatif/event_graph.h"

#include "analysis/model/spans.h"
#include "analysis/model/time_resolver.h"
#include "base/array.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Calls that wait until everything they needed is known. Twice as many: the earlier half of them is resolved. */
	KEPT_LEAST = 1 << 12,
	KEPT_OF_EACH = 16,
	/* Resolved calls that others may still need: of all threads together, and of each. */
	PAST_CALLS = 1 << 12,
	PAST_LEAST = 64,
	PAST_MOST = 512,
};

struct graph_call {
	struct event_call call;
	int64_t last_end; /* of the call before */
	int64_t since;    /* of the wait: start, or that of the first test */
	uint32_t needs;   /* one above the number of the first; 0: none */
};

struct graph_thread {
	/* From `first` on they are not resolved. Each has two vectors of times, start and end. */
	ARRAY(struct graph_call) calls;
	int64_t *times;
	size_t times_room;
	size_t first;
	size_t last_waiting; /* that was sought last */
	int64_t *since;      /* vector: start of the tests at hand */
	/* The last message that a receive from anybody took: when it came, and since when the receive could have taken another one. */
	int64_t *any_moment, *any_since;
	int64_t any_recorded;
	uint64_t any_queue; /* 0: none */
	/* Vectors of doubts. */
	int64_t *rematched, *progress;
	int64_t tests;
	bool has_end;
	int64_t *end; /* vector: of its run */
	/* As far as calls were added. */
	int64_t last_end, tests_since;
	bool is_testing, has_calls, is_over;
};

struct shared_events {
	uint32_t users, evaluated, scenarios, count;
	struct event_need *needs;
	int64_t *moments; /* the latest of the first so many: recorded … */
	int64_t *times;   /* … and vectors, as far as they are evaluated */
};

/* An edge to a call that waits. */
struct graph_edge {
	uint32_t next; /* one above its number; 0: none */
	uint32_t needed;
	struct shared_events *shared; /* the first `needed` of them; NULL: `need` */
	struct event_need need;
};

struct event_graph {
	uint32_t thread_count, count;       /* of scenarios */
	double *transfer, *library, *delay; /* factors: vectors */
	uint64_t placed;                    /* scenarios with other places of ranks */
	struct graph_thread *threads;
	ARRAY(double) work; /* vectors by kind */
	uint32_t work_kinds;
	ARRAY(struct call_changes) changes;
	ARRAY(struct graph_edge) edges;
	uint32_t free_edge; /* one above its number */
	struct time_resolver resolver;
	size_t kept_least, kept_most, past;
	int64_t *scratch, *latest,
		*latest_inside; /* vectors; the last: partners that have to be inside a call */
	int64_t error;
	uint64_t late_needs;
};

static int64_t *vector_new(const struct event_graph *graph)
{
	return memory_new(graph->count, sizeof(int64_t));
}

static int64_t *start_of(const struct event_graph *graph, const struct graph_thread *thread, size_t number)
{
	return &thread->times[2 * number * graph->count];
}

static int64_t *end_of(const struct event_graph *graph, const struct graph_thread *thread, size_t number)
{
	return start_of(graph, thread, number) + graph->count;
}

static const double *work_of(const struct event_graph *graph, uint32_t kind)
{
	return &graph->work.items[(size_t)kind * graph->count];
}

/* Doubles are exact up to 104 days: recorded times stay as they are. */
static int64_t scaled(double factor, int64_t ns)
{
	return (int64_t)(factor * (double)ns);
}

static bool has_bit(uint64_t mask, uint32_t scenario)
{
	return mask >> scenario & 1;
}

/* When a call starts, from the end of the one before. */
static void find_start(const struct event_graph *graph, const struct graph_thread *thread,
                       const struct graph_call *item, int64_t *restrict times)
{
	const struct event_call *call = &item->call;
	const double *restrict work = work_of(graph, call->work);
	const int64_t *restrict last = thread->first ? end_of(graph, thread, thread->first - 1) : NULL;
	const int64_t delay = call->delay_before, computing = call->start - item->last_end - delay;

	assert(times);
	if (call->is_fixed || !last) {
		for (uint32_t s = 0; s < graph->count; s++)
			times[s] = call->start;
		return;
	}
	for (uint32_t s = 0; s < graph->count; s++)
		times[s] = last[s] + scaled(work[s], computing);
	for (uint32_t s = 0; s < graph->count && delay; s++)
		times[s] += scaled(graph->delay[s], delay);
}

static void resolve_call(struct event_graph *graph, struct graph_thread *thread);

/* Calls that need nobody can be resolved at any time. */
static void resolve_simple(struct event_graph *graph, struct graph_thread *thread, int64_t until)
{
	while (thread->first < thread->calls.count && thread->calls.items[thread->first].call.is_simple &&
	       thread->calls.items[thread->first].call.start <= until)
		resolve_call(graph, thread);
}

/* After the last resolved call, or in the call that follows it. */
static void time_after(const struct event_graph *graph, const struct graph_thread *thread, int64_t moment,
                       int64_t *times)
{
	const struct graph_call *next = thread->first < thread->calls.count
	                                        ? &thread->calls.items[thread->first]
	                                        : NULL;
	const struct graph_call *last = thread->first ? &thread->calls.items[thread->first - 1] : NULL;

	if (next && moment >= next->call.start) {
		find_start(graph, thread, next, times);
		for (uint32_t s = 0; s < graph->count; s++)
			times[s] += moment - next->call.start;
		return;
	}
	for (uint32_t s = 0; s < graph->count; s++) {
		double work = next ? work_of(graph, next->call.work)[s] : 1;
		times[s] = last ? end_of(graph, thread, thread->first - 1)[s] +
		                           scaled(work, moment - last->call.end)
		                : moment;
	}
}

/* Inside a resolved call, or after it. */
static void time_in_call(const struct event_graph *graph, const struct graph_thread *thread, size_t number,
                         int64_t moment, int64_t *times)
{
	const struct graph_call *item = &thread->calls.items[number];
	const int64_t *start = start_of(graph, thread, number), *end = end_of(graph, thread, number);
	const double *work = work_of(graph, number + 1 < thread->calls.count ? item[1].call.work : 0);

	for (uint32_t s = 0; s < graph->count; s++)
		times[s] = moment >= item->call.end
		                   ? end[s] + scaled(work[s], moment - item->call.end)
		                   : min_ns(start[s] + (moment - item->call.start), max_ns(start[s], end[s]));
}

/* The times of an event of a thread, by its recorded time. */
static void time_at(struct event_graph *graph, struct graph_thread *thread, int64_t moment, int64_t *times)
{
	size_t later;

	resolve_simple(graph, thread, moment);
	if (!thread->first || (thread->calls.items[thread->first - 1].call.end < moment)) {
		time_after(graph, thread, moment, times);
		return;
	}
	later = thread->first;
	/* Mostly it is one of the last. */
	for (int i = 0; i < 4 && later && thread->calls.items[later - 1].call.start > moment; i++)
		later--;
	if (later && thread->calls.items[later - 1].call.start > moment)
		later = sorted_find(0, later, i, thread->calls.items[i].call.start <= moment);
	if (later) {
		time_in_call(graph, thread, later - 1, moment, times);
		return;
	}
	/* Longer ago than calls are kept: as early or late as the first one that is. */
	for (uint32_t s = 0; s < graph->count; s++)
		times[s] = start_of(graph, thread, 0)[s] - (thread->calls.items[0].call.start - moment);
}

/* A shared event becomes the latest of those up to it. */
static const int64_t *latest_shared(struct event_graph *graph, struct shared_events *shared, uint32_t needed)
{
	for (; shared->evaluated < needed; shared->evaluated++) {
		struct event_need *need = &shared->needs[shared->evaluated];
		int64_t *times = &shared->times[(size_t)shared->evaluated * graph->count];
		time_at(graph, &graph->threads[need->thread], need->moment, times);
		for (uint32_t s = 0; s < graph->count && shared->evaluated; s++)
			times[s] = max_ns(times[s], times[(int64_t)s - graph->count]);
	}
	return &shared->times[(size_t)(needed - 1) * graph->count];
}

/* A receive from anybody takes the first message that comes. If this one comes before that of the receive before, that one took this message, and
 * this receive takes the other one. */
static void match_again(const struct event_graph *graph, struct graph_thread *thread,
                        const struct event_need *need, int64_t *since, int64_t *times)
{
	bool follows = thread->any_queue == need->queue && thread->any_recorded <= need->moment;

	for (uint32_t s = 0; s < graph->count; s++) {
		int64_t moment = times[s], gain = 0;
		if (follows && moment < thread->any_moment[s]) {
			gain = max_ns(thread->any_moment[s] - max_ns(moment, thread->any_since[s]), 0);
			times[s] = thread->any_moment[s];
		}
		thread->rematched[s] += gain;
		thread->any_moment[s] = times[s];
		thread->any_since[s] = since[s];
		since[s] -= gain;
	}
	thread->any_recorded = need->moment;
	thread->any_queue = need->queue;
}

/* What the edges of a call say of the recorded run. */
struct residual {
	int64_t ready;    /* when all that it needed had come */
	int64_t transfer; /* the part of the time after it that is the transfer */
	bool is_bound;    /* it needed somebody */
	uint32_t last;    /* changes of the call that it needed last … */
	bool is_receiver; /* … which receives the message of this one */
	int64_t unplaced; /* the part of the transfer that does not depend on the places of ranks */
};

static int64_t moment_of(const struct graph_edge *edge)
{
	return edge->shared ? edge->shared->moments[edge->needed - 1] : edge->need.moment;
}

/* An event after the end of the call was not needed. */
static struct residual find_residual(struct event_graph *graph, const struct graph_call *item)
{
	struct residual residual = {.ready = item->since};
	int64_t rest = 0, last = INT64_MIN;
	bool is_collective = false;

	for (uint32_t i = item->needs; i; i = graph->edges.items[i - 1].next) {
		struct graph_edge *edge = &graph->edges.items[i - 1];
		int64_t moment = moment_of(edge);
		if (moment > item->call.end) {
			edge->needed = 0;
			continue;
		}
		residual.is_bound = true;
		if (moment >= last) {
			residual.last = edge->shared ? 0 : edge->need.changes;
			residual.is_receiver = !edge->shared && edge->need.kind == EVENT_RECEIVER;
		}
		last = max_ns(last, moment);
		residual.ready = max_ns(residual.ready, moment);
		is_collective |= edge->shared || !edge->need.transfer_ns;
		if (!edge->shared)
			rest = max_ns(rest, moment + edge->need.transfer_ns);
	}
	residual.transfer = item->call.end - residual.ready;
	if (!is_collective)
		residual.transfer = min_ns(residual.transfer, max_ns(rest - residual.ready, 0));
	/* Scheduling delays are counted separately. */
	residual.unplaced =
		is_collective ? min_ns(residual.transfer,
	                               max_ns(item->call.end - residual.ready - item->call.delay_inside, 0))
			      : 0;
	return residual;
}

/* Scenarios in which it waits for nobody. */
static uint64_t unbound_in(const struct event_graph *graph, const struct graph_call *item)
{
	const struct call_changes *changes = &graph->changes.items[item->call.changes];

	return changes->unbound | changes->removed;
}

/* The whole transfer between the new places. */
static int64_t placed_transfer(const struct event_need *need, const struct graph_call *item,
                               const struct residual *residual)
{
	int64_t transfer = min_ns(need->transfer_ns, item->call.end - need->moment);

	return need->transfer_ns ? max_ns(transfer + need->moved_ns, 0) : residual->unplaced;
}

/* The edge of one event, whose transfer may have been hidden in computing. */
static void follow_edge(struct event_graph *graph, struct graph_thread *thread, struct graph_edge *edge,
                        const struct graph_call *item, const struct residual *residual, int64_t *since)
{
	const struct event_need *need = &edge->need;
	int64_t left = item->call.end - residual->ready, *times = graph->scratch;
	int64_t hidden = min_ns(max_ns(need->transfer_ns - left, 0), residual->ready - need->moment);
	uint64_t absent = need->absent | unbound_in(graph, item);

	time_at(graph, &graph->threads[need->thread], need->moment, times);
	if (need->kind == EVENT_ANY)
		match_again(graph, thread, need, since, times);
	for (uint32_t s = 0; s < graph->count; s++) {
		int64_t moment = times[s] + (has_bit(graph->placed, s) ? placed_transfer(need, item, residual)
		                                                       : scaled(graph->transfer[s], hidden));
		if (!has_bit(absent, s))
			graph->latest[s] = max_ns(graph->latest[s], moment);
	}
}

static void follow_shared(struct event_graph *graph, const struct graph_edge *edge,
                          const struct graph_call *item, const struct residual *residual)
{
	const int64_t *times = latest_shared(graph, edge->shared, edge->needed);
	uint64_t absent = unbound_in(graph, item);
	int64_t *latest = edge->shared->needs[0].kind == EVENT_PROGRESS ? graph->latest_inside
	                                                                : graph->latest;

	for (uint32_t s = 0; s < graph->count; s++)
		if (!has_bit(absent, s))
			latest[s] = max_ns(latest[s],
			                   times[s] + (has_bit(graph->placed, s) ? residual->unplaced : 0));
}

/* When the last event came that it needed, in each scenario. */
static void follow_edges(struct event_graph *graph, struct graph_thread *thread, struct graph_call *item,
                         const struct residual *residual, int64_t *since)
{
	for (uint32_t s = 0; s < graph->count; s++)
		graph->latest[s] = graph->latest_inside[s] = INT64_MIN;
	while (item->needs) {
		uint32_t number = item->needs;
		struct graph_edge *edge = &graph->edges.items[number - 1];
		if (edge->needed && edge->shared)
			follow_shared(graph, edge, item, residual);
		else if (edge->needed)
			follow_edge(graph, thread, edge, item, residual, since);
		shared_events_release(edge->shared);
		item->needs = edge->next;
		edge->next = graph->free_edge;
		graph->free_edge = number;
	}
	for (uint32_t s = 0; s < graph->count; s++) {
		int64_t others = max_ns(graph->latest[s], since[s]);
		thread->progress[s] += graph->latest_inside[s] > others ? graph->latest_inside[s] - others
		                                                        : 0;
		graph->latest[s] = max_ns(graph->latest[s], graph->latest_inside[s]);
	}
}

/* How much less time a call takes. What a receive saves of a message, its send saves as well, but not twice. */
static int64_t less_time(const struct call_changes *own, const struct call_changes *partner,
                         const struct residual *residual, uint32_t scenario)
{
	int64_t less = has_bit(own->shortened, scenario) ? own->less_ns[scenario] : 0;
	int64_t partners = has_bit(partner->shortened, scenario) ? partner->less_ns[scenario] : 0;

	return residual->is_receiver ? max_ns(less, partners) : less + partners;
}

/* Adds the time after all had come. */
static void add_rest(const struct event_graph *graph, const struct graph_call *item,
                     const struct residual *residual, int64_t *restrict end)
{
	const struct event_call *call = &item->call;
	const struct call_changes *changes = &graph->changes.items[call->changes];
	const double *restrict transfer_of = graph->transfer, *restrict library_of = graph->library;
	int64_t left = call->end - residual->ready, delay = min_ns(call->delay_inside, left);
	int64_t transfer = residual->is_bound ? min_ns(residual->transfer, left - delay) : 0;
	int64_t library = left - transfer - delay;
	const struct call_changes *partner = &graph->changes.items[residual->last];
	uint64_t special = changes->hidden | changes->shortened | partner->shortened;

	if (call->keeps_time)
		for (uint32_t s = 0; s < graph->count; s++)
			end[s] += has_bit(changes->shortened, s)
			                  ? max_ns(left - delay - changes->less_ns[s], 0)
			                  : left - delay;
	else if (!special)
		for (uint32_t s = 0; s < graph->count; s++)
			end[s] += scaled(transfer_of[s], transfer) + scaled(library_of[s], library);
	for (uint32_t s = 0; s < graph->count && special && !call->keeps_time; s++) {
		int64_t moved = scaled(transfer_of[s], transfer);
		int64_t rest = moved + scaled(library_of[s], library);
		rest -= has_bit(changes->hidden, s) ? max_ns(moved, changes->hidden_ns[s]) : 0;
		rest -= less_time(changes, partner, residual, s);
		end[s] += max_ns(rest, 0);
	}
	for (uint32_t s = 0; s < graph->count && delay; s++)
		end[s] += scaled(graph->delay[s], delay);
}

static void find_end(struct event_graph *graph, struct graph_thread *thread, struct graph_call *item,
                     int64_t *start, int64_t *end)
{
	struct residual residual = find_residual(graph, item);
	uint64_t removed = graph->changes.items[item->call.changes].removed;
	bool has_needs = item->needs;
	int64_t *since = residual.is_bound && item->since < item->call.start ? thread->since : start;

	/* Tests that ended without a message are computing. */
	if (!residual.is_bound)
		residual.ready = item->call.start;
	/* To follow an edge may resolve calls of other threads that need nobody. */
	if (has_needs)
		follow_edges(graph, thread, item, &residual, since);
	for (uint32_t s = 0; s < graph->count; s++)
		end[s] = has_needs ? max_ns(since[s] + (has_bit(graph->placed, s) ? residual.unplaced : 0),
		                            graph->latest[s])
		                   : since[s];
	add_rest(graph, item, &residual, end);
	for (uint32_t s = 0; s < graph->count && item->call.is_fixed; s++)
		end[s] = item->call.end;
	for (uint32_t s = 0; s < graph->count && removed; s++)
		if (has_bit(removed, s))
			end[s] = since[s];
}

/* The next call of a thread, whose needs are all resolved. */
static void resolve_call(struct event_graph *graph, struct graph_thread *thread)
{
	struct graph_call *item = &thread->calls.items[thread->first];
	int64_t *start = start_of(graph, thread, thread->first), *end = end_of(graph, thread, thread->first);
	bool goes_on = item->since < item->call.start;

	find_start(graph, thread, item, start);
	if (item->call.is_last && !thread->has_end) {
		thread->has_end = true;
		memcpy(thread->end, start, graph->count * sizeof *start);
	}
	if (item->call.is_fruitless) {
		if (!goes_on)
			memcpy(thread->since, start, graph->count * sizeof *start);
		for (uint32_t s = 0; s < graph->count; s++)
			end[s] = start[s] + (item->call.end - item->call.start);
		thread->tests += item->call.has_work ? item->call.end - item->call.start : 0;
	} else {
		find_end(graph, thread, item, start, end);
	}
	graph->error = max_ns(graph->error, llabs(end[0] - item->call.end));
	thread->first++;
	graph->resolver.kept--;
}

/* In the order of time */

/* The end of the next call that may need others. */
static bool next_end(const struct graph_thread *thread, int64_t *ns)
{
	size_t i = thread->first;

	while (i < thread->calls.count && thread->calls.items[i].call.is_simple)
		i++;
	if (i < thread->calls.count)
		*ns = thread->calls.items[i].call.end;
	return i < thread->calls.count;
}

static int64_t list_threads(void *context, struct time_resolver *resolver)
{
	const struct event_graph *graph = context;
	int64_t known = INT64_MAX, ns;

	for (uint32_t i = 0; i < graph->thread_count; i++) {
		const struct graph_thread *thread = &graph->threads[i];
		if (!thread->is_over && thread->has_calls)
			known = min_ns(known, thread->last_end);
		if (next_end(thread, &ns))
			time_resolver_add(resolver, i, ns, 0);
	}
	return known;
}

static bool resolve_next(void *context, uint32_t number, int64_t *ns, uint32_t *tie)
{
	struct event_graph *graph = context;
	struct graph_thread *thread = &graph->threads[number];

	resolve_simple(graph, thread, INT64_MAX);
	resolve_call(graph, thread);
	*tie = 0;
	return next_end(thread, ns);
}

/* Resolved calls that nobody is likely to need go. */
static void forget_calls(const struct event_graph *graph, struct graph_thread *thread)
{
	size_t gone = thread->first > graph->past ? thread->first - graph->past : 0;
	size_t left = thread->calls.count - gone;

	/* Not each time: others have to be moved. */
	if (gone < graph->past)
		return;
	memmove(thread->calls.items, thread->calls.items + gone, left * sizeof *thread->calls.items);
	memmove(thread->times, start_of(graph, thread, gone),
	        2 * (thread->first - gone) * graph->count * sizeof *thread->times);
	thread->calls.count = left;
	thread->first -= gone;
	thread->last_waiting = thread->last_waiting > gone ? thread->last_waiting - gone : 0;
}

static void resolve(struct event_graph *graph, size_t left)
{
	time_resolver_run(&graph->resolver, left);
	for (uint32_t i = 0; i < graph->thread_count; i++) {
		if (!left)
			resolve_simple(graph, &graph->threads[i], INT64_MAX);
		forget_calls(graph, &graph->threads[i]);
	}
	graph->kept_most = graph->resolver.kept + (left ? left : graph->kept_least);
}

/* Building */

struct event_graph *event_graph_new(uint32_t threads, const struct scenario_factors *scenarios,
                                    uint32_t count)
{
	struct event_graph *graph = memory_new(1, sizeof *graph);
	double ones[SCENARIOS_MAX];

	graph->thread_count = threads;
	graph->count = count < SCENARIOS_MAX ? count : SCENARIOS_MAX;
	graph->transfer = memory_new(graph->count, sizeof *graph->transfer);
	graph->library = memory_new(graph->count, sizeof *graph->library);
	graph->delay = memory_new(graph->count, sizeof *graph->delay);
	for (uint32_t s = 0; s < graph->count; s++) {
		graph->library[s] = scenarios[s].library;
		graph->delay[s] = scenarios[s].delay;
		graph->placed |= (uint64_t)scenarios[s].is_placed << s;
		graph->transfer[s] = scenarios[s].is_placed ? 0 : scenarios[s].transfer;
	}
	graph->resolver = (struct time_resolver){
		.context = graph, .list = list_threads, .step = resolve_next};
	graph->kept_least = KEPT_LEAST + KEPT_OF_EACH * (size_t)threads;
	graph->kept_most = 2 * graph->kept_least;
	graph->past = threads ? PAST_CALLS / threads : 0;
	graph->past = graph->past < PAST_LEAST  ? PAST_LEAST
	              : graph->past > PAST_MOST ? PAST_MOST
	                                        : graph->past;
	graph->scratch = vector_new(graph);
	graph->latest = vector_new(graph);
	graph->latest_inside = vector_new(graph);
	graph->threads = memory_new(threads + 1u, sizeof *graph->threads);
	for (uint32_t i = 0; i < threads; i++) {
		struct graph_thread *thread = &graph->threads[i];
		int64_t **vectors[] = {&thread->since,     &thread->any_moment, &thread->any_since,
		                       &thread->rematched, &thread->progress,   &thread->end};
		for (size_t j = 0; j < sizeof vectors / sizeof *vectors; j++)
			*vectors[j] = vector_new(graph);
	}
	for (uint32_t s = 0; s < graph->count; s++)
		ones[s] = 1;
	(void)event_graph_work(graph, ones);
	(void)event_graph_changes(graph, &(struct call_changes){0});
	return graph;
}

void event_graph_free(struct event_graph *graph)
{
	if (!graph)
		return;
	for (uint32_t i = 0; i < graph->thread_count; i++) {
		struct graph_thread *thread = &graph->threads[i];
		int64_t *vectors[] = {thread->since,     thread->any_moment, thread->any_since,
		                      thread->rematched, thread->progress,   thread->end,
		                      thread->times};
		for (size_t j = 0; j < sizeof vectors / sizeof *vectors; j++)
			free(vectors[j]);
		array_release(&thread->calls);
	}
	free(graph->threads);
	free(graph->transfer);
	free(graph->library);
	free(graph->delay);
	free(graph->scratch);
	free(graph->latest);
	free(graph->latest_inside);
	array_release(&graph->work);
	array_release(&graph->changes);
	array_release(&graph->edges);
	time_resolver_release(&graph->resolver);
	free(graph);
}

uint32_t event_graph_work(struct event_graph *graph, const double *factors)
{
	for (uint32_t s = 0; s < graph->count; s++)
		array_add(&graph->work, factors[s]);
	return graph->work_kinds++;
}

uint32_t event_graph_changes(struct event_graph *graph, const struct call_changes *changes)
{
	array_add(&graph->changes, *changes);
	return (uint32_t)graph->changes.count - 1;
}

double event_graph_work_factor(const struct event_graph *graph, uint32_t kind, uint32_t scenario)
{
	return work_of(graph, kind)[scenario];
}

void event_graph_call(struct event_graph *graph, uint32_t number, const struct event_call *call)
{
	struct graph_thread *thread = &graph->threads[number];
	struct graph_call item = {.call = *call,
	                          .last_end = thread->has_calls ? thread->last_end : call->start,
	                          .since = thread->is_testing ? thread->tests_since : call->start};

	if (call->has_work)
		item.since = call->start;
	thread->is_testing = call->is_fruitless && !call->has_work;
	thread->tests_since = item.since;
	thread->last_end = call->end;
	thread->has_calls = true;
	thread->is_over = call->is_last;
	array_add(&thread->calls, item);
	array_fit(thread->times, thread->times_room, 2 * thread->calls.count * graph->count);
	if (++graph->resolver.kept > graph->kept_most)
		resolve(graph, graph->kept_least);
}

static bool is_waiting(const struct graph_call *item, const struct event_wait *wait)
{
	return item->call.end == wait->end && item->call.start == wait->start;
}

/* NULL: it was resolved before. */
static struct graph_call *find_waiting(struct graph_thread *thread, const struct event_wait *wait)
{
	enum { NEAR = 8 }; /* mostly it follows the last one */
	struct graph_call *items = thread->calls.items;
	size_t count = thread->calls.count;
	size_t near = thread->last_waiting < thread->first ? thread->first : thread->last_waiting, at = near;

	while (at < count && at < near + NEAR && !is_waiting(&items[at], wait))
		at++;
	if (at == count || at == near + NEAR)
		for (at = sorted_find(thread->first, count, i, items[i].call.end < wait->end);
		     at < count && items[at].call.end == wait->end && !is_waiting(&items[at], wait);)
			at++;
	if (at == count || !is_waiting(&items[at], wait))
		return NULL;
	thread->last_waiting = at;
	return &items[at];
}

static void add_edge(struct event_graph *graph, const struct event_wait *wait, struct graph_edge edge)
{
	struct graph_call *item = find_waiting(&graph->threads[wait->thread], wait);
	uint32_t number = graph->free_edge;

	if (!item || item->call.is_simple) {
		shared_events_release(edge.shared);
		graph->late_needs++;
		return;
	}
	edge.next = item->needs;
	if (number) {
		graph->free_edge = graph->edges.items[number - 1].next;
		graph->edges.items[number - 1] = edge;
	} else {
		array_add(&graph->edges, edge);
		number = (uint32_t)graph->edges.count;
	}
	item->needs = number;
}

void event_graph_need(struct event_graph *graph, const struct event_wait *wait, const struct event_need *need)
{
	if (need->thread != wait->thread)
		add_edge(graph, wait, (struct graph_edge){.need = *need, .needed = 1});
}

struct shared_events *event_graph_share(const struct event_need *needs, uint32_t count, uint32_t scenarios)
{
	struct shared_events *shared = memory_new(1, sizeof *shared);

	shared->users = 1;
	shared->count = count;
	shared->scenarios = scenarios;
	shared->needs = memory_new(count, sizeof *needs);
	memcpy(shared->needs, needs, count * sizeof *needs);
	shared->moments = memory_new(count, sizeof *shared->moments);
	for (uint32_t i = 0; i < count; i++)
		shared->moments[i] = i ? max_ns(needs[i].moment, shared->moments[i - 1]) : needs[i].moment;
	shared->times = memory_new((size_t)count * scenarios, sizeof *shared->times);
	return shared;
}

void event_graph_need_shared(struct event_graph *graph, const struct event_wait *wait,
                             struct shared_events *shared, uint32_t needed)
{
	shared->users++;
	add_edge(graph, wait,
	         (struct graph_edge){.shared = shared,
	                             .needed = needed < shared->count ? needed : shared->count});
}

void shared_events_release(struct shared_events *shared)
{
	if (!shared || --shared->users)
		return;
	free(shared->needs);
	free(shared->moments);
	free(shared->times);
	free(shared);
}

void event_graph_finish(struct event_graph *graph)
{
	resolve(graph, 0);
}

/* Results */

int64_t event_graph_thread_end_ns(const struct event_graph *graph, uint32_t number, uint32_t scenario)
{
	const struct graph_thread *thread = &graph->threads[number];

	return thread->has_end ? thread->end[scenario] : end_of(graph, thread, thread->first - 1)[scenario];
}

int64_t event_graph_end_ns(const struct event_graph *graph, uint32_t scenario)
{
	int64_t end = INT64_MIN;

	for (uint32_t i = 0; i < graph->thread_count; i++)
		if (graph->threads[i].first)
			end = max_ns(end, event_graph_thread_end_ns(graph, i, scenario));
	return end;
}

int64_t event_graph_error_ns(const struct event_graph *graph)
{
	return graph->error;
}

struct event_doubts event_graph_doubts(const struct event_graph *graph, uint32_t scenario)
{
	struct event_doubts doubts = {.late_needs = graph->late_needs};

	for (uint32_t i = 0; i < graph->thread_count; i++) {
		const struct graph_thread *thread = &graph->threads[i];
		doubts.rematched_ns = max_ns(doubts.rematched_ns, thread->rematched[scenario]);
		doubts.progress_ns = max_ns(doubts.progress_ns, thread->progress[scenario]);
		doubts.tests_ns = max_ns(doubts.tests_ns, thread->tests);
	}
	return doubts;
}
