#include "analysis/model/open_calls.h"

#include "analysis/model/clocks.h"
#include "analysis/model/replay.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A request under way, by the call that began it. */
struct pending_request {
	const struct call *call;
};

struct pending_process {
	ARRAY(struct pending_request) requests; /* by number */
};

/* What is under way at the end of the trace. */
struct last_state {
	struct open_calls *open;
	struct reader *reader;
	const struct clocks *clocks;
	struct comm_table *comms;
	struct pending_process *pending; /* by process */
	/* Messages that were sent and not received, by communicator, source, destination and tag. */
	struct map sent;
	struct map entered; /* collective calls, by process and communicator */
};

/* What one operation, of a call or of a request, needs of another process. */
struct operation_need {
	bool sends, receives;
	uint32_t process; /* NO_PROCESS: nobody in particular, or unknown */
	int64_t tag;
	uint64_t comm;
};

static bool is_named(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static int64_t field_or(const struct call *call, enum field_key key, int64_t otherwise)
{
	int64_t value;

	return call_field(call, key, &value) ? value : otherwise;
}

static struct map_key message_key(uint64_t comm, uint32_t from, uint32_t to, int64_t tag)
{
	return map_key(comm ^ hash_word(0, (uint64_t)tag), (uint64_t)from << 32 | to);
}

static void count(struct map *map, struct map_key key, int change)
{
	uint32_t *value = map_put(map, key);

	*value = (*value == MAP_NONE ? 0 : *value) + (uint32_t)change;
}

static uint32_t counted(const struct map *map, struct map_key key)
{
	const uint32_t *value = map_find(map, key);

	return value ? *value : 0;
}

/* The process that a rank in the call's communicator is; NO_PROCESS for a wildcard, and in an intercommunicator. */
static uint32_t process_of_rank(const struct last_state *state, uint32_t process, uint64_t comm, int64_t rank)
{
	const struct membership *own = find_membership(state->comms, process, comm);

	if (!own || rank < 0 || rank > INT32_MAX || is_inter(&state->comms->comms[own->comm]))
		return NO_PROCESS;
	return comm_process(state->comms, own->comm, own->side, (uint32_t)rank);
}

/* What was under way */

static void note_requests(struct last_state *state, const struct step *step)
{
	const struct call *call = step->event->call;
	struct pending_process *pending = &state->pending[step->process];
	int64_t number = step->semantics->request;

	if (!(step->semantics->does & CALL_HAS_REQUEST) || number < 0 || number > 1 << 24)
		return;
	array_extend(&pending->requests, (size_t)number + 1);
	pending->requests.items[number].call = call;
}

static void forget_completed(struct last_state *state, const struct step *step)
{
	struct pending_process *pending = &state->pending[step->process];
	const struct semantics_kind *kind = step->semantics->kind;

	for (uint32_t i = 0; i < kind->completed_count; i++) {
		int32_t number = kind->completed[i].request;
		if (number >= 0 && (size_t)number < pending->requests.count)
			pending->requests.items[number].call = NULL;
	}
}

static void enter_call(void *context, struct step *step)
{
	struct last_state *state = context;
	const struct call_semantics *semantics = step->semantics;

	if (semantics->does & CALL_SENDS && !(semantics->does & CALL_PREPARES)) {
		uint32_t to = process_of_rank(state, step->process, semantics->kind->comm, semantics->dest);
		if (to != NO_PROCESS)
			count(&state->sent,
			      message_key(semantics->kind->comm, step->process, to, semantics->kind->tag), 1);
	}
	if (semantics->does & CALL_MEETS && !semantics->kind->object)
		count(&state->entered, map_key(step->process, semantics->kind->comm), 1);
	note_requests(state, step);
}

static void take_message(void *context, struct step *step, const struct message *message)
{
	struct last_state *state = context;

	if (!message->probed)
		count(&state->sent,
		      message_key(message->comm, message->from.process, step->process, message->tag), -1);
}

static void leave_call(void *context, struct step *step)
{
	struct last_state *state = context;
	struct process_end *end = &state->open->ends[step->process];
	int64_t ns = clocks_ns(state->clocks, step->process, step->event->end);

	if (step->semantics->does & CALL_COMPLETES)
		forget_completed(state, step);
	if (!end->call || ns >= end->since_ns) {
		end->call = step->event->call;
		end->since_ns = ns;
		end->thread = step->stream->number;
	}
	if (ns > state->open->until_ns)
		state->open->until_ns = ns;
}

/* How each process ended */

static enum end_state state_of_last(const struct process_end *end)
{
	static const char *const finished[] = {"MPI_Finalize", "upc_exit", "upc_global_exit", NULL};

	if (!end->call)
		return END_UNKNOWN;
	if (is_named(end->call->outline->name, finished))
		return END_FINISHED;
	return strcmp(end->call->outline->name, "MPI_Abort") == 0 ? END_BY_ABORT : END_OUTSIDE;
}

static bool only_asks(const struct call_info *info)
{
	const char *flag = info ? strstr(info->kinds, "flag") : NULL;

	return flag || (info && strcmp(info->name, "MPI_Testsome") == 0);
}

/* The call that the process is in; of several threads, the one that is in it longest. */
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
		end->state = only_asks(end->info) ? END_POLLING : END_IN_CALL;
	/* Calls that asked in vain are not recorded: it asks since the last one that is. */
	if (end->state == END_POLLING && last_ns < end->since_ns)
		end->since_ns = last_ns;
	state->open->open_count += any;
}

