#include "analysis/model/call_semantics.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The error class, in the numbering of the format, with which a message has still arrived. */
enum { ERROR_TRUNCATE = 15 };

uint32_t call_flow(const struct call_info *info)
{
	static const uint32_t flows[MOVES_VALUES] = {
		[MOVES_SEND] = CALL_SENDS,
		[MOVES_RECV] = CALL_RECEIVES,
		[MOVES_SENDRECV] = CALL_SENDS | CALL_RECEIVES,
		[MOVES_REPLACE] = CALL_SENDS | CALL_RECEIVES,
	};

	return flows[info->moves];
}

/* Rank 0 is the root of calls without a root argument. */
enum collective_needs collective_needs_of(const struct call_info *info)
{
	if (info->collective == COLLECTIVE_RANK0_FIRST)
		return COLLECTIVE_ROOT_FIRST;
	return info->collective ? info->collective : COLLECTIVE_SOME;
}

enum needed_members needed_members(enum collective_needs needs, bool is_root)
{
	switch (needs) {
	case COLLECTIVE_ALL:
		return MEMBERS_ALL;
	case COLLECTIVE_ROOT_FIRST:
		return is_root ? MEMBERS_NONE : MEMBERS_ROOT;
	case COLLECTIVE_ROOT_LAST:
		return is_root ? MEMBERS_OTHERS : MEMBERS_NONE;
	case COLLECTIVE_LOWER_FIRST:
		return MEMBERS_LOWER;
	default:
		return MEMBERS_SOME;
	}
}

/* Fields before the first group belong to the call itself. */
static bool has_group(const struct call *call)
{
	int64_t request;

	return call_field(call, FIELD_DONE, &request);
}

static int32_t as_int(int64_t value, int32_t otherwise)
{
	return value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : otherwise;
}

/* Of a request or message: no recording has that many. */
static int32_t as_number(int64_t value)
{
	return value < 0 ? -1 : as_int(value, INT32_MAX);
}

static void find_envelopes(struct call_semantics *semantics, struct semantics_kind *kind,
                           const struct call *call)
{
	bool both = call_flow(semantics->kind->info) == (CALL_SENDS | CALL_RECEIVES);
	int64_t peer = field_or(call, FIELD_PEER, RANK_ANY), tag = field_or(call, FIELD_TAG, TAG_ANY);
	int64_t source = both ? field_or(call, FIELD_RECV_PEER, RANK_ANY) : peer;
	int64_t source_tag = both ? field_or(call, FIELD_RECV_TAG, TAG_ANY) : tag;

	semantics->dest = as_int(peer, RANK_NULL);
	kind->tag = as_int(tag, TAG_ANY);
	if (!has_group(call)) {
		source = field_or(call, FIELD_SOURCE, source);
		source_tag = field_or(call, FIELD_SOURCE_TAG, source_tag);
	}
	semantics->source = as_int(source, RANK_NULL);
	kind->source_tag = as_int(source_tag, TAG_ANY);
}

/* A failed call has not begun anything. */
static bool has_failed(const struct call *call)
{
	int64_t result = field_or(call, FIELD_RESULT, 0);

	return result && result != ERROR_TRUNCATE;
}

static uint32_t probe_does(const struct call_semantics *semantics, const struct call *call)
{
	if (semantics->kind->info->class != CLASS_PROBE || !field_or(call, FIELD_FLAG, 1) ||
	    semantics->source == RANK_NULL)
		return 0;
	return semantics->kind->message < 0 ? CALL_PROBES : CALL_PROBES | CALL_TAKES;
}

static uint32_t begins(const struct call_semantics *semantics, const struct call *call)
{
	uint32_t does = call_flow(semantics->kind->info);

	if (does & CALL_SENDS && semantics->dest < 0)
		does &= ~(uint32_t)CALL_SENDS;
	if (does & CALL_RECEIVES && semantics->kind->info->class == CLASS_PROBE)
		return semantics->kind->message < 0 ? 0 : CALL_BY_NUMBER;
	if (does & CALL_RECEIVES && semantics->source == RANK_NULL)
		does &= ~(uint32_t)CALL_RECEIVES;
	if (!does)
		does = probe_does(semantics, call);
	return semantics->kind->own_comm == NO_COMM ? 0 : does;
}

/* MPI_Alltoallv and similar calls, among few processes. */
static bool gives_some(const struct call_semantics *semantics, const struct call *call)
{
	uint32_t peer = 0;
	bool is_any_empty = false;

	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_BLOCK) {
			is_any_empty |= !field_value_at(call, i) && peer != semantics->own_rank;
			peer++;
		}
	return is_any_empty;
}

