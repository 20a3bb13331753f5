#include "analysis/whatif/event_replay.h"

#include "analysis/model/spans.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Shifts: how much later than recorded an event is in each scenario. */
static int64_t *shifts_of(const struct event_graph *graph, const struct graph_thread *thread, size_t number)
{
	return &thread->shifts[(number - thread->shifts_gone) * graph->count];
}

/* Room for the next vector of a thread, after shifts_reserve(). */
static int64_t *shifts_next(const struct event_graph *graph, const struct graph_thread *thread)
{
	return &thread->shifts[thread->shifts_count * graph->count];
}

/* For the shifts of one call: its start, its end, and its start if that changes. */
static void shifts_reserve(const struct event_graph *graph, struct graph_thread *thread)
{
	enum { VECTORS = 3 };

	array_fit(thread->shifts, thread->shifts_room, (thread->shifts_count + VECTORS) * graph->count);
}

/* Returns the number of these shifts: the last ones of the thread, or those in the room for the next. */
static size_t shifts_take(const struct event_graph *graph, struct graph_thread *thread, const int64_t *shifts)
{
	thread->shifts_count += shifts == shifts_next(graph, thread);
	return thread->shifts_gone + thread->shifts_count - 1;
}

/* The same for any shifts after the first. If they are equal to the last ones, they are not new. */
static size_t shifts_keep(const struct event_graph *graph, struct graph_thread *thread, const int64_t *shifts)
{
	const size_t bytes = graph->count * sizeof *shifts;
	int64_t *next = shifts_next(graph, thread);
	const int64_t *last = next - graph->count;
	const bool is_new = last != shifts && memcmp(last, shifts, bytes) != 0;

	assert(thread->shifts && thread->shifts_count > 0);
	if (is_new && shifts != next)
		memcpy(next, shifts, bytes);
	thread->shifts_count += is_new;
	return thread->shifts_gone + thread->shifts_count - 1;
}

/* The shifts that were kept last. */
static const int64_t *shifts_kept(const struct event_graph *graph, const struct graph_thread *thread)
{
	return shifts_next(graph, thread) - graph->count;
}