static void find_ends(struct last_state *state)
{
	for (uint32_t i = 0; i < state->open->process_count; i++) {
		struct process_end *end = &state->open->ends[i];
		end->state = state_of_last(end);
		end->process = i;
		end->misfit = NO_PROCESS;
		if (end->state != END_FINISHED)
			find_open(state, end);
		end->comm = end->call ? (uint64_t)field_or(end->call, FIELD_COMM, 0) : 0;
		end->peer = end->call ? process_of_rank(state, i, end->comm,
		                                        field_or(end->call, FIELD_PEER, RANK_NULL))
		                      : NO_PROCESS;
	}
}

/* Whom a process waits for */

static void add_partner(struct open_calls *open, struct process_end *end, uint32_t process)
{
	for (uint32_t i = 0; i < end->partner_count; i++)
		if (end->partners[i] == process)
			return;
	arena_add(&open->arena, end->partners, end->partner_count, process);
}

/* The operations of a call: one of a send or a receive, two of MPI_Sendrecv. */
static uint32_t needs_of_call(const struct last_state *state, uint32_t process, const struct call *call,
                              struct operation_need needs[2])
{
	const struct call_info *info = call_find(call->outline->name);
	uint32_t flow = info ? call_flow(info) : 0, used = 0;
	bool probes = info && info->class == CLASS_PROBE;
	uint64_t comm = (uint64_t)field_or(call, FIELD_COMM, 0);
	int64_t peer = field_or(call, FIELD_PEER, RANK_NULL);

	if (flow & CALL_SENDS)
		needs[used++] = (struct operation_need){
			.sends = true,
			.process = process_of_rank(state, process, comm, peer),
			.tag = field_or(call, FIELD_TAG, 0),
			.comm = comm};
	if (flow & CALL_RECEIVES || probes) {
		bool both = flow & CALL_SENDS;
		peer = both ? field_or(call, FIELD_RECV_PEER, RANK_NULL) : peer;
		needs[used++] = (struct operation_need){
			.receives = true,
			.process = process_of_rank(state, process, comm, peer),
			.tag = field_or(call, both ? FIELD_RECV_TAG : FIELD_TAG, TAG_ANY),
			.comm = comm};
	}
	return used;
}

/* Whether what this process has posted is what the other one needs. */
static bool fits(const struct operation_need *need, uint32_t who, const struct operation_need *posted)
{
	if (need->comm != posted->comm || (posted->process != who && posted->process != NO_PROCESS))
		return false;
	if (need->sends)
		return posted->receives && (posted->tag == TAG_ANY || posted->tag == need->tag);
	return posted->sends && posted->process == who && (need->tag == TAG_ANY || posted->tag == need->tag);
}

static bool call_offers(const struct last_state *state, uint32_t process, const struct call *call,
                        const struct operation_need *need, uint32_t who)
{
	struct operation_need posted[2];
	uint32_t used = needs_of_call(state, process, call, posted);

	for (uint32_t i = 0; i < used; i++)
		if (fits(need, who, &posted[i]))
			return true;
	return false;
}

/* A message that was sent with any tag will do for a wildcard. */
static bool was_sent(const struct last_state *state, const struct operation_need *need, uint32_t to)
{
	if (need->tag != TAG_ANY)
		return counted(&state->sent, message_key(need->comm, need->process, to, need->tag)) > 0;
	for (size_t i = 0; i < state->sent.slot_count; i++) {
		const struct map_slot *slot = &state->sent.slots[i];
		if (slot->mark && slot->key.b == ((uint64_t)need->process << 32 | to) && slot->value &&
		    slot->value != MAP_NONE)
			return true;
	}
	return false;
}