static uint32_t collective_part(struct call_semantics *semantics, const struct call *call)
{
	uint32_t does = CALL_IS_COLLECTIVE;

	if (!semantics->kind->info->collective || semantics->kind->own_comm == NO_COMM)
		return 0;
	semantics->needs = collective_needs_of(semantics->kind->info);
	if (semantics->kind->info->pgas == PGAS_COLLECTIVE && call_has(semantics->kind->info, KIND_sync)) {
		int64_t sync = field_or(call, FIELD_SYNC, SYNC_IN_NO);
		/* The table describes UPC calls that are synchronised at both ends. With UPC_IN_NOSYNC data
		 * may be moved before its thread arrives, with UPC_OUT_NOSYNC a thread may leave before its
		 * data was moved: then no thread is needed. */
		if (sync & (SYNC_IN_NO | SYNC_OUT_NO))
			semantics->needs = COLLECTIVE_SOME;
		else if (!(sync & SYNC_IN_MY) || !(sync & SYNC_OUT_MY))
			semantics->needs = COLLECTIVE_ALL;
	}
	if (semantics->kind->info->pgas == PGAS_COLLECTIVE && semantics->needs == COLLECTIVE_ALL)
		return does;
	if (field_or(call, FIELD_RECEIVED, 1) == 0)
		does |= CALL_NEEDS_NOBODY;
	if (field_or(call, FIELD_SENT, 1) == 0)
		does |= CALL_GIVES_NOTHING;
	if (gives_some(semantics, call))
		does |= CALL_GIVES_SOME;
	return does;
}

/* Windows and files belong to the communicator on which they were created. */
static const struct membership *find_own_by_object(const struct call_semantics *semantics,
                                                   struct semantics_kind *kind,
                                                   const struct comm_table *comms, const struct call *call)
{
	const struct process *here = &comms->reader->processes[semantics->process];
	int64_t identity;

	if (!semantics->kind->info->collective ||
	    (!call_field(call, FIELD_WIN, &identity) && !call_field(call, FIELD_FILE, &identity)))
		return NULL;
	for (size_t i = 0; i < here->object_count; i++) {
		if (here->objects[i].identity != (uint64_t)identity)
			continue;
		kind->object = (uint64_t)identity;
		return find_membership(comms, semantics->process, here->objects[i].comm);
	}
	return NULL;
}

static void find_own(struct call_semantics *semantics, struct semantics_kind *kind,
                     const struct comm_table *comms, const struct call *call)
{
	const struct membership *own;
	int64_t identity;

	if (call_field(call, FIELD_COMM, &identity))
		own = find_membership(comms, semantics->process, (uint64_t)identity);
	else if (semantics->kind->info->class == CLASS_ENVIRONMENT)
		own = find_world(comms, semantics->process);
	else
		own = find_own_by_object(semantics, kind, comms, call);
	if (!own)
		return;
	kind->own_comm = own->comm;
	kind->own_side = own->side;
	semantics->own_rank = own->rank;
}

static bool communicates(const struct call_info *info)
{
	static const bool classes[CALL_CLASSES] = {
		[CLASS_POINT_TO_POINT] = true, [CLASS_PROBE] = true,     [CLASS_COLLECTIVE] = true,
		[CLASS_NEIGHBOURHOOD] = true,  [CLASS_ONE_SIDED] = true, [CLASS_EPOCH] = true};
	static const bool roles[PGAS_VALUES] = {
		[PGAS_COLLECTIVE] = true, [PGAS_SYNC] = true,   [PGAS_LOCK] = true,
		[PGAS_ACCESS] = true,     [PGAS_ATOMIC] = true, [PGAS_WAIT] = true};

	return !info->persistent &&
	       (classes[info->class] || roles[info->pgas] || info->starts || info->completes);
}

static uint32_t open_or_not(const struct call_semantics *semantics)
{
	bool is_receive = semantics->does & CALL_RECEIVES && semantics->does & CALL_HAS_REQUEST;

	return is_receive && (semantics->source == RANK_ANY || semantics->kind->source_tag == TAG_ANY)
	               ? CALL_IS_OPEN
	               : 0;
}

/* Finds the other end. */
static void find_partners(struct call_semantics *semantics, struct semantics_kind *kind,
                          const struct comm_table *comms)
{
	const struct communicator *comm;
	uint32_t side;

	semantics->dest_process = semantics->source_process = NO_PROCESS;
	if (semantics->kind->own_comm == NO_COMM)
		return;
	comm = &comms->comms[semantics->kind->own_comm];
	side = is_inter(comm) ? !semantics->kind->own_side : semantics->kind->own_side;
	kind->comm = comm->identity;
	if (semantics->dest >= 0)
		semantics->dest_process = comm_process(comms, semantics->kind->own_comm, side,
		                                       (uint32_t)semantics->dest);
	if (semantics->source >= 0)
		semantics->source_process = comm_process(comms, semantics->kind->own_comm, side,
		                                         (uint32_t)semantics->source);
}

