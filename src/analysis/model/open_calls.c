#include "analysis/model/open_calls.h"

#include "analysis/model/relations.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { REQUESTS_MAX = 1 << 20, NONE_SENT = 1 << 30 };

/* The pending operations at the end of the trace. */
struct last_state {
	struct open_calls *open;
	struct reader *reader;
	const struct clocks *clocks;
	const struct comm_table *comms;
	struct waiting_process *processes;
	struct begun_requests {
		ARRAY(const struct call *) calls; /* by number: the call that began it; NULL: not pending */
	} * begun;                                /* by process */
	/* Sent minus received messages, by communicator, source, destination and tag; with
	 * TAG_ANY, of any tag. NONE_SENT is added: the call that sent a message may be open, so
	 * more may have been received. */
	struct map sent;
};

static struct map_key message_key(uint64_t comm, uint32_t from, uint32_t to, int64_t tag)
{
	return map_key(comm ^ hash_word(0, (uint64_t)tag), (uint64_t)from << 32 | to);
}

static void count_sent(struct map *sent, uint64_t comm, uint32_t from, uint32_t to, int64_t tag, int change)
{
	const int64_t tags[] = {tag, TAG_ANY};

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		uint32_t *value = map_put(sent, message_key(comm, from, to, tags[i]));
		*value = (*value == MAP_NONE ? NONE_SENT : *value) + (uint32_t)change;
	}
}

static bool is_any_unreceived(const struct map *sent, uint64_t comm, uint32_t from, uint32_t to, int64_t tag)
{
	const uint32_t *value = map_find(sent, message_key(comm, from, to, tag));

	return value && *value > NONE_SENT;
}

/* The process of a rank in the call's communicator; NO_PROCESS for a wildcard, and in
 * an intercommunicator. */
static uint32_t process_of_rank(const struct last_state *state, uint32_t process, uint64_t comm, int64_t rank)
{
	const struct membership *own = find_membership(state->comms, process, comm);

	if (!own || rank < 0 || rank > INT32_MAX || is_inter(&state->comms->comms[own->comm]))
		return NO_PROCESS;
	return comm_process(state->comms, own->comm, own->side, (uint32_t)rank);
}

/* Pending operations */

static void count_send(struct last_state *state, uint32_t process, uint64_t comm, int64_t dest, int64_t tag)
{
	uint32_t to = process_of_rank(state, process, comm, dest);

	if (to != NO_PROCESS)
		count_sent(&state->sent, comm, process, to, tag, 1);
}

static void count_sends(struct last_state *state, uint32_t process, const struct message_needs *messages)
{
	for (uint32_t i = 0; i < messages->count; i++)
		if (messages->of[i].is_send)
			count_send(state, process, messages->of[i].comm, messages->of[i].peer,
			           messages->of[i].tag);
}

static void count_received(struct last_state *state, uint32_t process, uint64_t comm, int64_t source,
                           int64_t tag)
{
	uint32_t from = process_of_rank(state, process, comm, source);

	if (from != NO_PROCESS && tag != TAG_ANY)
		count_sent(&state->sent, comm, from, process, tag, -1);
}

/* NULL: unknown. */
static const struct call **find_begun(struct begun_requests *begun, int64_t number)
{
	return number >= 0 && (size_t)number < begun->calls.count && begun->calls.items[number]
	               ? &begun->calls.items[number]
	               : NULL;
}

static void start_requests(struct last_state *state, const struct call_semantics *semantics)
{
	for (uint32_t i = 0; i < field_count(semantics->call); i++) {
		const struct call **begun = field_key_at(semantics->call, i) == FIELD_REQUEST
		                                    ? find_begun(&state->begun[semantics->process],
		                                                 field_value_at(semantics->call, i))
		                                    : NULL;
		if (begun) {
			struct message_needs messages = message_needs_of(*begun,
			                                                 call_find((*begun)->outline->name));
			count_sends(state, semantics->process, &messages);
		}
	}
}