/* Whether the other side has done its part: it sent the message, has posted the receive, or is in the call that does. */
static bool is_met(const struct last_state *state, const struct operation_need *need, uint32_t who)
{
	const struct process_end *other = &state->open->ends[need->process];
	const struct pending_process *pending = &state->pending[need->process];

	if (need->receives && was_sent(state, need, who))
		return true;
	if (other->state == END_IN_CALL && call_offers(state, need->process, other->call, need, who))
		return true;
	for (size_t i = 0; i < pending->requests.count; i++)
		if (pending->requests.items[i].call &&
		    call_offers(state, need->process, pending->requests.items[i].call, need, who))
			return true;
	return false;
}

/* Adds whom an operation waits for. False: it waits for nobody, or nobody knows for whom. */
static bool add_needs(const struct last_state *state, struct process_end *end, const struct call *call)
{
	struct operation_need needs[2];
	uint32_t used = needs_of_call(state, end->process, call, needs);
	bool waits = false;

	for (uint32_t i = 0; i < used; i++) {
		if (needs[i].process == NO_PROCESS || is_met(state, &needs[i], end->process))
			continue;
		add_partner(state->open, end, needs[i].process);
		waits = true;
	}
	return waits;
}

static void add_request_needs(const struct last_state *state, struct process_end *end)
{
	static const char *const of_some[] = {"MPI_Waitany", "MPI_Waitsome", NULL};
	const struct pending_process *pending = &state->pending[end->process];
	bool any_free = false;

	end->needs_one = is_named(end->call->outline->name, of_some);
	for (uint32_t i = 0; i < field_count(end->call); i++) {
		uint32_t key = field_key_at(end->call, i);
		int64_t number = field_value_at(end->call, i);
		if (key != FIELD_REQUEST && key != FIELD_DONE)
			continue;
		if (number < 0 || (size_t)number >= pending->requests.count ||
		    !pending->requests.items[number].call)
			any_free = true;
		else
			any_free |= !add_needs(state, end, pending->requests.items[number].call);
	}
	if (end->needs_one && any_free)
		end->partner_count = 0; /* one of them can complete */
}

/* Collective calls */

static bool needs_member(const struct process_end *end, uint32_t own_rank, uint32_t rank)
{
	int64_t root = field_or(end->call, FIELD_ROOT, 0);
	const char *meets = end->info->meets;

	if (strcmp(meets, "all") == 0)
		return true;
	if (strcmp(meets, "root_first") == 0)
		return (int64_t)rank == root && own_rank != rank;
	if (strcmp(meets, "root_last") == 0)
		return (int64_t)own_rank == root;
	return strcmp(meets, "lower_first") == 0 && rank < own_rank;
}

static bool is_collective(const struct process_end *end)
{
	return end->state == END_IN_CALL && end->info && *end->info->meets &&
	       !call_field(end->call, FIELD_WIN, &(int64_t){0}) &&
	       !call_field(end->call, FIELD_FILE, &(int64_t){0}) && strncmp(end->info->name, "MPI_I", 5) != 0;
}

/* A member that has been in this collective call, or is in it, holds nobody up. */
static void add_member(const struct last_state *state, struct process_end *end, uint32_t member,
                       bool is_needed)
{
	const struct process_end *other = &state->open->ends[member];
	uint32_t mine = counted(&state->entered, map_key(end->process, end->comm));
	uint32_t theirs = counted(&state->entered, map_key(member, end->comm));
	bool is_here = is_collective(other) && other->comm == end->comm && theirs == mine;

	if (theirs > mine)
		return;
	if (is_here && (other->info != end->info ||
	                field_or(other->call, FIELD_ROOT, -1) != field_or(end->call, FIELD_ROOT, -1))) {
		if (end->misfit == NO_PROCESS)
			end->misfit = member;
		add_partner(state->open, end, member);
	} else if (!is_here && is_needed) {
		add_partner(state->open, end, member);
	}
}

static void add_members(const struct last_state *state, struct process_end *end)
{
	const struct membership *own = find_membership(state->comms, end->process, end->comm);
	const struct communicator *comm = own ? &state->comms->comms[own->comm] : NULL;

	if (!comm || is_inter(comm))
		return;
	for (uint32_t rank = 0; rank < comm->sides[own->side].size && rank < state->open->process_count;
	     rank++) {
		uint32_t member = comm_process(state->comms, own->comm, own->side, rank);
		if (member != NO_PROCESS && member != end->process)
			add_member(state, end, member, needs_member(end, own->rank, rank));
	}
}

