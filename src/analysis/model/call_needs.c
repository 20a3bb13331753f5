#include "analysis/model/call_needs.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/window_needs.h"

bool call_makes_request(const struct call_info *info)
{
	return !call_is_pgas(info) && call_has(info, KIND_newrequest);
}

bool call_starts_mpi(const struct call_info *info)
{
	return info->life == LIFE_BEGINS && info->collective;
}

struct message_needs message_needs_of(const struct call *call, const struct call_info *info)
{
	struct message_needs messages = {0};
	uint32_t flow = info ? call_flow(info) : 0;
	bool both = (flow & CALL_SENDS) && (flow & CALL_RECEIVES);
	struct message_need message = {.comm = (uint64_t)field_or(call, FIELD_COMM, 0),
	                               .peer = field_or(call, FIELD_PEER, RANK_NULL),
	                               .tag = field_or(call, FIELD_TAG, flow & CALL_SENDS ? 0 : TAG_ANY),
	                               .is_send = flow & CALL_SENDS};

	if (!flow && !(info && info->class == CLASS_PROBE))
		return messages;
	messages.of[messages.count++] = message;
	if (both)
		messages.of[messages.count++] = (struct message_need){
			.comm = message.comm,
			.peer = field_or(call, FIELD_RECV_PEER, RANK_NULL),
			.tag = field_or(call, FIELD_RECV_TAG, TAG_ANY)};
	return messages;
}

static uint64_t comm_of_object(const struct process *recorded, int64_t identity)
{
	for (size_t i = 0; i < recorded->object_count; i++)
		if (recorded->objects[i].identity == (uint64_t)identity)
			return recorded->objects[i].comm;
	return 0;
}

/* Calls that create a window or a file are calls on the communicator. For UPC, only barriers: the partners of
 * other calls are unknown before they end. */
bool call_order_of(const struct process *recorded, const struct call *call, const struct call_info *info,
                   struct call_order *order)
{
	uint64_t comm = (uint64_t)field_or(call, FIELD_COMM, 0);
	int64_t identity;

	if (info->persistent || (!info->collective && info != &all_calls[CALL_upc_wait]) ||
	    (call_is_pgas(info) && info->pgas != PGAS_SYNC))
		return false;
	*order = (struct call_order){comm, comm};
	if (!comm) {
		identity = field_or(call, FIELD_WIN, field_or(call, FIELD_FILE, 0));
		*order = (struct call_order){(uint64_t)identity, comm_of_object(recorded, identity)};
	}
	return order->identity && order->comm;
}

void waiting_process_release(struct waiting_process *process)
{
	map_release(&process->entered);
	array_release(&process->requests);
	window_needs_release(process);
}

/* Messages and requests */

void call_needs_add(struct call_needs *needs, uint32_t process, uint32_t partner)
{
	uint32_t *mark = &array_extend(&needs->marks, needs->process_count)->items[partner];

	if (*mark == process + 1)
		return;
	*mark = process + 1;
	array_add(&needs->found, partner);
}

/* False: it waits for no process, or for none that is known. */
static bool add_message(struct call_needs *needs, uint32_t process, const struct message_need *message,
                        struct needed_partners *partners)
{
	struct member_group group;
	uint32_t peer;

	partners->needs_any |= message->peer == RANK_ANY;
	if (message->peer < 0 || !needs->ways->group(needs->context, process, message->comm, &group) ||
	    group.is_inter)
		return false;
	needs->steps++;
	peer = needs->ways->member(needs->context, &group, (uint64_t)message->peer);
	/* Whether a process has done its own part may be unknown. */
	if (peer == NO_PROCESS ||
	    (needs->ways->is_met ? needs->ways->is_met(needs->context, process, message, peer)
	                         : peer == process))
		return false;
	call_needs_add(needs, process, peer);
	return true;
}

static bool add_messages(struct call_needs *needs, uint32_t process, const struct message_needs *messages,
                         struct needed_partners *partners)
{
	bool waits = false;

	for (uint32_t i = 0; i < messages->count; i++)
		waits |= add_message(needs, process, &messages->of[i], partners);
	return waits;
}

static void add_requests(struct call_needs *needs, uint32_t process, struct needed_partners *partners)
{
	const struct waiting_process *waiting = needs->processes[process];
	bool can_one_complete = false;

	for (uint32_t i = 0; i < field_count(waiting->call); i++) {
		uint32_t key = field_key_at(waiting->call, i);
		int64_t number = field_value_at(waiting->call, i);

		if (key != FIELD_REQUEST && key != FIELD_DONE)
			continue;
		if (number < 0 || (size_t)number >= waiting->requests.count)
			can_one_complete = true;
		else
			can_one_complete |= !add_messages(needs, process, &waiting->requests.items[number],
			                                  partners);
	}
	partners->needs_one = call_needs_one_request(waiting->info);
	if (partners->needs_one && can_one_complete && needs->ways->is_met)
		needs->found.count = 0;
}