static const struct completed of_notify = {.request = REQUEST_NOTIFIED};

static bool is_wait(const struct call_info *info)
{
	return info == &all_calls[CALL_upc_wait];
}

static uint32_t tests(const struct call_info *info, const struct call *call)
{
	bool is_found = field_or(call, FIELD_FLAG, info->completes == COMPLETES_SOME ? has_group(call) : 1);

	/* Of requests or messages. */
	if (!(info->tests && (info->class == CLASS_REQUEST || info->class == CLASS_PROBE)))
		return 0;
	return is_found ? CALL_TESTS : CALL_TESTS | CALL_FINDS_NOTHING;
}

static struct call_semantics work_out(const struct call_info *info, const struct comm_table *comms,
                                      uint32_t process, const struct call *call, struct semantics_kind *kind)
{
	struct call_semantics semantics = {.kind = kind, .call = call, .process = process};

	kind->info = info;
	kind->own_comm = NO_COMM;
	semantics.request = as_number(field_or(call, FIELD_REQUEST, -1));
	kind->message = as_number(field_or(call, FIELD_MESSAGE, -1));
	kind->root = as_int(field_or(call, FIELD_ROOT, RANK_ANY), INT32_MAX);
	if (has_group(call))
		semantics.does |= CALL_COMPLETES;
	if (info && communicates(info))
		semantics.does |= CALL_COMMUNICATES;
	if (!info || has_failed(call))
		return semantics;
	if (info->starts)
		semantics.does |= CALL_STARTS;
	if (call_is_pgas(info)) {
		/* For UPC calls without such arguments. */
		if (semantics.kind->info == &all_calls[CALL_upc_notify])
			semantics.request = REQUEST_NOTIFIED;
		if (is_wait(semantics.kind->info))
			semantics.does |= CALL_COMPLETES;
		if (semantics.kind->info->collective == COLLECTIVE_RANK0_FIRST)
			kind->root = 0;
	}
	find_own(&semantics, kind, comms, call);
	find_envelopes(&semantics, kind, call);
	if (call_is_pgas(info)) {
		/* The other end of an access or a lock. */
		semantics.dest = as_int(field_or(call, FIELD_TARGET, RANK_NULL), RANK_NULL);
	}
	semantics.does |= begins(&semantics, call) | collective_part(&semantics, call);
	if (semantics.request != -1 && call_has(info, KIND_newrequest))
		semantics.does |= info->persistent ? CALL_HAS_REQUEST | CALL_PREPARES : CALL_HAS_REQUEST;
	semantics.does |= open_or_not(&semantics) | tests(info, call);
	find_partners(&semantics, kind, comms);
	return semantics;
}

/* A trace of many processes has as many lists: little memory may be wasted. */
static uint64_t room_for(uint64_t count, uint64_t wanted, uint64_t known)
{
	uint64_t room = count ? count : known > 16 ? known : 16;

	while (room <= wanted)
		room += room / 2;
	return room;
}

/* Names are shared texts for all processes, and few of them differ. */
static const struct call_info *find_info(struct known_kinds *known, const char *name)
{
	struct known_info *place;

	if (!known)
		return call_find(name);
	place = &known->infos[((uintptr_t)name * 0x9e3779b97f4a7c15) >> 58];
	if (place->name != name)
		*place = (struct known_info){name, call_find(name)};
	return place->info;
}

/* One shared copy of equal bytes, if a table is set. */
static const void *once(const struct semantics_table *table, struct interner *known, const void *bytes,
                        size_t size)
{
	if (!known)
		return memcpy(arena_alloc(table->arena, 1, size), bytes, size);
	known->is_bare = true;
	return intern(known, bytes, size)->bytes;
}

static int by_request(const void *a, const void *b)
{
	const struct completed *x = a, *y = b;

	return (x->request > y->request) - (x->request < y->request);
}

/* True if each request occurs once, and none is cancelled. */
static bool are_plain(const struct completed *completed, uint32_t count)
{
	struct completed *sorted = memory_new(count + 1u, sizeof *sorted);
	bool plain = true;

	memcpy(sorted, completed, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_request);
	for (uint32_t i = 0; i < count; i++)
		plain &= sorted[i].request >= 0 && !sorted[i].cancelled &&
		         (!i || sorted[i].request != sorted[i - 1].request);
	free(sorted);
	return plain;
}

/* All need all members of one group, whose size is that of the communicator. */
static enum act act_of(const struct call_semantics *semantics)
{
	bool is_known = semantics->source >= 0 && semantics->kind->source_tag != TAG_ANY;

