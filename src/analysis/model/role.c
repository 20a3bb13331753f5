#include "analysis/model/role.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The class of an error, as the format numbers them, after which a message has arrived all the same. */
enum { ERROR_TRUNCATE = 15 };

static const char *const meets_names[] = {
	[MEETS_SOME] = "some",
	[MEETS_ALL] = "all",
	[MEETS_ROOT_FIRST] = "root_first",
	[MEETS_ROOT_LAST] = "root_last",
	[MEETS_LOWER_FIRST] = "lower_first",
};

/* The root of calls that do not name it. */
static const char rank0_first[] = "rank0_first";

/* How point-to-point data flows, and what a call of that kind does. */
static const struct {
	const char *moves;
	uint32_t does;
} flows[] = {
	{"send", ROLE_SENDS},
	{"recv", ROLE_RECEIVES},
	{"sendrecv", ROLE_SENDS | ROLE_RECEIVES},
	{"replace", ROLE_SENDS | ROLE_RECEIVES},
};

uint32_t role_flow(const struct call_info *info)
{
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
		if (strcmp(info->moves, flows[i].moves) == 0)
			return flows[i].does;
	return 0;
}

static enum meets meets_of(const struct call_info *info)
{
	for (size_t i = 0; i < sizeof meets_names / sizeof *meets_names; i++)
		if (strcmp(info->meets, meets_names[i]) == 0)
			return (enum meets)i;
	return strcmp(info->meets, rank0_first) == 0 ? MEETS_ROOT_FIRST : MEETS_SOME;
}

static int64_t field_or(const struct call *call, enum field_key key, int64_t other)
{
	int64_t value;

	return call_field(call, key, &value) ? value : other;
}

/* Fields before the first group are of the call itself. */
static bool has_group(const struct call *call)
{
	int64_t request;

	return call_field(call, FIELD_DONE, &request);
}

static int32_t as_int(int64_t value, int32_t otherwise)
{
	return value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : otherwise;
}

/* Of a request or message: no recording has so many of them. */
static int32_t as_number(int64_t value)
{
	return value < 0 ? -1 : as_int(value, INT32_MAX);
}

static void find_envelopes(struct role *role, struct role_kind *kind, const struct call *call)
{
	bool both = role_flow(role->kind->info) == (ROLE_SENDS | ROLE_RECEIVES);
	int64_t peer = field_or(call, FIELD_PEER, RANK_ANY), tag = field_or(call, FIELD_TAG, TAG_ANY);
	int64_t source = both ? field_or(call, FIELD_RECV_PEER, RANK_ANY) : peer;
	int64_t source_tag = both ? field_or(call, FIELD_RECV_TAG, TAG_ANY) : tag;

	role->dest = as_int(peer, RANK_NULL);
	kind->tag = as_int(tag, TAG_ANY);
	if (!has_group(call)) {
		source = field_or(call, FIELD_SOURCE, source);
		source_tag = field_or(call, FIELD_SOURCE_TAG, source_tag);
	}
	role->source = as_int(source, RANK_NULL);
	kind->source_tag = as_int(source_tag, TAG_ANY);
}

/* A failed call has begun nothing. */
static bool has_failed(const struct call *call)
{
	int64_t result = field_or(call, FIELD_RESULT, 0);

	return result && result != ERROR_TRUNCATE;
}

static uint32_t probe_does(const struct role *role, const struct call *call)
{
	if (role->kind->info->class != CLASS_PROBE || !field_or(call, FIELD_FLAG, 1) ||
	    role->source == RANK_NULL)
		return 0;
	return role->kind->message < 0 ? ROLE_PROBES : ROLE_PROBES | ROLE_TAKES;
}

static uint32_t begins(const struct role *role, const struct call *call)
{
	uint32_t does = role_flow(role->kind->info);

	if (does & ROLE_SENDS && role->dest < 0)
		does &= ~(uint32_t)ROLE_SENDS;
	if (does & ROLE_RECEIVES && role->kind->info->class == CLASS_PROBE)
		return role->kind->message < 0 ? 0 : ROLE_BY_NUMBER;
	if (does & ROLE_RECEIVES && role->source == RANK_NULL)
		does &= ~(uint32_t)ROLE_RECEIVES;
	if (!does)
		does = probe_does(role, call);
	return role->kind->own_comm == NO_COMM ? 0 : does;
}