/* Collective calls */

/* A collective call of one process: what must agree with other processes. */
struct collective_need {
	struct call_order order;
	struct member_group group;
	const struct call_info *info;
	int64_t root;
	uint64_t count; /* of earlier calls; UINT64_MAX: unknown */
	enum needed_members whom;
};

static uint64_t entered_before(const struct waiting_process *process, uint64_t order)
{
	const uint32_t *count = map_find(&process->entered, map_key(order, 0));

	return count ? *count : 0;
}

static int64_t root_of(const struct waiting_process *process)
{
	return process->info->collective == COLLECTIVE_RANK0_FIRST ? 0
	                                                           : field_or(process->call, FIELD_ROOT, 0);
}

/* Libraries let no process leave a call on a window or a file, or one that creates a communicator,
 * before all have arrived. */
static enum needed_members members_needed(const struct waiting_process *process,
                                          const struct collective_need *need)
{
	enum needed_members whom = needed_members(collective_needs_of(process->info),
	                                          need->group.own == need->root);

	if (call_is_pgas(process->info) || need->order.identity != need->order.comm ||
	    call_has(process->info, KIND_newcomm) || whom == MEMBERS_OTHERS)
		return MEMBERS_ALL;
	return whom;
}

static bool waits_in_order(const struct waiting_process *process, uint64_t identity)
{
	struct call_order order;

	return process->call && !call_makes_request(process->info) &&
	       call_order_of(process->recorded, process->call, process->info, &order) &&
	       order.identity == identity;
}

enum member_state { MEMBER_CAME, MEMBER_MISSING, MEMBER_ELSEWHERE };

/* A member that has entered this collective call, or has left it, delays no other. */
static enum member_state state_of_member(const struct collective_need *need,
                                         const struct waiting_process *member)
{
	bool is_here = waits_in_order(member, need->order.identity);

	if (!member->is_incomplete && need->count != UINT64_MAX) {
		uint64_t count = entered_before(member, need->order.identity);
		if (count > need->count)
			return MEMBER_CAME;
		is_here &= count == need->count;
	}
	if (!is_here)
		return MEMBER_MISSING;
	return member->info == need->info && root_of(member) == need->root ? MEMBER_CAME : MEMBER_ELSEWHERE;
}

static bool is_needed(const struct collective_need *need, uint64_t rank)
{
	return need->whom == MEMBERS_ALL || (need->whom == MEMBERS_ROOT && (int64_t)rank == need->root) ||
	       (need->whom == MEMBERS_LOWER && rank < need->group.own);
}

static void list_partners(struct call_needs *needs, const struct collective_need *need,
                          struct shared_partners *list)
{
	uint32_t count_of_ranks = 0;

	*list = (struct shared_partners){.misfit = NO_PROCESS};
	for (uint64_t rank = 0; rank < need->group.size; rank++) {
		uint32_t member = needs->ways->member(needs->context, &need->group, rank);
		enum member_state state = MEMBER_CAME;

		needs->steps++;
		if (member != NO_PROCESS && member != need->group.process)
			state = state_of_member(need, needs->processes[member]);
		if (state == MEMBER_ELSEWHERE && needs->is_running)
			state = MEMBER_CAME;
		if (state == MEMBER_CAME || (state == MEMBER_MISSING && !is_needed(need, rank)))
			continue;
		if (state == MEMBER_ELSEWHERE && list->misfit == NO_PROCESS)
			list->misfit = member;
		arena_add(needs->arena, list->items, list->count, member);
		arena_add(needs->arena, list->ranks, count_of_ranks, (uint32_t)rank);
	}
}

/* The list for all processes that are in the same call and need the same members. */
static const struct shared_partners *find_shared(struct call_needs *needs, const struct collective_need *need)
{
	struct map_key key = map_key(
		hash_word(hash_word(need->order.identity, need->count), (uint64_t)need->root),
		(uint64_t)(need->info - all_calls) << 8 | need->whom);
	uint32_t *number = map_put(&needs->shared_numbers, key);

	if (*number == MAP_NONE) {
		*number = (uint32_t)needs->shared.count;
		list_partners(needs, need, array_new_item(&needs->shared));
	}
	return &needs->shared.items[*number];
}