static void begin_call(void *context, struct occurrence *call, const struct event *event)
{
	struct last_state *state = context;
	const struct call_semantics *semantics = call->semantics;
	const struct semantics_kind *kind = semantics->kind;
	struct begun_requests *begun;
	int64_t number;

	(void)event;
	if (semantics->does & CALL_SENDS && !(semantics->does & CALL_PREPARES))
		count_send(state, semantics->process, kind->comm, semantics->dest, kind->tag);
	if (semantics->does & CALL_STARTS)
		start_requests(state, semantics);
	if (semantics->does & CALL_IS_COLLECTIVE)
		count_entered(&state->processes[semantics->process],
		              kind->object ? kind->object : kind->comm);
	begun = &state->begun[semantics->process];
	number = semantics->request;
	if (semantics->does & CALL_HAS_REQUEST && number >= 0 && number <= REQUESTS_MAX)
		array_extend(&begun->calls, (size_t)number + 1)->items[number] = semantics->call;
}

/* The end of a receive has the source of its message, even if the trace lacks the call that sent it. */
static bool names_source(const struct call_semantics *receive)
{
	return receive->does & CALL_RECEIVES && !(receive->does & (CALL_PREPARES | CALL_BY_NUMBER));
}

static void take_message(void *context, const struct occurrence *call,
                         const struct completed_message *message)
{
	struct last_state *state = context;
	const struct call_semantics *send = message->send->semantics;

	if (!message->is_probed && !names_source(message->post->semantics))
		count_sent(&state->sent, send->kind->comm, send->process, call->semantics->process,
		           send->kind->tag, -1);
}

static void receive_message(struct last_state *state, uint32_t process, const struct call *receive,
                            const struct outcome *outcome)
{
	const struct call_info *info = call_find(receive->outline->name);
	struct message_needs messages = message_needs_of(receive, info);

	for (uint32_t i = 0; i < messages.count; i++) {
		const struct message_need *message = &messages.of[i];
		if (!message->is_send && !info->persistent)
			count_received(state, process, message->comm,
			               outcome->source == RANK_ANY ? message->peer : outcome->source,
			               outcome->source_tag == TAG_ANY ? message->tag : outcome->source_tag);
	}
}

static void end_requests(struct last_state *state, const struct call_semantics *semantics)
{
	struct outcome outcome;

	for (uint32_t at = 0; next_outcome(semantics->call, &at, &outcome);) {
		const struct call **begun = find_begun(&state->begun[semantics->process], outcome.request);
		if (!begun)
			continue;
		if (!outcome.cancelled)
			receive_message(state, semantics->process, *begun, &outcome);
		*begun = NULL;
	}
}

static void end_call(void *context, const struct occurrence *call, const struct event *event)
{
	struct last_state *state = context;
	const struct call_semantics *semantics = call->semantics;
	struct waiting_process *process = &state->processes[semantics->process];
	const struct call_info *info = semantics->kind->info;
	struct process_end *end = &state->open->ends[semantics->process];
	int64_t ns = clocks_ns(state->clocks, semantics->process, event->end);

	if (names_source(semantics) && !(semantics->does & CALL_HAS_REQUEST))
		count_received(state, semantics->process, semantics->kind->comm, semantics->source,
		               semantics->kind->source_tag);
	if (semantics->does & CALL_COMPLETES)
		end_requests(state, semantics);
	if (info && call_starts_mpi(info))
		process->has_started = true;
	if (info && window_needs_wants(info))
		window_needs_note(process, semantics->call, info);
	if (!end->call || ns >= end->since_ns) {
		end->call = semantics->call;
		end->since_ns = ns;
		end->thread = call->thread;
	}
	if (ns > state->open->until_ns)
		state->open->until_ns = ns;
}

/* How each process ended */

static enum end_state state_of_last(const struct process_end *end)
{
	const struct call_info *info = end->call ? call_find(end->call->outline->name) : NULL;