/* What the table says holds for a call of UPC that is synchronised at both ends. With UPC_IN_NOSYNC data may be moved before its
 * thread has come, with UPC_OUT_NOSYNC a thread may leave before its data was moved: then nobody needs to be there. */
static void meets_by_sync(struct role *role, const struct call *call)
{
	int64_t sync = field_or(call, FIELD_SYNC, SYNC_IN_NO);

	if (sync & (SYNC_IN_NO | SYNC_OUT_NO))
		role->meets = MEETS_SOME;
	else if (!(sync & SYNC_IN_MY) || !(sync & SYNC_OUT_MY))
		role->meets = MEETS_ALL;
}

static uint32_t meets(struct role *role, const struct call *call)
{
	uint32_t does = ROLE_MEETS;

	if (!*role->kind->info->meets || role->kind->own_comm == NO_COMM)
		return 0;
	role->meets = meets_of(role->kind->info);
	if (role->kind->info->class == CLASS_UPC_COLLECTIVE)
		meets_by_sync(role, call);
	if (role->kind->info->class == CLASS_UPC_COLLECTIVE && role->meets == MEETS_ALL)
		return does;
	if (field_or(call, FIELD_RECEIVED, 1) == 0)
		does |= ROLE_NEEDS_NOBODY;
	if (field_or(call, FIELD_SENT, 1) == 0)
		does |= ROLE_GIVES_NOTHING;
	return does;
}

/* Windows and files are of the communicator that they were made on. */
static const struct membership *find_own_by_object(const struct role *role, struct role_kind *kind,
                                                   const struct comm_table *comms, const struct call *call)
{
	const struct process *here = &comms->reader->processes[role->process];
	int64_t identity;

	if (!*role->kind->info->meets ||
	    (!call_field(call, FIELD_WIN, &identity) && !call_field(call, FIELD_FILE, &identity)))
		return NULL;
	for (size_t i = 0; i < here->object_count; i++) {
		if (here->objects[i].identity != (uint64_t)identity)
			continue;
		kind->object = (uint64_t)identity;
		return find_membership(comms, role->process, here->objects[i].comm);
	}
	return NULL;
}

static void find_own(struct role *role, struct role_kind *kind, const struct comm_table *comms,
                     const struct call *call)
{
	const struct membership *own;
	int64_t identity;

	if (call_field(call, FIELD_COMM, &identity))
		own = find_membership(comms, role->process, (uint64_t)identity);
	else if (role->kind->info->class == CLASS_ENVIRONMENT)
		own = find_world(comms, role->process);
	else
		own = find_own_by_object(role, kind, comms, call);
	if (!own)
		return;
	kind->own_comm = own->comm;
	kind->own_side = own->side;
	role->own_rank = own->rank;
}

static bool is_completion(const struct call_info *info)
{
	return info->class == CLASS_REQUEST &&
	       (text_begins(info->name, "MPI_Wait") ||
	        (text_begins(info->name, "MPI_Test") && strcmp(info->name, "MPI_Test_cancelled") != 0));
}

static bool communicates(const struct call_info *info)
{
	static const bool classes[CALL_CLASSES] = {
		[CLASS_POINT_TO_POINT] = true, [CLASS_PROBE] = true,     [CLASS_COLLECTIVE] = true,
		[CLASS_NEIGHBOURHOOD] = true,  [CLASS_ONE_SIDED] = true, [CLASS_EPOCH] = true,
		[CLASS_UPC_COLLECTIVE] = true, [CLASS_UPC_SYNC] = true,  [CLASS_UPC_LOCK] = true,
		[CLASS_UPC_ACCESS] = true,     [CLASS_UPC_ATOMIC] = true};

	return !info->persistent && (classes[info->class] || info->starts || is_completion(info));
}

