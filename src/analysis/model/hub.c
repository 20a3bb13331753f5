#include "analysis/model/hub.h"

#include "analysis/model/places.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	AT_A_TIME = 64,
	SCALAR_BYTES = 16,   /* of the largest: a complex double */
	ROUNDS_OF_HABIT = 3, /* collective calls that are less are no way of working */
};

/* Which way data goes. */
enum way { WAY_GET, WAY_PUT, WAY_COPY, WAY_FROM_ROOT, WAY_TO_ROOT, WAY_ALL };

static const struct {
	const char *name;
	enum way way;
} movers[] = {
	{"upc_get", WAY_GET},
	{"upc_memget", WAY_GET},
	{"upc_memget_nb", WAY_GET},
	{"upc_memget_nbi", WAY_GET},
	{"upc_put", WAY_PUT},
	{"upc_memput", WAY_PUT},
	{"upc_memput_nb", WAY_PUT},
	{"upc_memput_nbi", WAY_PUT},
	{"upc_memset", WAY_PUT},
	{"upc_memset_nb", WAY_PUT},
	{"upc_memset_nbi", WAY_PUT},
	{"upc_memcpy", WAY_COPY},
	{"upc_memcpy_nb", WAY_COPY},
	{"upc_memcpy_nbi", WAY_COPY},
	{"upc_all_scatter", WAY_FROM_ROOT},
	{"upc_all_gather", WAY_TO_ROOT},
	{"upc_all_gather_all", WAY_ALL},
	{"upc_all_exchange", WAY_ALL},
	{"upc_all_permute", WAY_ALL},
	{"upc_all_prefix_reduce", WAY_ALL},
};

/* Calls of one thread that are one distinct call. */
struct flow {
	uint32_t caller, from, to;
	uint32_t place;
	uint64_t count;
	bool is_collective, is_of_all;
};

enum act { ACT_GIVE = 1, ACT_TAKE = 2, ACT_TRANSFER = 4, ACT_BARRIER = 8, ACT_KNOWN = 16 };

/* Calls of a process that are one distinct call. */
struct seen {
	const struct call *call; /* NULL: there are none */
	uint32_t acts;           /* enum act; 0: not looked at yet */
	uint64_t count;
};

/* What lies between two barriers of a thread. */
struct phases {
	uint64_t count, busy, two_way; /* busy: with transfers; two_way: to the thread and from it */
	uint32_t acts;                 /* in the one at hand */
};

struct search {
	struct reader *reader;
	uint32_t threads;
	struct places places;
	struct flow *flows;
	size_t flow_count, flow_room;
	struct phases most;
	/* of the process at hand */
	uint32_t caller;
	struct phases phases;
	struct seen *seen; /* by the call's id */
	size_t seen_room;
};

static const struct comm *find_team(const struct process *process)
{
	for (size_t i = 0; i < process->comm_count; i++)
		if (process->comms[i].kind == COMM_UPC)
			return &process->comms[i];
	return NULL;
}

static void make_room(struct search *search, uint32_t id)
{
	size_t room = search->seen_room ? search->seen_room : 256;

	if (id < search->seen_room)
		return;
	while (room <= id)
		room *= 2;
	search->seen = memory_grow(search->seen, room, sizeof *search->seen);
	memset(search->seen + search->seen_room, 0, (room - search->seen_room) * sizeof *search->seen);
	search->seen_room = room;
}

static bool find_way(const char *name, enum way *way)
{
	for (size_t i = 0; i < sizeof movers / sizeof *movers; i++) {
		if (strcmp(movers[i].name, name) == 0) {
			*way = movers[i].way;
			return true;
		}
	}
	return false;
}

/* False: not told, or no thread of the team. */
static bool thread_in(const struct search *search, const struct call *call, enum field_key key,
                      uint32_t *thread)
{
	int64_t value;

	if (!call_field(call, key, &value) || value < 0 || value >= search->threads)
		return false;
	*thread = (uint32_t)value;
	return true;
}

static bool find_ends(const struct search *search, const struct call *call, enum way way, struct flow *flow)
{
	flow->from = flow->to = flow->caller;
	switch (way) {
	case WAY_GET:
		return thread_in(search, call, FIELD_TARGET, &flow->from);
	case WAY_PUT:
		return thread_in(search, call, FIELD_TARGET, &flow->to);
	case WAY_COPY:
		return thread_in(search, call, FIELD_SOURCE, &flow->from) &&
		       thread_in(search, call, FIELD_TARGET, &flow->to);
	case WAY_FROM_ROOT:
		return thread_in(search, call, FIELD_ROOT, &flow->from);
	case WAY_TO_ROOT:
		return thread_in(search, call, FIELD_ROOT, &flow->to);
	case WAY_ALL:
		return true;
	}
	return false;
}