static uint32_t count_below(const struct shared_partners *list, uint32_t rank)
{
	uint32_t low = 0, high = list->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (list->ranks[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void find_members(struct call_needs *needs, struct collective_need *need,
                         struct needed_partners *partners)
{
	struct shared_partners own;
	const struct shared_partners *list;
	bool is_prefix = need->whom == MEMBERS_LOWER;

	/* In the list of all, a process that needs the lower ranks needs a prefix. */
	need->whom = is_prefix ? MEMBERS_ALL : need->whom;
	list = find_shared(needs, need);
	need->whom = is_prefix ? MEMBERS_LOWER : need->whom;
	if (is_prefix && list->misfit != NO_PROCESS) {
		list_partners(needs, need, &own);
		list = &own;
	}
	partners->items = list->items;
	partners->count = is_prefix && list->misfit == NO_PROCESS ? count_below(list, need->group.own)
	                                                          : list->count;
	partners->misfit = list->misfit;
}

static void need_members(struct call_needs *needs, uint32_t process, const struct call_order *order,
                         struct needed_partners *partners)
{
	const struct waiting_process *waiting = needs->processes[process];
	struct collective_need need = {.order = *order, .info = waiting->info};

	/* In other calls on an intercommunicator the needs depend on the group. */
	if (!needs->ways->group(needs->context, process, order->comm, &need.group) ||
	    (need.group.is_inter && !call_has(waiting->info, KIND_newcomm)))
		return;
	need.root = root_of(waiting);
	need.count = waiting->is_incomplete ? UINT64_MAX : entered_before(waiting, order->identity);
	need.whom = members_needed(waiting, &need);
	find_members(needs, &need, partners);
	partners->is_certain = order->identity == order->comm &&
	                       (partners->misfit != NO_PROCESS ||
	                        collective_needs_of(waiting->info) != COLLECTIVE_SOME);
}

/* True if this process of the world has not yet called MPI_Init or MPI_Finalize. */
static bool is_awaited(const struct waiting_process *process, bool at_start)
{
	if (at_start)
		return !process->has_started && !(process->call && call_starts_mpi(process->info));
	return process->has_started && !process->has_ended &&
	       !(process->call && process->info == &all_calls[CALL_Finalize]);
}

/* In MPI_Init communicators are unknown. The standard does not say that MPI_Finalize waits for
 * all, but libraries do. */
static void need_world(struct call_needs *needs, uint32_t process, struct needed_partners *partners)
{
	const struct waiting_process *waiting = needs->processes[process];
	bool at_start = call_starts_mpi(waiting->info);
	uint32_t *number = map_put(&needs->shared_numbers,
	                           map_key(waiting->recorded->world, at_start ? CALL_Init : CALL_Finalize));
	struct shared_partners *list;

	if (*number == MAP_NONE) {
		*number = (uint32_t)needs->shared.count;
		list = array_new_item(&needs->shared);
		for (uint32_t i = 0; i < needs->process_count; i++, needs->steps++)
			if (needs->processes[i]->recorded->world == waiting->recorded->world &&
			    is_awaited(needs->processes[i], at_start))
				arena_add(needs->arena, list->items, list->count, i);
	}
	list = &needs->shared.items[*number];
	partners->items = list->items;
	partners->count = list->count;
	partners->is_certain = at_start;
}

struct needed_partners call_needs_find(struct call_needs *needs, uint32_t process)
{
	const struct waiting_process *waiting = needs->processes[process];
	struct needed_partners partners = {.is_certain = true, .misfit = NO_PROCESS};
	struct message_needs messages;
	struct member_group group;
	struct call_order order;

	needs->found.count = 0;
	if (!waiting->call || call_makes_request(waiting->info))
		return partners;
	if (call_waits_for_requests(waiting->info)) {
		add_requests(needs, process, &partners);
	} else if (call_starts_mpi(waiting->info) || waiting->info == &all_calls[CALL_Finalize]) {
		need_world(needs, process, &partners);
	} else if (call_order_of(waiting->recorded, waiting->call, waiting->info, &order)) {
		if (!call_is_pgas(waiting->info) || !needs->splits_barriers)
			need_members(needs, process, &order, &partners);
	} else if (waiting->info->class == CLASS_ONE_SIDED || waiting->info->class == CLASS_EPOCH) {
		uint64_t comm = comm_of_object(waiting->recorded, field_or(waiting->call, FIELD_WIN, 0));

		if (comm && needs->ways->group(needs->context, process, comm, &group))
			window_needs_find(needs, &group);
		partners.is_certain = false;
	} else if (!call_is_pgas(waiting->info)) {
		messages = message_needs_of(waiting->call, waiting->info);
		add_messages(needs, process, &messages, &partners);
	}
	if (needs->found.count) {
		uint32_t *kept = arena_array(needs->arena, uint32_t, needs->found.count);

		memcpy(kept, needs->found.items, needs->found.count * sizeof *kept);
		partners.items = kept;
		partners.count = (uint32_t)needs->found.count;
	}
	return partners;
}

void call_needs_release(struct call_needs *needs)
{
	array_release(&needs->found);
	array_release(&needs->marks);
	array_release(&needs->shared);
	map_release(&needs->shared_numbers);
}