static uint32_t open_or_not(const struct role *role)
{
	bool is_receive = role->does & ROLE_RECEIVES && role->does & ROLE_HAS_REQUEST;

	return is_receive && (role->source == RANK_ANY || role->kind->source_tag == TAG_ANY) ? ROLE_IS_OPEN
	                                                                                     : 0;
}

/* Who is at the other end. */
static void find_partners(struct role *role, struct role_kind *kind, const struct comm_table *comms)
{
	const struct communicator *comm;
	uint32_t side;

	role->dest_process = role->source_process = NO_PROCESS;
	if (role->kind->own_comm == NO_COMM)
		return;
	comm = &comms->comms[role->kind->own_comm];
	side = is_inter(comm) ? !role->kind->own_side : role->kind->own_side;
	kind->comm = comm->identity;
	if (role->dest >= 0)
		role->dest_process = comm_process(comms, role->kind->own_comm, side, (uint32_t)role->dest);
	if (role->source >= 0)
		role->source_process = comm_process(comms, role->kind->own_comm, side,
		                                    (uint32_t)role->source);
}

static const struct completed of_notify = {.request = REQUEST_NOTIFIED};

static bool is_wait(const struct call_info *info)
{
	return info == &all_calls[CALL_upc_wait];
}

/* Of calls of UPC that do not name them. */
static void find_implied(struct role *role, struct role_kind *kind)
{
	if (role->kind->info == &all_calls[CALL_upc_notify])
		role->request = REQUEST_NOTIFIED;
	if (is_wait(role->kind->info))
		role->does |= ROLE_COMPLETES;
	if (strcmp(role->kind->info->meets, rank0_first) == 0)
		kind->root = 0;
}

/* Who is at the other end of an access or a lock. */
static void find_target(struct role *role, const struct call *call)
{
	role->dest = as_int(field_or(call, FIELD_TARGET, RANK_NULL), RANK_NULL);
}

static struct role work_out(const struct call_info *info, const struct comm_table *comms, uint32_t process,
                            const struct call *call, struct role_kind *kind)
{
	struct role role = {.kind = kind, .call = call, .process = process};

	kind->info = info;
	kind->own_comm = NO_COMM;
	role.request = as_number(field_or(call, FIELD_REQUEST, -1));
	kind->message = as_number(field_or(call, FIELD_MESSAGE, -1));
	kind->root = as_int(field_or(call, FIELD_ROOT, RANK_ANY), INT32_MAX);
	if (has_group(call))
		role.does |= ROLE_COMPLETES;
	if (info && communicates(info))
		role.does |= ROLE_COMMUNICATES;
	if (!info || has_failed(call))
		return role;
	if (info->starts)
		role.does |= ROLE_STARTS;
	if (call_is_upc(info))
		find_implied(&role, kind);
	find_own(&role, kind, comms, call);
	find_envelopes(&role, kind, call);
	if (call_is_upc(info))
		find_target(&role, call);
	role.does |= begins(&role, call) | meets(&role, call);
	if (role.request != -1 && strstr(info->roles, "newrequest"))
		role.does |= info->persistent ? ROLE_HAS_REQUEST | ROLE_PREPARES : ROLE_HAS_REQUEST;
	role.does |= open_or_not(&role);
	find_partners(&role, kind, comms);
	return role;
}

static void pass_over_messages(struct role *role)
{
	uint32_t messages = ROLE_SENDS | ROLE_RECEIVES | ROLE_PROBES | ROLE_TAKES | ROLE_BY_NUMBER |
	                    ROLE_IS_OPEN;

	if (role->does & messages)
		role->does = (role->does & ~messages) | ROLE_PASSED_OVER;
}

/* A trace of many processes has as many lists: not much of the room may be left over. */
static uint64_t room_for(uint64_t count, uint64_t wanted, uint64_t known)
{
	uint64_t room = count ? count : known > 16 ? known : 16;

	while (room <= wanted)
		room += room / 2;
	return room;
}