	if (!end->call)
		return END_UNKNOWN;
	if (info == &all_calls[CALL_Finalize] || info == &all_calls[CALL_upc_exit] ||
	    info == &all_calls[CALL_upc_global_exit] || info == &all_calls[CALL_shmem_finalize] ||
	    info == &all_calls[CALL_shmem_global_exit])
		return END_FINISHED;
	return info == &all_calls[CALL_Abort] ? END_BY_ABORT : END_OUTSIDE;
}

/* The open call of the process; of several threads, the one longest in its call. */
static void find_open(struct last_state *state, struct process_end *end)
{
	const struct process *process = &state->reader->processes[end->process];
	int64_t last_ns = end->call ? end->since_ns : INT64_MAX;
	bool any = false;

	for (size_t i = 0; i < process->stream_count; i++) {
		const struct stream *stream = &process->streams[i];
		int64_t ns;
		if (!stream->open.call)
			continue;
		ns = clocks_ns(state->clocks, end->process, stream->open.start);
		if (ns > state->open->until_ns)
			state->open->until_ns = ns;
		if (any && ns >= end->since_ns)
			continue;
		end->call = stream->open.call;
		end->since_ns = ns;
		end->thread = stream->number;
		any = true;
	}
	end->info = end->call ? call_find(end->call->outline->name) : NULL;
	if (any)
		end->state = end->info && end->info->tests ? END_POLLING : END_IN_CALL;
	/* Unsuccessful tests are not recorded: it has been polling since the last recorded one. */
	if (end->state == END_POLLING && last_ns < end->since_ns)
		end->since_ns = last_ns;
	state->open->open_count += any;
}

/* Partners of a process */

static bool find_group(void *context, uint32_t process, uint64_t comm, struct member_group *group)
{
	const struct last_state *state = context;
	const struct membership *own = find_membership(state->comms, process, comm);
	const struct side *sides = own ? state->comms->comms[own->comm].sides : NULL;

	if (!own)
		return false;
	*group = (struct member_group){.comm = &state->comms->comms[own->comm],
	                               .process = process,
	                               .own = own->rank,
	                               .size = sides[own->side].size,
	                               .is_inter = is_inter(&state->comms->comms[own->comm])};
	if (group->is_inter)
		group->size = sides[0].size + sides[1].size;
	/* A damaged trace may contain any number. */
	if (group->size > 2 * (uint64_t)state->open->process_count)
		group->size = 2 * (uint64_t)state->open->process_count;
	return true;
}

static uint32_t find_member(void *context, const struct member_group *group, uint64_t rank)
{
	const struct last_state *state = context;
	const struct communicator *comm = group->comm;
	uint64_t first = comm->sides[0].size;
	uint32_t side = group->is_inter && rank >= first;

	return comm_process(state->comms, (uint32_t)(comm - state->comms->comms), side,
	                    (uint32_t)(side ? rank - first : rank));
}

/* True if an operation posted by a process is the other end. */
static bool fits(const struct last_state *state, const struct message_need *end, uint32_t process,
                 const struct message_need *posted, uint32_t poster)
{
	const struct message_need *send = end->is_send ? end : posted, *receive = end->is_send ? posted : end;

	if (end->comm != posted->comm || end->is_send == posted->is_send ||
	    (receive->tag != TAG_ANY && receive->tag != send->tag))
		return false;
	return (posted->peer == RANK_ANY && !posted->is_send) ||
	       process_of_rank(state, poster, posted->comm, posted->peer) == process;
}

static bool offers(const struct last_state *state, const struct message_needs *posted, uint32_t poster,
                   const struct message_need *end, uint32_t process)
{
	for (uint32_t i = 0; i < posted->count; i++)
		if (fits(state, end, process, &posted->of[i], poster))
			return true;
	return false;
}

/* True if the peer sent or received the message, has posted the receive, or is in the call that does. */
static bool is_met(void *context, uint32_t process, const struct message_need *end, uint32_t peer)
{
	const struct last_state *state = context;
	const struct waiting_process *other = &state->processes[peer];

	if (end->is_send ? !is_any_unreceived(&state->sent, end->comm, process, peer, end->tag)
	                 : is_any_unreceived(&state->sent, end->comm, peer, process, end->tag))
		return true;
	if (other->call) {
		struct message_needs ends = message_needs_of(other->call, other->info);
		if (offers(state, &ends, peer, end, process))
			return true;
	}
	for (size_t i = 0; i < other->requests.count; i++)
		if (offers(state, &other->requests.items[i], peer, end, process))
			return true;
	return false;
}

