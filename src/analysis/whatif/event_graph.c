#include "analysis/whatif/event_graph.h"

#include "analysis/model/spans.h"
#include "analysis/whatif/event_replay.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Calls that wait until everything they needed is known. Twice as many: the earlier half of them is resolved. */
	KEPT_MIN = 1 << 12,
	KEPT_OF_EACH = 16,
	/* Resolved calls that others may still need: of all threads together, and of each. */
	PAST_CALLS = 1 << 12,
	PAST_MIN = 64,
	PAST_MAX = 512,
};

static int64_t *vector_new(const struct event_graph *graph)
{
	return memory_new(graph->count, sizeof(int64_t));
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

/* Resolved calls that nobody is likely to need go. Their memory is reused when it is half of all: the others are then moved. */
static void forget_calls(const struct event_graph *graph, struct graph_thread *thread)
{
	size_t resolved = thread->first - thread->oldest, left, shifts_gone;

	if (resolved < 2 * graph->past)
		return;
	thread->oldest = thread->first - graph->past;
	left = thread->calls.count - thread->oldest;
	if (thread->oldest < left)
		return;
	memcpy(thread->calls.items, thread->calls.items + thread->oldest, left * sizeof *thread->calls.items);
	shifts_gone = thread->calls.items[0].start_shifts - thread->shifts_gone;
	thread->shifts_count -= shifts_gone;
	thread->shifts_gone += shifts_gone;
	memmove(thread->shifts, &thread->shifts[shifts_gone * graph->count],
	        thread->shifts_count * graph->count * sizeof *thread->shifts);
	thread->calls.count = left;
	thread->first -= thread->oldest;
	thread->last_waiting -= min_ns((int64_t)thread->last_waiting, (int64_t)thread->oldest);
	thread->last_sought -= min_ns((int64_t)thread->last_sought, (int64_t)thread->oldest);
	thread->oldest = 0;
}

static void resolve(struct event_graph *graph, size_t left)
{
	time_resolver_run(&graph->resolver, left);
	for (uint32_t i = 0; i < graph->thread_count; i++) {
		if (!left)
			resolve_simple(graph, &graph->threads[i], INT64_MAX);
		forget_calls(graph, &graph->threads[i]);
	}
	graph->kept_max = graph->resolver.kept + (left ? left : graph->kept_min);
}

/* Building */

struct event_graph *event_graph_new(uint32_t threads, const struct scenario_factors *scenarios,
                                    uint32_t count)
{
	struct event_graph *graph = memory_new(1, sizeof *graph);
	double ones[SCENARIOS_MAX];

	graph->thread_count = threads;
	graph->count = count < SCENARIOS_MAX ? count : SCENARIOS_MAX;
	graph->all = UINT64_MAX >> (SCENARIOS_MAX - graph->count);
	graph->transfer = memory_new(graph->count, sizeof *graph->transfer);
	graph->library = memory_new(graph->count, sizeof *graph->library);
	graph->delay = memory_new(graph->count, sizeof *graph->delay);
	for (uint32_t s = 0; s < graph->count; s++) {
		graph->library[s] = scenarios[s].library;
		graph->delay[s] = scenarios[s].delay;
		graph->placed |= (uint64_t)scenarios[s].is_placed << s;
		graph->transfer[s] = scenarios[s].is_placed ? 0 : scenarios[s].transfer;
		graph->transfer_changed |= (uint64_t)(graph->transfer[s] != 1) << s;
		graph->library_changed |= (uint64_t)(graph->library[s] != 1) << s;
		graph->delay_changed |= (uint64_t)(graph->delay[s] != 1) << s;
	}
	graph->resolver = (struct time_resolver){
		.context = graph, .list = list_threads, .step = resolve_next};
	graph->kept_min = KEPT_MIN + KEPT_OF_EACH * (size_t)threads;
	graph->kept_max = 2 * graph->kept_min;
	graph->past = threads ? PAST_CALLS / threads : 0;
	graph->past = graph->past < PAST_MIN ? PAST_MIN : graph->past > PAST_MAX ? PAST_MAX : graph->past;
	graph->scratch = vector_new(graph);
	graph->since = vector_new(graph);
	graph->end = vector_new(graph);
	graph->latest = vector_new(graph);
	graph->latest_inside = vector_new(graph);
	graph->serial_end = vector_new(graph);
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
		                      thread->shifts};
		for (size_t j = 0; j < sizeof vectors / sizeof *vectors; j++)
			free(vectors[j]);
		array_release(&thread->calls);
	}
	free(graph->threads);
	free(graph->transfer);
	free(graph->library);
	free(graph->delay);
	free(graph->scratch);
	free(graph->since);
	free(graph->end);
	free(graph->latest);
	free(graph->latest_inside);
	free(graph->serial_end);
	array_release(&graph->work);
	array_release(&graph->work_changed);
	array_release(&graph->work_even);
	array_release(&graph->changes);
	array_release(&graph->gains);
	array_release(&graph->free_gains);
	array_release(&graph->edges);
	time_resolver_release(&graph->resolver);
	free(graph);
}

uint32_t event_graph_work(struct event_graph *graph, const double *factors)
{
	uint64_t changed = 0;

	for (uint32_t s = 0; s < graph->count; s++) {
		array_add(&graph->work, factors[s]);
		changed |= (uint64_t)(factors[s] != 1) << s;
	}
	array_add(&graph->work_changed, changed);
	return (uint32_t)graph->work_changed.count - 1;
}

void event_graph_even_work(struct event_graph *graph, uint32_t kind, uint64_t scenarios)
{
	array_extend(&graph->work_even, kind + 1u);
	graph->work_even.items[kind] = scenarios;
	graph->work_changed.items[kind] |= scenarios;
}