static bool is_between(const struct flow *flow)
{
	return flow->from != flow->to;
}

static int64_t field_or_none(const struct call *call, enum field_key key)
{
	int64_t value;

	return call_field(call, key, &value) ? value : 0;
}

static bool is_scalar(const struct call *call, const struct flow *flow)
{
	return !flow->is_collective && flow->caller != 0 && is_between(flow) &&
	       (flow->from == 0 || flow->to == 0) && field_or_none(call, FIELD_SENT) <= SCALAR_BYTES &&
	       field_or_none(call, FIELD_RECEIVED) <= SCALAR_BYTES;
}

static void add_flow(struct search *search, struct flow flow)
{
	if (search->flow_count == search->flow_room) {
		search->flow_room = search->flow_room ? search->flow_room * 2 : 256;
		search->flows = memory_grow(search->flows, search->flow_room, sizeof *search->flows);
	}
	search->flows[search->flow_count++] = flow;
}

static bool read_flow(const struct search *search, const struct call *call, struct flow *flow)
{
	enum way way;

	*flow = (struct flow){.caller = search->caller};
	if (!find_way(call->outline->name, &way) || !find_ends(search, call, way, flow))
		return false;
	flow->is_collective = way >= WAY_FROM_ROOT;
	flow->is_of_all = way == WAY_ALL;
	return !is_scalar(call, flow);
}

static uint32_t acts_of(const struct search *search, const struct call *call)
{
	struct flow flow;

	if (strcmp(call->outline->name, "upc_barrier") == 0 || strcmp(call->outline->name, "upc_notify") == 0)
		return ACT_KNOWN | ACT_BARRIER;
	if (!read_flow(search, call, &flow) || !is_between(&flow))
		return ACT_KNOWN;
	return ACT_KNOWN | ACT_TRANSFER | (flow.from == flow.caller ? ACT_GIVE : 0) |
	       (flow.to == flow.caller ? ACT_TAKE : 0);
}

static void end_phase(struct phases *phases)
{
	phases->count++;
	phases->busy += (phases->acts & ACT_TRANSFER) != 0;
	phases->two_way += phases->acts & ACT_GIVE && phases->acts & ACT_TAKE;
	phases->acts = 0;
}

static void count_call(struct search *search, const struct call *call)
{
	struct seen *seen;

	make_room(search, call->id);
	seen = &search->seen[call->id];
	seen->call = call;
	seen->count++;
	if (!seen->acts)
		seen->acts = acts_of(search, call);
	search->phases.acts |= seen->acts;
	if (seen->acts & ACT_BARRIER)
		end_phase(&search->phases);
}

static void count_calls(struct search *search, struct stream *stream)
{
	struct event events[AT_A_TIME];
	struct event_iter iter;
	uint32_t count;

	reader_events(search->reader, stream, &iter);
	while ((count = reader_next_many(&iter, events, AT_A_TIME)))
		for (uint32_t i = 0; i < count; i++)
			count_call(search, events[i].call);
}

static void take_flow(struct search *search, const struct process *process, const struct seen *seen)
{
	struct flow flow;

	if (!read_flow(search, seen->call, &flow))
		return;
	flow.count = seen->count;
	flow.place = place_of(&search->places, process, seen->call);
	add_flow(search, flow);
}

static void keep_most(struct phases *most, const struct phases *phases)
{
	if (phases->busy > most->busy) {
		most->count = phases->count;
		most->busy = phases->busy;
	}
	if (phases->two_way > most->two_way)
		most->two_way = phases->two_way;
}

static void read_process(struct search *search, struct process *process, uint32_t caller)
{
	memset(search->seen, 0, search->seen_room * sizeof *search->seen);
	search->phases = (struct phases){0};
	search->caller = caller;
	for (size_t i = 0; i < process->stream_count; i++)
		count_calls(search, &process->streams[i]);
	end_phase(&search->phases);
	keep_most(&search->most, &search->phases);
	for (size_t id = 0; id < search->seen_room; id++)
		if (search->seen[id].call)
			take_flow(search, process, &search->seen[id]);
}