/* Of names that are the same text for all processes, few are different. */
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

/* The same for the same bytes, where that is known. */
static const void *once(const struct roles *roles, struct interner *known, const void *bytes, size_t size)
{
	if (!known)
		return memcpy(arena_alloc(roles->arena, 1, size), bytes, size);
	known->arena = roles->arena;
	known->is_bare = true;
	return intern(known, bytes, size)->bytes;
}

static void find_completed(const struct roles *roles, const struct call *call, struct role_kind *kind)
{
	struct completed *list;
	struct outcome outcome;
	uint32_t at = 0, count = 0;

	while (next_outcome(call, &at, &outcome))
		count++;
	list = memory_new(count + 1u, sizeof *list);
	at = 0;
	for (uint32_t i = 0; next_outcome(call, &at, &outcome); i++)
		list[i] = (struct completed){outcome.request, outcome.cancelled};
	kind->completed = once(roles, roles->known ? &roles->known->completed : NULL, list,
	                       count * sizeof *list);
	kind->completed_count = count;
	free(list);
}

static int by_request(const void *a, const void *b)
{
	const struct completed *x = a, *y = b;

	return (x->request > y->request) - (x->request < y->request);
}

/* Each request once, and none of them cancelled. */
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

/* All need all of one group, whose number of members is that of the communicator. */
static enum act act_of(const struct role *role)
{
	bool is_known = role->source >= 0 && role->kind->source_tag != TAG_ANY;

	switch (role->does & ~(uint32_t)(ROLE_COMMUNICATES | ROLE_NEEDS_NOBODY | ROLE_GIVES_NOTHING)) {
	case 0:
		return ACT_NONE;
	case ROLE_SENDS:
		return ACT_SEND;
	case ROLE_SENDS | ROLE_HAS_REQUEST:
		return ACT_ISEND;
	case ROLE_RECEIVES:
		return is_known ? ACT_RECEIVE : ACT_ANY;
	case ROLE_RECEIVES | ROLE_HAS_REQUEST:
		return is_known ? ACT_IRECEIVE : ACT_ANY;
	case ROLE_COMPLETES:
		return are_plain(role->kind->completed, role->kind->completed_count) ? ACT_COMPLETE : ACT_ANY;
	}
	return ACT_ANY;
}

static struct role *new_role(struct roles *roles, const struct comm_table *comms, uint32_t process,
                             const struct call *call)
{
	struct role_kind kind = {0};
	struct role role = work_out(find_info(roles->known, call->outline->name), comms, process, call,
	                            &kind);
	struct role *made;

	if (roles->without_messages)
		pass_over_messages(&role);
	if (role.does & ROLE_COMPLETES && is_wait(kind.info)) {
		kind.completed = &of_notify;
		kind.completed_count = 1;
	} else if (role.does & ROLE_COMPLETES) {
		find_completed(roles, call, &kind);
	}
	role.act = act_of(&role);
	role.kind = once(roles, roles->known ? &roles->known->kinds : NULL, &kind, sizeof kind);
	roles->any_open |= is_open(&role);
	made = arena_alloc(roles->arena, 1,
	                   sizeof role + (roles->room ? roles->room(roles->context, &role) : 0));
	*made = role;
	if (roles->met)
		roles->met(roles->context, made);
	return made;
}

struct role *role_of(struct roles *roles, const struct comm_table *comms, uint32_t process,
                     const struct call *call)
{
	struct role **role;

	if (call->id >= roles->count) {
		uint64_t room = room_for(roles->count, call->id,
		                         comms->reader->processes[process].calls.count);
		roles->items = memory_grow(roles->items, room, sizeof *roles->items);
		memset(roles->items + roles->count, 0, (room - roles->count) * sizeof *roles->items);
		roles->count = room;
	}
	role = &roles->items[call->id];
	if (!*role)
		*role = new_role(roles, comms, process, call);
	return *role;
}

void roles_release(struct roles *roles)
{
	free(roles->items);
	*roles = (struct roles){0};
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