uint32_t event_graph_changes(struct event_graph *graph, const struct call_changes *changes)
{
	array_add(&graph->changes, *changes);
	return (uint32_t)graph->changes.count - 1;
}

uint32_t event_graph_gains(struct event_graph *graph, const int64_t *gains_ns)
{
	size_t number = graph->gains.count / graph->count + 1;

	if (graph->free_gains.count)
		number = graph->free_gains.items[--graph->free_gains.count];
	array_extend(&graph->gains, number * graph->count);
	memcpy(&graph->gains.items[(number - 1) * graph->count], gains_ns, graph->count * sizeof *gains_ns);
	return (uint32_t)number;
}

void event_graph_listen(struct event_graph *graph,
                        void (*heard)(void *context, uint32_t thread, const int64_t *shifts), void *context)
{
	graph->heard = heard;
	graph->listener = context;
}

double event_graph_work_factor(const struct event_graph *graph, uint32_t kind, uint32_t scenario)
{
	return work_of(graph, kind)[scenario];
}

/* Needs nobody, and takes as long as recorded in each scenario. */
static bool never_shifts(const struct event_graph *graph, const struct event_call *call)
{
	return call->is_simple && !call->changes && !call->gains && !call->delay_inside &&
	       !graph->library_changed && !call->is_fixed;
}

/* Such calls are as late as the one before them, and so is all that happens between them: they become one. */
static bool joins_last(const struct event_graph *graph, const struct graph_thread *thread,
                       const struct event_call *call)
{
	return never_shifts(graph, call) && !call->delay_before && thread->calls.count > thread->first &&
	       never_shifts(graph, &thread->calls.items[thread->calls.count - 1].call) &&
	       !graph->work_changed.items[call->work];
}

void event_graph_call(struct event_graph *graph, uint32_t number, const struct event_call *call)
{
	struct graph_thread *thread = &graph->threads[number];
	struct graph_call *item;

	if (joins_last(graph, thread, call)) {
		thread->calls.items[thread->calls.count - 1].call.end = thread->last_end = call->end;
		return;
	}
	item = &array_reserve(&thread->calls, thread->calls.count + 1)->items[thread->calls.count++];
	item->call = *call;
	item->last_end = thread->has_calls ? thread->last_end : call->start;
	item->since = thread->is_testing && !call->has_work ? thread->tests_since : call->start;
	item->needs = 0;
	thread->is_testing = call->is_fruitless && !call->has_work;
	thread->tests_since = item->since;
	thread->last_end = call->end;
	thread->has_calls = true;
	thread->is_over = call->is_last;
	if (++graph->resolver.kept > graph->kept_max)
		resolve(graph, graph->kept_min);
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

/* NULL: the call was resolved before, or never waits. */
static struct graph_call *find_call(struct event_graph *graph, const struct event_wait *wait)
{
	struct graph_call *item = find_waiting(&graph->threads[wait->thread], wait);

	if (item && !item->call.is_simple)
		return item;
	graph->late_needs++;
	return NULL;
}

/* A new edge to a call. */
static struct graph_edge *add_edge(struct event_graph *graph, struct graph_call *item)
{
	uint32_t number = graph->free_edge;
	struct graph_edge *edge;

	if (!number) {
		(void)array_reserve(&graph->edges, graph->edges.count + 1);
		number = (uint32_t)++graph->edges.count;
	}
	edge = &graph->edges.items[number - 1];
	if (number == graph->free_edge)
		graph->free_edge = edge->next;
	edge->next = item->needs;
	item->needs = number;
	return edge;
}

int64_t event_graph_tests_since(const struct event_graph *graph, uint32_t number, int64_t start)
{
	const struct graph_thread *thread = &graph->threads[number];
	const struct graph_call *items = thread->calls.items;
	size_t at = sorted_find(thread->first, thread->calls.count, i, items[i].call.start < start);

	return at < thread->calls.count && items[at].call.start == start ? items[at].since : start;
}

void event_graph_need(struct event_graph *graph, const struct event_wait *wait,
                      const struct event_need *needs, uint32_t count)
{
	struct graph_call *item = NULL;

	for (uint32_t i = 0; i < count; i++) {
		struct graph_edge *edge;
		if (needs[i].thread == wait->thread || (!item && !(item = find_call(graph, wait))))
			continue;
		edge = add_edge(graph, item);
		edge->shared = NULL;
		edge->needed = 1;
		edge->need = needs[i];
	}
}

void event_graph_replace(struct event_graph *graph, const struct event_wait *wait, int64_t moment, int64_t ns,
                         uint64_t scenarios)
{
	struct graph_call *item = find_call(graph, wait);
	struct graph_edge *edge;

	if (!item)
		return;
	edge = add_edge(graph, item);
	edge->shared = NULL;
	edge->needed = 1;
	edge->need = (struct event_need){.thread = wait->thread,
	                                 .kind = EVENT_SERIAL,
	                                 .moment = moment,
	                                 .transfer_ns = ns,
	                                 .absent = ~scenarios};
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
	struct graph_call *item = find_call(graph, wait);
	struct graph_edge *edge;

	if (!item)
		return;
	edge = add_edge(graph, item);
	edge->needed = needed < shared->count ? needed : shared->count;
	edge->shared = shared;
	shared->users++;
}

void shared_events_release(struct shared_events *shared)
{
	if (!shared || --shared->users)
		return;
	free(shared->needs);
	free(shared->moments);
	free(shared->times);
	free(shared->means);
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

	return thread->has_end ? thread->end[scenario]
	                       : thread->calls.items[thread->first - 1].call.end +
	                                 last_shifts(graph, thread)[scenario];
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