static void take_requests(struct last_state *state, uint32_t process)
{
	struct waiting_process *waiting = &state->processes[process];
	const struct begun_requests *begun = &state->begun[process];

	array_extend(&waiting->requests, begun->calls.count);
	for (size_t i = 0; i < begun->calls.count; i++)
		if (begun->calls.items[i])
			waiting->requests.items[i] = message_needs_of(
				begun->calls.items[i], call_find(begun->calls.items[i]->outline->name));
}

static void find_partners(struct last_state *state)
{
	static const struct need_ways ways = {find_group, find_member, is_met};
	struct open_calls *open = state->open;
	struct call_needs needs = {
		.ways = &ways, .context = state, .process_count = open->process_count, .arena = &open->arena};

	needs.processes = memory_new(open->process_count + 1, sizeof *needs.processes);
	for (uint32_t i = 0; i < open->process_count; i++) {
		const struct process_end *end = &open->ends[i];
		needs.processes[i] = &state->processes[i];
		needs.processes[i]->recorded = &state->reader->processes[i];
		if (end->state == END_IN_CALL && end->info) {
			needs.processes[i]->call = end->call;
			needs.processes[i]->info = end->info;
		}
		take_requests(state, i);
		if (needs.processes[i]->call) {
			struct message_needs messages = message_needs_of(end->call, end->info);
			count_sends(state, i, &messages);
		}
	}
	for (uint32_t i = 0; i < open->process_count; i++) {
		const struct call_info *info = needs.processes[i]->info;
		/* The needs of MPI_Finalize and of UPC calls are unknown. */
		open->ends[i].needs = info && (call_is_pgas(info) || info == &all_calls[CALL_Finalize])
		                              ? (struct needed_partners){.misfit = NO_PROCESS}
		                              : call_needs_find(&needs, i);
	}
	open->steps += needs.steps;
	call_needs_release(&needs);
	free(needs.processes);
}

/* Stuck processes */

/* Processes that wait for the same others share a list. */
struct waiting_set {
	const struct needed_partners *needs;
	uint32_t reached;     /* all partners before it can continue; 0 if one is enough */
	uint32_t first_user;  /* a process, + 1 */
	uint32_t first_stuck; /* of the partners; NO_PROCESS */
};

/* An entry in the chain of sets that a process blocks. */
struct held_set {
	uint32_t set;
	uint32_t next; /* in `held`, + 1; 0: none */
};

struct stuck_search {
	struct open_calls *open;
	ARRAY(struct waiting_set) sets;
	struct map set_numbers;
	uint32_t *set_of;    /* by process */
	uint32_t *next_user; /* by process: the next of its set, + 1 */
	uint32_t *held_by;   /* by process: in `held`, + 1 */
	ARRAY(struct held_set) held;
	ARRAY(uint32_t) freed; /* whose sets must be examined */
};

static bool will_never_act(const struct process_end *end)
{
	return end->state == END_FINISHED ||
	       (end->state == END_IN_CALL && end->info == &all_calls[CALL_Finalize]);
}

static void add_to_set(struct stuck_search *search, uint32_t process)
{
	const struct needed_partners *needs = &search->open->ends[process].needs;
	uint32_t *number = map_put(&search->set_numbers, map_key((uintptr_t)needs->items, needs->count));

	if (*number == MAP_NONE) {
		*number = (uint32_t)search->sets.count;
		array_add(&search->sets, (struct waiting_set){.needs = needs, .first_stuck = NO_PROCESS});
	}
	search->set_of[process] = *number;
	search->next_user[process] = search->sets.items[*number].first_user;
	search->sets.items[*number].first_user = process + 1;
}