static void find_partners(const struct last_state *state, struct process_end *end)
{
	static const char *const waits[] = {"MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", NULL};

	if (end->state != END_IN_CALL || !end->info || call_is_upc(end->info) ||
	    strcmp(end->info->name, "MPI_Finalize") == 0)
		return;
	if (is_named(end->info->name, waits))
		add_request_needs(state, end);
	else if (is_collective(end))
		add_members(state, end);
	else if (strncmp(end->info->name, "MPI_I", 5) != 0)
		add_needs(state, end, end->call);
}

/* Who will never go on */

static bool will_never_act(const struct process_end *end)
{
	return end->state == END_FINISHED ||
	       (end->state == END_IN_CALL && strcmp(end->call->outline->name, "MPI_Finalize") == 0);
}

static bool can_go_on(const struct open_calls *open, const struct process_end *end)
{
	uint32_t going = 0;

	if (will_never_act(end))
		return false;
	if (!end->partner_count)
		return true;
	for (uint32_t i = 0; i < end->partner_count; i++) {
		const struct process_end *other = &open->ends[end->partners[i]];
		going += !other->is_stuck && !will_never_act(other) && end->misfit != end->partners[i];
	}
	return end->needs_one ? going > 0 : going == end->partner_count;
}

/* All who wait are stuck until somebody is found who sets them free. */
static void find_stuck(struct open_calls *open, const struct reader *reader)
{
	bool changed = true;

	for (uint32_t i = 0; i < open->process_count; i++)
		open->ends[i].is_stuck = open->ends[i].partner_count &&
		                         reader->processes[i].stream_count == 1;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < open->process_count; i++)
			if (open->ends[i].is_stuck && can_go_on(open, &open->ends[i])) {
				open->ends[i].is_stuck = false;
				changed = true;
			}
	}
	for (uint32_t i = 0; i < open->process_count; i++)
		open->stuck_count += open->ends[i].is_stuck;
}

/* The next on the way from one stuck process to another; NO_PROCESS: it waits for nobody who is. */
static uint32_t next_stuck(const struct open_calls *open, uint32_t process)
{
	const struct process_end *end = &open->ends[process];

	for (uint32_t i = 0; i < end->partner_count && end->misfit == NO_PROCESS; i++)
		if (open->ends[end->partners[i]].is_stuck)
			return end->partners[i];
	return NO_PROCESS;
}

static void add_ring(struct open_calls *open, uint32_t first)
{
	uint32_t at = first;

	do {
		arena_add(&open->arena, open->ring, open->ring_count, at);
		at = next_stuck(open, at);
	} while (at != first);
}

/* The first ring that a way leads into, from the lowest of its processes on. Members in different collective calls are none. */
static void find_ring(struct open_calls *open)
{
	uint32_t *seen = memory_new(open->process_count + 1, sizeof *seen);

	for (uint32_t start = 0; start < open->process_count && !open->ring_count; start++) {
		uint32_t at = open->ends[start].is_stuck ? start : NO_PROCESS, lowest;

		while (at != NO_PROCESS && !seen[at]) {
			seen[at] = start + 1;
			at = next_stuck(open, at);
		}
		if (at == NO_PROCESS || seen[at] != start + 1)
			continue;
		lowest = at;
		for (uint32_t next = next_stuck(open, at); next != at; next = next_stuck(open, next))
			lowest = next < lowest ? next : lowest;
		add_ring(open, lowest);
	}
	free(seen);
}

/* When the job had ended: whoever made a trace of its parts says so. Or it still runs. */
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

struct open_calls *open_calls_new(struct reader *reader)
{
	struct open_calls *open = memory_new(1, sizeof *open);
	struct clocks *clocks = clocks_new(reader);
	struct last_state state = {.open = open, .reader = reader, .clocks = clocks};
	struct visitor visitor = {
		.context = &state, .enter = enter_call, .message = take_message, .leave = leave_call};
	struct replay_counts counts;

	open->process_count = (uint32_t)reader->process_count;
	open->ends = arena_array(&open->arena, struct process_end, open->process_count + 1);
	memset(open->ends, 0, (open->process_count + 1) * sizeof *open->ends);
	open->until_ns = INT64_MIN;
	state.comms = comm_table_new(reader);
	state.pending = memory_new(reader->process_count + 1, sizeof *state.pending);
	replay(reader, &visitor, &counts);
	find_ends(&state);
	find_until(open, reader);
	for (uint32_t i = 0; i < open->process_count; i++)
		find_partners(&state, &open->ends[i]);
	find_stuck(open, reader);
	find_ring(open);
	for (uint32_t i = 0; i < open->process_count; i++)
		array_release(&state.pending[i].requests);
	free(state.pending);
	map_release(&state.sent);
	map_release(&state.entered);
	comm_table_free(state.comms);
	clocks_free(clocks);
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