const int64_t *last_shifts(const struct event_graph *graph, const struct graph_thread *thread)
{
	return shifts_of(graph, thread, thread->calls.items[thread->first - 1].end_shifts);
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

/* How much more `ns` are if scaled. */
static int64_t growth(double factor, int64_t ns)
{
	return scaled(factor, ns) - ns;
}

/* Takes the lowest scenario out of a mask. */
static uint32_t next_scenario(uint64_t *mask)
{
	uint32_t scenario = (uint32_t)__builtin_ctzll(*mask);

	*mask &= *mask - 1;
	return scenario;
}

static const int64_t *add_work(const struct event_graph *graph, const int64_t *shifts,
                               const struct event_call *next, int64_t computing, int64_t delay, int64_t *room)
{
	const uint32_t work = next ? next->work : 0;
	uint64_t work_changed = computing ? graph->work_changed.items[work] : 0;
	uint64_t even = work < graph->work_even.count ? graph->work_even.items[work] : 0;
	uint64_t delay_changed = delay ? graph->delay_changed : 0;
	const double even_part = next ? next->even : 1;

	memcpy(room, shifts, graph->count * sizeof *room);
	while (work_changed) {
		uint32_t s = next_scenario(&work_changed);
		room[s] += growth(work_of(graph, work)[s] * (has_bit(even, s) ? even_part : 1), computing);
	}
	while (delay_changed) {
		uint32_t s = next_scenario(&delay_changed);
		room[s] += growth(graph->delay[s], delay);
	}
	return room;
}

/* Shifts after work before a call; NULL: none follows. `room` is used if they change. */
static inline const int64_t *shifts_after(const struct event_graph *graph, const int64_t *shifts,
                                          const struct event_call *next, int64_t computing, int64_t delay,
                                          int64_t *room)
{
	const bool changes_work = computing && graph->work_changed.items[next ? next->work : 0];

	return changes_work || (delay && graph->delay_changed)
	               ? add_work(graph, shifts, next, computing, delay, room)
	               : shifts;
}

/* A call that starts earlier still starts after the one before it. */
static const int64_t *subtract_gains(const struct event_graph *graph, const struct graph_thread *thread,
                                     const struct graph_call *item, const int64_t *shifts, int64_t *room)
{
	const int64_t *gains = &graph->gains.items[(size_t)(item->call.gains - 1) * graph->count];
	const int64_t *last = last_shifts(graph, thread), gap = item->call.start - item->last_end;

	for (uint32_t s = 0; s < graph->count; s++)
		room[s] = max_ns(shifts[s] - gains[s], min_ns(shifts[s], last[s] - gap));
	return room;
}

/* When a call starts, from the end of the one before. */
static const int64_t *find_start(const struct event_graph *graph, const struct graph_thread *thread,
                                 const struct graph_call *item, int64_t *room)
{
	const struct event_call *call = &item->call;
	const int64_t *shifts;

	if (!call->is_fixed && thread->first) {
		shifts = shifts_after(graph, last_shifts(graph, thread), call,
		                      call->start - item->last_end - call->delay_before, call->delay_before,
		                      room);
		return call->gains ? subtract_gains(graph, thread, item, shifts, room) : shifts;
	}
	memset(room, 0, graph->count * sizeof *room);
	return room;
}

void resolve_simple_calls(struct event_graph *graph, struct graph_thread *thread, int64_t until)
{
	while (next_is_simple(thread, until))
		resolve_call(graph, thread);
}

/* After the last resolved call, or in the call that follows it. */
static const int64_t *shifts_at_end(const struct event_graph *graph, const struct graph_thread *thread,
                                    int64_t moment, int64_t *room)
{
	const struct graph_call *next = thread->first < thread->calls.count
	                                        ? &thread->calls.items[thread->first]
	                                        : NULL;

	if (next && moment >= next->call.start)
		return find_start(graph, thread, next, room);
	if (thread->first)
		return shifts_after(graph, last_shifts(graph, thread), next ? &next->call : NULL,
		                    moment - thread->calls.items[thread->first - 1].call.end, 0, room);
	memset(room, 0, graph->count * sizeof *room);
	return room;
}

/* Inside a resolved call, or after it. */
static const int64_t *shifts_in_call(const struct event_graph *graph, const struct graph_thread *thread,
                                     size_t number, int64_t moment, int64_t *room)
{
	const struct graph_call *item = &thread->calls.items[number];
	const struct event_call *call = &item->call;
	const int64_t *start = shifts_of(graph, thread, item->start_shifts);
	const int64_t *end = shifts_of(graph, thread, item->end_shifts);

	if (moment >= call->end)
		return shifts_after(graph, end, number + 1 < thread->calls.count ? &item[1].call : NULL,
		                    moment - call->end, 0, room);
	if (start == end || moment == call->start)
		return start;
	for (uint32_t s = 0; s < graph->count; s++)
		room[s] = min_ns(start[s], max_ns(call->start + start[s], call->end + end[s]) - moment);
	return room;
}

/* The shifts of an event of a thread, by its recorded time: kept ones, or in `room`. */
static const int64_t *shifts_at(struct event_graph *graph, struct graph_thread *thread, int64_t moment,
                                int64_t *room)
{
	const size_t oldest = thread->oldest;
	size_t later; /* one above the last call that had begun: mostly the one that was found last, or after it */

	resolve_simple(graph, thread, moment);
	if (!thread->first || (thread->calls.items[thread->first - 1].call.end < moment))
		return shifts_at_end(graph, thread, moment, room);
	later = sorted_find_near(oldest, thread->first, thread->last_sought, i,
	                         thread->calls.items[i].call.start <= moment);
	thread->last_sought = later;
	/* Longer ago than calls are kept: as early or late as the first one that is. */
	return later > oldest ? shifts_in_call(graph, thread, later - 1, moment, room)
	                      : shifts_of(graph, thread, thread->calls.items[oldest].start_shifts);
}

/* A shared event becomes the latest of those up to it. */
static const int64_t *latest_shared(struct event_graph *graph, struct shared_events *shared, uint32_t needed)
{
	for (; shared->evaluated < needed; shared->evaluated++) {
		struct event_need *need = &shared->needs[shared->evaluated];
		int64_t *times = &shared->times[(size_t)shared->evaluated * graph->count];
		const int64_t *shifts = shifts_at(graph, &graph->threads[need->thread], need->moment,
		                                  graph->scratch);
		for (uint32_t s = 0; s < graph->count; s++)
			times[s] = need->moment + shifts[s];
		for (uint32_t s = 0; s < graph->count && shared->evaluated; s++)
			times[s] = max_ns(times[s], times[(int64_t)s - graph->count]);
	}
	return &shared->times[(size_t)(needed - 1) * graph->count];
}

/* The mean of all shared events. */
static const int64_t *mean_shared(struct event_graph *graph, struct shared_events *shared)
{
	const int64_t origin = shared->needs[0].moment;
	int64_t moments = 0;

	if (shared->means)
		return shared->means;
	shared->means = memory_new(graph->count, sizeof *shared->means);
	for (uint32_t i = 0; i < shared->count; i++) {
		const struct event_need *need = &shared->needs[i];
		const int64_t *shifts = shifts_at(graph, &graph->threads[need->thread], need->moment,
		                                  graph->scratch);
		moments += need->moment - origin;
		for (uint32_t s = 0; s < graph->count; s++)
			shared->means[s] += shifts[s];
	}
	for (uint32_t s = 0; s < graph->count; s++)
		shared->means[s] = origin + (moments + shared->means[s]) / shared->count;
	return shared->means;
}

/* A receive from anybody takes the first message that comes. If this one comes before that of the receive before, that one took this message, and
 * this receive takes the other one. */
static void match_again(const struct event_graph *graph, struct graph_thread *thread,
                        const struct event_need *need, int64_t since, int64_t *since_shifts, int64_t *shifts)
{
	bool follows = thread->any_queue == need->queue && thread->any_recorded <= need->moment;

	for (uint32_t s = 0; s < graph->count; s++) {
		int64_t moment = need->moment + shifts[s], gain = 0;
		if (follows && moment < thread->any_moment[s]) {
			gain = max_ns(thread->any_moment[s] - max_ns(moment, thread->any_since[s]), 0);
			shifts[s] = thread->any_moment[s] - need->moment;
		}
		thread->rematched[s] += gain;
		thread->any_moment[s] = need->moment + shifts[s];
		thread->any_since[s] = since + since_shifts[s];
		since_shifts[s] -= gain;
	}
	thread->any_recorded = need->moment;
	thread->any_queue = need->queue;
}

/* A call of the recorded run, as its edges explain it. */
struct residual {
	int64_t ready;    /* when all that it needed had come */
	int64_t transfer; /* the part of the time after it that is the transfer */
	bool is_bound;    /* it needed somebody */
	bool is_progress; /* partners have to be inside a call */
	uint64_t serial;  /* scenarios of an edge of EVENT_SERIAL */
	uint32_t last;    /* changes of the call that it needed last … */
	bool is_receiver; /* … which receives the message of this one */
	bool is_any;      /* it received from anybody */
	int64_t unplaced; /* the part of the transfer that does not depend on the places of ranks */
};

/* When a wait began: recorded, and the shifts of it. */
struct wait_start {
	int64_t ns;
	const int64_t *shifts; /* `graph->since` if the wait is for anybody */
};

static int64_t moment_of(const struct graph_edge *edge)
{
	return edge->shared ? edge->shared->moments[edge->needed - 1] : edge->need.moment;
}

static bool is_serial(const struct graph_edge *edge)
{
	return !edge->shared && edge->need.kind == EVENT_SERIAL;
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
		if (is_serial(edge)) {
			residual.serial = graph->all & ~edge->need.absent;
			continue;
		}
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
		residual.is_progress |= edge->shared && edge->shared->needs[0].kind == EVENT_PROGRESS;
		if (!edge->shared)
			rest = max_ns(rest, moment + edge->need.transfer_ns);
		residual.is_any |= !edge->shared && edge->need.kind == EVENT_ANY;
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

/* Scenarios in which the members of its collective operation meet at the mean of their arrivals. */
static uint64_t evened_in(const struct event_graph *graph, const struct graph_call *item)
{
	return graph->changes.items[item->call.changes].evened;
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
                        const struct graph_call *item, const struct residual *residual, int64_t since)
{
	const struct event_need *need = &edge->need;
	int64_t left = item->call.end - residual->ready, *restrict latest = graph->latest;
	int64_t hidden = min_ns(max_ns(need->transfer_ns - left, 0), residual->ready - need->moment);
	uint64_t alone = need->kind == EVENT_RECEIVER ? unbound_in(graph, item) & ~need->absent &
	                                                        graph->changes.items[need->changes].unbound
	                                              : 0;
	uint64_t special = (need->absent | graph->placed | (hidden ? graph->transfer_changed : 0)) &
	                   graph->all;
	int64_t before[SCENARIOS_MAX];
	const int64_t *shifts = shifts_at(graph, &graph->threads[need->thread], need->moment, graph->scratch);

	/* Neither side of the message waits: it would have to make progress alone. */
	while (alone)
		thread->progress[next_scenario(&alone)] += residual->ready - item->since;
	if (need->kind == EVENT_ANY) {
		if (shifts != graph->scratch)
			memcpy(graph->scratch, shifts, graph->count * sizeof *shifts);
		shifts = graph->scratch;
		match_again(graph, thread, need, since, graph->since, graph->scratch);
	}
	for (uint64_t left_of = special; left_of;) {
		uint32_t s = next_scenario(&left_of);
		before[s] = latest[s];
	}
	for (uint32_t s = 0; s < graph->count; s++)
		latest[s] = max_ns(latest[s], need->moment + hidden + shifts[s]);
	while (special) {
		uint32_t s = next_scenario(&special);
		int64_t moment = need->moment + shifts[s];
		moment += has_bit(graph->placed, s) ? placed_transfer(need, item, residual)
		                                    : scaled(graph->transfer[s], hidden);
		latest[s] = has_bit(need->absent, s) ? before[s] : max_ns(before[s], moment);
	}
}

static void follow_shared(struct event_graph *graph, const struct graph_edge *edge,
                          const struct graph_call *item, const struct residual *residual)
{
	const int64_t *times = latest_shared(graph, edge->shared, edge->needed);
	uint64_t evened = evened_in(graph, item);
	int64_t *restrict latest = edge->shared->needs[0].kind == EVENT_PROGRESS ? graph->latest_inside
	                                                                         : graph->latest;

	if (!graph->placed && !evened) {
		for (uint32_t s = 0; s < graph->count; s++)
			latest[s] = max_ns(latest[s], times[s]);
		return;
	}
	for (uint32_t s = 0; s < graph->count; s++)
		if (!has_bit(evened, s))
			latest[s] = max_ns(latest[s],
			                   times[s] + (has_bit(graph->placed, s) ? residual->unplaced : 0));
	while (evened) {
		uint32_t s = next_scenario(&evened);
		latest[s] = max_ns(latest[s], mean_shared(graph, edge->shared)[s]);
	}
}

/* Partners have to be inside a call when all others have come. */
static void await_progress(struct event_graph *graph, struct graph_thread *thread,
                           const struct wait_start *since)
{
	for (uint32_t s = 0; s < graph->count; s++) {
		int64_t others = max_ns(graph->latest[s], since->ns + since->shifts[s]);
		thread->progress[s] += graph->latest_inside[s] > others ? graph->latest_inside[s] - others
		                                                        : 0;
		graph->latest[s] = max_ns(graph->latest[s], graph->latest_inside[s]);
	}
}

/* When the last event came that it needed, in each scenario. */
static void follow_edges(struct event_graph *graph, struct graph_thread *thread, struct graph_call *item,
                         const struct residual *residual, const struct wait_start *since)
{
	uint64_t unbound = unbound_in(graph, item) & ~evened_in(graph, item);

	for (uint32_t s = 0; s < graph->count; s++)
		graph->latest[s] = INT64_MIN;
	for (uint32_t s = 0; s < graph->count && residual->is_progress; s++)
		graph->latest_inside[s] = INT64_MIN;
	while (item->needs) {
		uint32_t number = item->needs;
		struct graph_edge *edge = &graph->edges.items[number - 1];
		if (is_serial(edge)) {
			const int64_t *shifts = shifts_at(graph, thread, edge->need.moment, graph->scratch);
			for (uint32_t s = 0; s < graph->count; s++)
				graph->serial_end[s] = edge->need.moment + shifts[s] + edge->need.transfer_ns;
		} else if (edge->needed && edge->shared) {
			follow_shared(graph, edge, item, residual);
		} else if (edge->needed) {
			follow_edge(graph, thread, edge, item, residual, since->ns);
		}
		shared_events_release(edge->shared);
		item->needs = edge->next;
		edge->next = graph->free_edge;
		graph->free_edge = number;
	}
	while (unbound) {
		uint32_t s = next_scenario(&unbound);
		graph->latest[s] = graph->latest_inside[s] = INT64_MIN;
	}
	if (residual->is_progress)
		await_progress(graph, thread, since);
}

/* The parts of a call after all had come. */
struct rest {
	int64_t left, transfer, library, delay;
	const struct call_changes *changes, *partner; /* of the call, and of the one that it needed last … */
	bool is_receiver;                             /* … which receives its message */
};

static struct rest rest_of(const struct event_graph *graph, const struct graph_call *item,
                           const struct residual *residual)
{
	struct rest rest = {.left = item->call.end - residual->ready,
	                    .changes = &graph->changes.items[item->call.changes],
	                    .partner = &graph->changes.items[residual->last],
	                    .is_receiver = residual->is_receiver};

	rest.delay = min_ns(item->call.delay_inside, rest.left);
	rest.transfer = residual->is_bound ? min_ns(residual->transfer, rest.left - rest.delay) : 0;
	rest.library = rest.left - rest.transfer - rest.delay;
	return rest;
}

/* How much less time a call takes. What a receive saves of a message, its send saves as well, but not twice. */
static int64_t less_time(const struct rest *rest, uint32_t scenario)
{
	const struct call_changes *own = rest->changes, *partner = rest->partner;
	int64_t less = has_bit(own->shortened, scenario) ? own->less_ns[scenario] : 0;
	int64_t partners = has_bit(partner->shortened, scenario) ? partner->less_ns[scenario] : 0;

	return rest->is_receiver ? max_ns(less, partners) : less + partners;
}

/* Adds what the rest takes longer in scenarios that change it. */
static void add_rest(const struct event_graph *graph, const struct event_call *call, const struct rest *rest,
                     uint64_t changed, int64_t *end)
{
	const struct call_changes *changes = rest->changes;
	uint64_t special = changes->hidden | changes->shortened | rest->partner->shortened;

	while (changed) {
		uint32_t s = next_scenario(&changed);
		int64_t moved = scaled(graph->transfer[s], rest->transfer);
		int64_t ns = moved + scaled(graph->library[s], rest->library);
		if (call->keeps_time) {
			ns = rest->left - rest->delay;
			ns = has_bit(changes->shortened, s) ? max_ns(ns - changes->less_ns[s], 0) : ns;
		} else if (special) {
			ns -= has_bit(changes->hidden, s) ? max_ns(moved, changes->hidden_ns[s]) : 0;
			ns = max_ns(ns - less_time(rest, s), 0);
		}
		ns += rest->delay ? scaled(graph->delay[s], rest->delay) : 0;
		end[s] += ns - rest->left;
	}
}

/* Scenarios in which the rest does not take as long as recorded. */
static uint64_t rest_changed(const struct event_graph *graph, const struct event_call *call,
                             const struct rest *rest)
{
	uint64_t changed = rest->changes->shortened | (rest->delay ? graph->delay_changed : 0);

	if (!call->keeps_time)
		changed |= rest->changes->hidden | rest->partner->shortened |
		           (rest->transfer ? graph->transfer_changed : 0) |
		           (rest->library ? graph->library_changed : 0);
	return changed;
}

/* In scenarios that share the work of a team, or leave it to one thread: this member may have arrived later. */
static void replace_end(const struct event_graph *graph, const struct graph_call *item,
                        const struct residual *residual, int64_t *end)
{
	uint64_t evened = evened_in(graph, item), serial = residual->serial;

	while (evened) {
		uint32_t s = next_scenario(&evened);
		if (graph->latest[s] > INT64_MIN)
			end[s] = graph->latest[s] - residual->ready;
	}
	while (serial) {
		uint32_t s = next_scenario(&serial);
		end[s] = graph->serial_end[s] - item->call.end;
	}
}

/* The shifts of the end of a call that needs nobody, and that no scenario changes; those of its start if they are the same. */
static const int64_t *find_own_end(struct event_graph *graph, struct graph_thread *thread,
                                   const struct event_call *call, const int64_t *start)
{
	const int64_t left = call->end - call->start, delay = min_ns(call->delay_inside, left),
		      library = left - delay;
	const bool keeps_library = call->keeps_time || !library;
	uint64_t changed = (delay ? graph->delay_changed : 0) | (keeps_library ? 0 : graph->library_changed);
	int64_t *end = shifts_next(graph, thread);

	if (!changed)
		return start;
	memcpy(end, start, graph->count * sizeof *end);
	while (changed) {
		uint32_t s = next_scenario(&changed);
		end[s] += (keeps_library ? 0 : growth(graph->library[s], library)) +
		          (delay ? growth(graph->delay[s], delay) : 0);
	}
	return end;
}

/* The shifts of its end; those of its start if they are the same. */
static const int64_t *find_end(struct event_graph *graph, struct graph_thread *thread,
                               struct graph_call *item)
{
	const struct event_call *call = &item->call;
	const size_t bytes = graph->count * sizeof *graph->end;
	struct residual residual = find_residual(graph, item);
	uint64_t removed = graph->changes.items[call->changes].removed, changed, placed;
	const bool has_needs = item->needs, goes_on = residual.is_bound && item->since < call->start;
	const int64_t *start = shifts_kept(graph, thread);
	int64_t since = goes_on ? item->since : call->start, offset;
	int64_t *restrict end = residual.is_any ? graph->end : shifts_next(graph, thread);
	struct rest rest;

	/* Tests that ended without a message are computing. */
	if (!residual.is_bound)
		residual.ready = call->start;
	rest = rest_of(graph, item, &residual);
	changed = rest_changed(graph, call, &rest);
	if (!has_needs && !changed && !removed && !call->is_fixed)
		return start;
	start = goes_on ? thread->since : start;
	if (residual.is_any)
		start = memcpy(graph->since, start, bytes);
	if (has_needs)
		follow_edges(graph, thread, item, &residual, &(struct wait_start){since, start});
	offset = rest.left - call->end;
	for (uint32_t s = 0; s < graph->count && !has_needs; s++)
		end[s] = since + start[s] + offset;
	for (uint32_t s = 0; s < graph->count && has_needs; s++)
		end[s] = max_ns(since + start[s], graph->latest[s]) + offset;
	for (placed = has_needs ? graph->placed : 0; placed;) {
		uint32_t s = next_scenario(&placed);
		end[s] = max_ns(since + start[s] + residual.unplaced, graph->latest[s]) + offset;
	}
	if (has_needs)
		replace_end(graph, item, &residual, end);
	add_rest(graph, call, &rest, changed, end);
	if (call->is_fixed)
		memset(end, 0, bytes);
	while (removed) {
		uint32_t s = next_scenario(&removed);
		end[s] = since + start[s] - call->end;
	}
	/* Other matches of receives moved the start of the wait. */
	if (residual.is_any && goes_on)
		memcpy(thread->since, graph->since, bytes);
	else if (residual.is_any)
		item->start_shifts = shifts_keep(graph, thread, graph->since);
	return end;
}

/* The next call of a thread, whose needs are all resolved. */
void resolve_call(struct event_graph *graph, struct graph_thread *thread)
{
	struct graph_call *item = &thread->calls.items[thread->first];
	const struct event_call *call = &item->call;
	const int64_t *start;

	shifts_reserve(graph, thread);
	start = find_start(graph, thread, item, shifts_next(graph, thread));
	item->start_shifts = shifts_take(graph, thread, start);
	start = shifts_kept(graph, thread);
	if (call->gains)
		array_add(&graph->free_gains, call->gains);
	if (call->is_heard)
		graph->heard(graph->listener, (uint32_t)(thread - graph->threads), start);
	if (call->is_last && !thread->has_end) {
		thread->has_end = true;
		for (uint32_t s = 0; s < graph->count; s++)
			thread->end[s] = call->start + start[s];
	}
	if (!item->needs && !call->changes && !call->is_fixed && !call->is_fruitless) {
		item->end_shifts = shifts_take(graph, thread, find_own_end(graph, thread, call, start));
	} else if (call->is_fruitless) {
		if (item->since == call->start)
			memcpy(thread->since, start, graph->count * sizeof *start);
		item->end_shifts = item->start_shifts;
		thread->tests += call->has_work ? call->end - call->start : 0;
	} else {
		item->end_shifts = shifts_keep(graph, thread, find_end(graph, thread, item));
	}
	graph->error = max_ns(graph->error, llabs(*shifts_kept(graph, thread)));
	thread->first++;
	graph->resolver.kept--;
}