	switch (semantics->does & ~(uint32_t)(CALL_COMMUNICATES | CALL_NEEDS_NOBODY | CALL_GIVES_NOTHING |
	                                      CALL_GIVES_SOME | CALL_TESTS | CALL_FINDS_NOTHING)) {
	case 0:
		return ACT_NONE;
	case CALL_SENDS:
		return ACT_SEND;
	case CALL_SENDS | CALL_HAS_REQUEST:
		return ACT_ISEND;
	case CALL_RECEIVES:
		return is_known ? ACT_RECEIVE : ACT_ANY;
	case CALL_RECEIVES | CALL_HAS_REQUEST:
		return is_known ? ACT_IRECEIVE : ACT_ANY;
	case CALL_COMPLETES:
		return are_plain(semantics->kind->completed, semantics->kind->completed_count) ? ACT_COMPLETE
		                                                                               : ACT_ANY;
	}
	return ACT_ANY;
}

static struct call_semantics *new_semantics(struct semantics_table *table, const struct comm_table *comms,
                                            uint32_t process, const struct call *call)
{
	struct semantics_kind kind = {0};
	struct call_semantics semantics = work_out(find_info(table->known, call->outline->name), comms,
	                                           process, call, &kind);
	struct call_semantics *made;

	if (table->without_messages) {
		uint32_t messages = CALL_SENDS | CALL_RECEIVES | CALL_PROBES | CALL_TAKES | CALL_BY_NUMBER |
		                    CALL_IS_OPEN;
		if (semantics.does & messages)
			semantics.does = (semantics.does & ~messages) | CALL_PASSED_OVER;
	}
	if (semantics.does & CALL_COMPLETES && is_wait(kind.info)) {
		kind.completed = &of_notify;
		kind.completed_count = 1;
	} else if (semantics.does & CALL_COMPLETES) {
		struct completed *list;
		struct outcome outcome;
		uint32_t at = 0, count = 0;
		while (next_outcome(call, &at, &outcome))
			count++;
		list = memory_new(count + 1u, sizeof *list);
		at = 0;
		for (uint32_t i = 0; next_outcome(call, &at, &outcome); i++)
			list[i] = (struct completed){outcome.request, outcome.cancelled};
		kind.completed = once(table, table->known ? &table->known->completed : NULL, list,
		                      count * sizeof *list);
		kind.completed_count = count;
		free(list);
	}
	semantics.act = act_of(&semantics);
	semantics.is_local = is_local_call(kind.info);
	semantics.kind = once(table, table->known ? &table->known->kinds : NULL, &kind, sizeof kind);
	table->any_open |= is_open(&semantics);
	made = arena_alloc(table->arena, 1,
	                   sizeof semantics + (table->room ? table->room(table->context, &semantics) : 0));
	*made = semantics;
	if (table->met)
		table->met(table->context, made);
	return made;
}

struct call_semantics *semantics_of(struct semantics_table *table, const struct comm_table *comms,
                                    uint32_t process, const struct call *call)
{
	struct call_semantics **semantics;

	if (call->id >= table->count) {
		uint64_t room = room_for(table->count, call->id,
		                         comms->reader->processes[process].calls.count);
		table->items = memory_grow(table->items, room, sizeof *table->items);
		memset(table->items + table->count, 0, (room - table->count) * sizeof *table->items);
		table->count = room;
	}
	semantics = &table->items[call->id];
	if (!*semantics)
		*semantics = new_semantics(table, comms, process, call);
	return *semantics;
}

void semantics_release(struct semantics_table *table)
{
	free(table->items);
	*table = (struct semantics_table){0};
}

static void take_outcome(struct outcome *outcome, struct field field)
{
	if (field.key == FIELD_SOURCE)
		outcome->source = as_int(field.value, RANK_NULL);
	else if (field.key == FIELD_SOURCE_TAG)
		outcome->source_tag = as_int(field.value, TAG_ANY);
	else if (field.key == FIELD_CANCELLED)
		outcome->cancelled = field.value != 0;
}

bool next_outcome(const struct call *call, uint32_t *at, struct outcome *outcome)
{
	uint32_t i = *at;

	while (i < field_count(call) && field_key_at(call, i) != FIELD_DONE)
		i++;
	if (i == field_count(call))
		return false;
	*outcome = (struct outcome){
		.request = as_number(field_value_at(call, i)), .source = RANK_ANY, .source_tag = TAG_ANY};
	for (i++; i < field_count(call) && field_key_at(call, i) != FIELD_DONE; i++)
		take_outcome(outcome, field_at(call, i));
	*at = i;
	return true;
}

const struct outcome *outcome_at(struct outcome_cursor *cursor, const struct call *call, uint32_t index)
{
	if (cursor->call != call || cursor->count > index + 1)
		*cursor = (struct outcome_cursor){.call = call,
		                                  .last = {.source = RANK_ANY, .source_tag = TAG_ANY}};
	while (cursor->count <= index && next_outcome(call, &cursor->at, &cursor->last))
		cursor->count++;
	return &cursor->last;
}