static int32_t busiest(const struct search *search)
{
	uint64_t *ends = memory_new(search->threads, sizeof *ends);
	uint64_t most = 0;
	int32_t rank = RANK_NULL;

	for (size_t i = 0; i < search->flow_count; i++) {
		const struct flow *flow = &search->flows[i];
		if (is_between(flow)) {
			ends[flow->from] += flow->count;
			ends[flow->to] += flow->count;
		}
	}
	for (uint32_t i = 0; i < search->threads; i++) {
		if (ends[i] > most) {
			most = ends[i];
			rank = (int32_t)i;
		}
	}
	free(ends);
	return rank;
}

/* Who accesses whom at a place. */
enum access { HUB_ITSELF = 1, HUB_OTHERS = 2, OTHERS_HUB = 4 };

static uint8_t access_of(const struct flow *flow, uint32_t hub)
{
	if (flow->is_collective || (flow->from != hub && flow->to != hub))
		return 0;
	if (flow->caller != hub)
		return OTHERS_HUB;
	return is_between(flow) ? HUB_OTHERS : HUB_ITSELF;
}

/* By place. */
static uint8_t *find_accesses(const struct search *search, uint32_t hub)
{
	uint8_t *accesses = memory_new(search->places.count + 1, sizeof *accesses);

	for (size_t i = 0; i < search->flow_count; i++)
		accesses[search->flows[i].place] |= access_of(&search->flows[i], hub);
	return accesses;
}

/* Of three threads in a row, the one in the middle is at one end of everything; what gives it away is that its neighbours
 * do to it what it does to them. */
static bool is_one_of_many(const struct search *search, const struct flow *flow, uint32_t hub,
                           uint8_t accesses)
{
	if (flow->is_collective)
		return false;
	if (flow->caller != hub && accesses & HUB_ITSELF)
		return true;
	return search->threads == 3 && accesses & HUB_OTHERS && accesses & OTHERS_HUB;
}

struct ends {
	uint64_t *given, *taken; /* by thread: weighed, so that ROUNDS_OF_HABIT is enough */
};

static void add_to_hub(struct hub *hub, struct ends *ends, const struct flow *flow)
{
	bool gives = flow->from == (uint32_t)hub->rank;
	uint64_t *count = gives ? &ends->given[flow->to] : &ends->taken[flow->from];
	uint32_t *threads = gives ? &hub->gives : &hub->takes;
	uint64_t before = *count;

	hub->own += flow->count;
	*count += flow->is_collective ? flow->count : ROUNDS_OF_HABIT;
	if (before < ROUNDS_OF_HABIT && *count >= ROUNDS_OF_HABIT)
		++*threads;
}

static void measure(const struct search *search, struct hub *hub)
{
	uint32_t rank = (uint32_t)hub->rank;
	uint8_t *accesses = find_accesses(search, rank);
	struct ends ends = {memory_new(search->threads, sizeof(uint64_t)),
	                    memory_new(search->threads, sizeof(uint64_t))};

	for (size_t i = 0; i < search->flow_count; i++) {
		const struct flow *flow = &search->flows[i];
		if (!is_between(flow) && !flow->is_of_all)
			continue;
		hub->accesses += flow->count;
		if (is_between(flow) && (flow->from == rank || flow->to == rank) &&
		    !is_one_of_many(search, flow, rank, accesses[flow->place]))
			add_to_hub(hub, &ends, flow);
	}
	free(accesses);
	free(ends.given);
	free(ends.taken);
}

static void release(struct search *search)
{
	places_release(&search->places);
	free(search->flows);
	free(search->seen);
}

struct hub find_hub(struct reader *reader)
{
	struct search search = {.reader = reader};
	struct hub hub = {.rank = RANK_NULL};

	make_room(&search, 0);
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct comm *team = find_team(&reader->processes[i]);
		if (!team)
			continue;
		/* All say the same, or else the trace is none of one run. */
		search.threads = search.threads ? search.threads : (uint32_t)team->size;
		if (team->rank < search.threads)
			read_process(&search, &reader->processes[i], (uint32_t)team->rank);
	}
	hub.rank = busiest(&search);
	if (hub.rank != RANK_NULL)
		measure(&search, &hub);
	hub.phases = search.most.count;
	hub.busy_phases = search.most.busy;
	hub.two_way_phases = search.most.two_way;
	release(&search);
	return hub;
}