static void hold(struct stuck_search *search, uint32_t set, uint32_t by)
{
	if (will_never_act(&search->open->ends[by]))
		return;
	array_add(&search->held, (struct held_set){set, search->held_by[by]});
	search->held_by[by] = (uint32_t)search->held.count;
}

static void free_users(struct stuck_search *search, const struct waiting_set *set)
{
	for (uint32_t user = set->first_user; user; user = search->next_user[user - 1]) {
		struct process_end *end = &search->open->ends[user - 1];
		/* Members in different collective calls never match. */
		if (!end->is_stuck || end->needs.misfit != NO_PROCESS)
			continue;
		end->is_stuck = false;
		array_add(&search->freed, user - 1);
	}
}

/* Advances to the next partner that blocks the set, and registers the set with it. */
static void look_at_set(struct stuck_search *search, uint32_t number)
{
	struct waiting_set *set = &search->sets.items[number];
	const struct needed_partners *needs = set->needs;

	for (; set->reached < needs->count; set->reached++) {
		const struct process_end *partner = &search->open->ends[needs->items[set->reached]];
		bool can_go_on = !partner->is_stuck && !will_never_act(partner);

		search->open->steps++;
		if (can_go_on == needs->needs_one)
			break;
	}
	if ((set->reached == needs->count) != needs->needs_one)
		free_users(search, set);
	else if (!needs->needs_one)
		hold(search, number, needs->items[set->reached]);
}

static void free_waiting(struct stuck_search *search)
{
	while (search->freed.count) {
		uint32_t process = search->freed.items[--search->freed.count];

		for (uint32_t i = search->held_by[process]; i; i = search->held.items[i - 1].next) {
			uint32_t number = search->held.items[i - 1].set;
			if (search->sets.items[number].needs->needs_one)
				free_users(search, &search->sets.items[number]);
			else
				look_at_set(search, number);
		}
	}
}

/* The next stuck process that this one waits for; NO_PROCESS: none. */
static uint32_t next_stuck(const struct stuck_search *search, uint32_t process)
{
	return search->open->ends[process].needs.misfit == NO_PROCESS
	               ? search->sets.items[search->set_of[process]].first_stuck
	               : NO_PROCESS;
}

static void add_ring(struct stuck_search *search, uint32_t first)
{
	struct open_calls *open = search->open;
	uint32_t at = first;

	do {
		arena_add(&open->arena, open->ring, open->ring_count, at);
		at = next_stuck(search, at);
	} while (at != first);
}

/* The first cycle found, from its lowest process on. Members in different collective
 * calls do not form one. */
static void find_ring(struct stuck_search *search)
{
	struct open_calls *open = search->open;
	uint32_t *seen = memory_new(open->process_count + 1, sizeof *seen);

	for (uint32_t start = 0; start < open->process_count && !open->ring_count; start++) {
		uint32_t at = open->ends[start].is_stuck ? start : NO_PROCESS, lowest;

		while (at != NO_PROCESS && !seen[at]) {
			seen[at] = start + 1;
			at = next_stuck(search, at);
		}
		if (at == NO_PROCESS || seen[at] != start + 1)
			continue;
		lowest = at;
		for (uint32_t next = next_stuck(search, at); next != at; next = next_stuck(search, next))
			lowest = next < lowest ? next : lowest;
		add_ring(search, lowest);
	}
	free(seen);
}

static void search_init(struct stuck_search *search, struct open_calls *open)
{
	*search = (struct stuck_search){.open = open};
	search->set_of = memory_new(open->process_count + 1, sizeof *search->set_of);
	search->next_user = memory_new(open->process_count + 1, sizeof *search->next_user);
	search->held_by = memory_new(open->process_count + 1, sizeof *search->held_by);
}

static void search_release(struct stuck_search *search)
{
	free(search->set_of);
	free(search->next_user);
	free(search->held_by);
	array_release(&search->sets);
	array_release(&search->held);
	array_release(&search->freed);
	map_release(&search->set_numbers);
}

/* All waiting processes are stuck until a partner is found that frees them. */
static void find_stuck(struct open_calls *open, const struct reader *reader)
{
	struct stuck_search search;

	search_init(&search, open);
	for (uint32_t i = 0; i < open->process_count; i++) {
		struct process_end *end = &open->ends[i];
		end->is_stuck = end->needs.count && end->needs.is_certain &&
		                reader->processes[i].stream_count == 1;
		if (end->is_stuck)
			add_to_set(&search, i);
	}
	for (uint32_t i = 0; i < search.sets.count; i++) {
		const struct needed_partners *needs = search.sets.items[i].needs;
		for (uint32_t j = 0; needs->needs_one && j < needs->count; j++)
			hold(&search, i, needs->items[j]);
		look_at_set(&search, i);
	}
	free_waiting(&search);
	for (uint32_t i = 0; i < open->process_count; i++)
		open->stuck_count += open->ends[i].is_stuck;
	for (size_t i = 0; i < search.sets.count; i++) {
		struct waiting_set *set = &search.sets.items[i];
		for (uint32_t j = 0; j < set->needs->count && set->first_stuck == NO_PROCESS; j++) {
			search.open->steps++;
			if (search.open->ends[set->needs->items[j]].is_stuck)
				set->first_stuck = set->needs->items[j];
		}
	}
	find_ring(&search);
	search_release(&search);
}

/* The end of the job, if the process that merged the parts recorded it. Otherwise it may still be running. */
static void find_until(struct open_calls *open, const struct reader *reader)
{
	int64_t seen_ns = reader->seen_ns;

	for (size_t i = 0; i < reader->process_count && !seen_ns; i++) {
		const char *ended = process_property(&reader->processes[i], "ended");
		seen_ns = ended ? strtoll(ended, NULL, 10) : 0;
	}
	if (seen_ns < open->until_ns)
		return;
	open->until_ns = seen_ns;
	open->is_over = true;
}

struct open_calls *open_calls_new(struct analysis_session *session)
{
	struct open_calls *open = memory_new(1, sizeof *open);
	struct reader *reader = session->reader;
	struct last_state state = {
		.open = open, .reader = reader, .clocks = session->time->clocks, .comms = session->comms};
	struct row_sink sink = {.context = &state,
	                        .in_ticks = true,
	                        .begin = begin_call,
	                        .message = take_message,
	                        .call = end_call};
	struct replay_counts counts;

	open->process_count = (uint32_t)reader->process_count;
	open->ends = arena_array(&open->arena, struct process_end, open->process_count + 1);
	memset(open->ends, 0, (open->process_count + 1) * sizeof *open->ends);
	open->until_ns = INT64_MIN;
	state.processes = memory_new(reader->process_count + 1, sizeof *state.processes);
	state.begun = memory_new(reader->process_count + 1, sizeof *state.begun);
	relate(session, &sink, &counts);
	for (uint32_t i = 0; i < state.open->process_count; i++) {
		struct process_end *end = &state.open->ends[i];
		end->state = state_of_last(end);
		end->process = i;
		if (end->state != END_FINISHED)
			find_open(&state, end);
		end->comm = end->call ? (uint64_t)field_or(end->call, FIELD_COMM, 0) : 0;
		end->peer = end->call ? process_of_rank(&state, i, end->comm,
		                                        field_or(end->call, FIELD_PEER, RANK_NULL))
		                      : NO_PROCESS;
	}
	find_until(open, reader);
	find_partners(&state);
	find_stuck(open, reader);
	for (uint32_t i = 0; i < open->process_count; i++) {
		waiting_process_release(&state.processes[i]);
		array_release(&state.begun[i].calls);
	}
	free(state.processes);
	free(state.begun);
	map_release(&state.sent);
	return open;
}

void open_calls_free(struct open_calls *open)
{
	if (!open)
		return;
	arena_release(&open->arena);
	free(open);
}

bool has_open_calls(struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].stream_count; j++)
			if (reader->processes[i].streams[j].open.call)
				return true;
	return false;
}
