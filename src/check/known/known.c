#include "check/known/known.h"

#include "calls/ids.h"

/* Pools */

static void *pool_find(const struct known_pool *pool, uint64_t hash, uint64_t size)
{
	const uint32_t *slot = map_find(&pool->by_hash, map_key(hash, size));

	return slot ? pool->slots.items[*slot] : NULL;
}

/* UINT32_MAX: another item has this hash. */
static uint32_t pool_add(struct known_pool *pool, uint64_t hash, uint64_t size, void *item)
{
	uint32_t *slot = map_put(&pool->by_hash, map_key(hash, size));

	if (*slot != MAP_NONE)
		return UINT32_MAX;
	if (pool->free.count) {
		*slot = pool->free.items[--pool->free.count];
		pool->slots.items[*slot] = item;
	} else {
		*slot = (uint32_t)pool->slots.count;
		array_add(&pool->slots, item);
	}
	return *slot;
}

static void pool_remove(struct known_pool *pool, uint64_t hash, uint64_t size, uint32_t slot)
{
	if (slot == UINT32_MAX)
		return;
	map_remove(&pool->by_hash, map_key(hash, size));
	pool->slots.items[slot] = NULL;
	array_add(&pool->free, slot);
}

static void pool_release(struct known_pool *pool)
{
	map_release(&pool->by_hash);
	array_release(&pool->slots);
	array_release(&pool->free);
}

/* Texts */

static struct known_text *text_get(struct known *known, const uint8_t *bytes, size_t size)
{
	uint64_t hash = hash_bytes(bytes, size);
	struct known_text *text = pool_find(&known->texts, hash, size);

	if (text && memcmp(text->bytes, bytes, size) == 0) {
		text->references++;
		return text;
	}
	text = memory_new(1, sizeof *text + size);
	*text = (struct known_text){.references = 1, .hash = hash, .size = (uint32_t)size};
	memcpy(text->bytes, bytes, size);
	text->slot = pool_add(&known->texts, hash, size, text);
	return text;
}

/* Types */

static void type_drop(struct known *known, struct known_type *type)
{
	if (!type || --type->references)
		return;
	for (uint32_t i = 0; i < type->announced.part_count; i++)
		type_drop(known, type->parts[i]);
	pool_remove(&known->types, type->hash, type->announced.part_count, type->slot);
	signature_free(type->signature);
	type_release(&type->announced);
	free(type);
}

static struct known_type *process_type(const struct analysed_process *process, uint64_t number)
{
	return number < process->types.count ? process->types.items[number] : NULL;
}

/* Equal parts are the same objects, because they are in the pool. */
static bool is_same_type(const struct known_type *type, const struct checked_type *announced,
                         struct known_type *const *parts)
{
	if (type->announced.basic != announced->basic || type->announced.bytes != announced->bytes ||
	    type->announced.part_count != announced->part_count)
		return false;
	for (uint32_t i = 0; i < announced->part_count; i++)
		if (type->parts[i] != parts[i] || type->announced.parts[i].times != announced->parts[i].times)
			return false;
	return true;
}

static struct signature *make_signature(const struct checked_type *announced, struct known_type *const *parts)
{
	struct signature_part *list;
	struct signature *signature;

	if (announced->basic)
		return signature_basic((enum basic_type)announced->basic, announced->bytes);
	list = memory_new(announced->part_count + 1u, sizeof *list);
	for (uint32_t i = 0; i < announced->part_count; i++)
		list[i] = (struct signature_part){parts[i]->signature, announced->parts[i].times};
	signature = signature_new(announced->part_count, list);
	free(list);
	return signature;
}

/* NULL: invalid. Takes ownership of the announcement. */
static struct known_type *type_get(struct known *known, struct checked_type *announced,
                                   struct known_type **parts)
{
	uint64_t hash = hash_word(announced->basic, announced->bytes);
	struct known_type *type;
	struct signature *signature;

	for (uint32_t i = 0; i < announced->part_count; i++)
		hash = hash_word(hash_word(hash, (uintptr_t)parts[i]), announced->parts[i].times);
	type = pool_find(&known->types, hash, announced->part_count);
	if (type && is_same_type(type, announced, parts)) {
		type->references++;
		type_release(announced);
		return type;
	}
	signature = make_signature(announced, parts);
	if (!signature) {
		type_release(announced);
		return NULL;
	}
	type = memory_new(1, sizeof *type + announced->part_count * sizeof *type->parts);
	*type = (struct known_type){
		.references = 1, .hash = hash, .signature = signature, .announced = *announced};
	for (uint32_t i = 0; i < announced->part_count; i++) {
		type->parts[i] = parts[i];
		parts[i]->references++;
	}
	type->slot = pool_add(&known->types, hash, announced->part_count, type);
	return type;
}

bool known_type_add(struct known *known, struct analysed_process *process, struct cursor *in)
{
	struct checked_type announced;
	struct known_type **parts, *type;
	bool right;

	if (!type_take(in, &announced))
		return false;
	/* A process that vanished repeats its announcements. */
	if (process_type(process, announced.number)) {
		type_release(&announced);
		return true;
	}
	parts = memory_new(announced.part_count + 1u, sizeof *parts);
	right = announced.number && announced.number <= CALL_NUMBER_MAX;
	for (uint32_t i = 0; right && i < announced.part_count; i++) {
		parts[i] = process_type(process, announced.parts[i].type);
		right = parts[i] != NULL;
	}
	if (right) {
		uint32_t number = announced.number;
		type = type_get(known, &announced, parts);
		array_extend(&process->types, (size_t)number + 1)->items[number] = type;
		right = type != NULL;
	} else {
		type_release(&announced);
	}
	free(parts);
	return right;
}

/* Communicators */

static struct analysed_comm *comm_get(struct known *known, const struct checked_comm *announced)
{
	uint32_t *slot = map_put(&known->comm_slots, map_key(announced->identity, 0));
	struct analysed_comm *comm;

	if (*slot != MAP_NONE)
		return known->comms.items[*slot];
	comm = memory_new(1, sizeof *comm);
	*comm = (struct analysed_comm){.identity = announced->identity,
	                               .name = memory_copy_text(announced->name)};
	comm->number = ++known->last_comm;
	comm->size[announced->side] = announced->size;
	comm->size[!announced->side] = announced->remote_size;
	if (known->free_comms.count) {
		*slot = known->free_comms.items[--known->free_comms.count];
		known->comms.items[*slot] = comm;
	} else {
		*slot = (uint32_t)known->comms.count;
		array_add(&known->comms, comm);
	}
	comm->slot = *slot;
	return comm;
}

static void free_comm(struct known *known, struct analysed_comm *comm)
{
	if (known->release_comm)
		known->release_comm(comm, known->comm_owner);
	map_remove(&known->comm_slots, map_key(comm->identity, 0));
	known->comms.items[comm->slot] = NULL;
	array_add(&known->free_comms, comm->slot);
	free((char *)comm->name);
	free(comm->members);
	free(comm);
}

void known_comm_drop(struct known *known, struct analysed_comm *comm)
{
	if (--comm->references == 0)
		free_comm(known, comm);
}

static void member_drop(struct known *known, struct comm_member *member)
{
	if (--member->references)
		return;
	known_comm_drop(known, member->comm);
	free(member->sources);
	free(member->dests);
	array_release(&member->rejected);
	free(member);
}

/* Returns its number. Takes ownership of the lists of the announcement. */
static uint32_t add_membership(struct analysed_process *process, struct analysed_comm *comm,
                               struct checked_comm *announced)
{
	struct comm_member *member = memory_new(1, sizeof *member);
	uint32_t number = (uint32_t)process->memberships.count;

	*member = (struct comm_member){.comm = comm,
	                               .rank = announced->rank,
	                               .side = announced->side,
	                               .references = 1,
	                               .source_count = announced->source_count,
	                               .dest_count = announced->dest_count,
	                               .sources = announced->sources,
	                               .dests = announced->dests};
	announced->sources = announced->dests = NULL;
	comm->references++;
	comm->member_count += !process->is_image;
	if (process->free_memberships.count) {
		number = process->free_memberships.items[--process->free_memberships.count];
		process->memberships.items[number] = member;
	} else {
		array_add(&process->memberships, member);
	}
	return number;
}

bool known_comm_add(struct known *known, struct analysed_process *process, struct cursor *in)
{
	struct checked_comm announced;
	struct analysed_comm *comm;
	uint32_t *number;
	bool right;

	if (!comm_take(in, &announced))
		return false;
	comm = comm_get(known, &announced);
	right = announced.rank < comm->size[announced.side];
	if (!comm->members)
		comm->members = memory_new(comm_places(comm), sizeof(struct analysed_process *));
	if (right) {
		struct analysed_process **member =
			&comm->members[(announced.side ? comm->size[0] : 0) + announced.rank];
		/* The first process that claims to be this member. */
		*member = *member ? *member : process;
	}
	number = right ? map_put(&process->by_comm, map_key(announced.identity, 0)) : NULL;
	if (number && *number == MAP_NONE)
		*number = add_membership(process, comm, &announced);
	comm_release(&announced);
	return right;
}

struct comm_member *process_membership(const struct analysed_process *process, uint64_t identity)
{
	const uint32_t *number = map_find(&process->by_comm, map_key(identity, 0));

	return number ? process->memberships.items[*number] : NULL;
}

static void remove_membership(struct known *known, struct analysed_process *process, uint32_t number)
{
	struct comm_member *member = process->memberships.items[number];

	map_remove(&process->by_comm, map_key(member->comm->identity, 0));
	process->memberships.items[number] = NULL;
	array_add(&process->free_memberships, number);
	member_drop(known, member);
}

void known_comm_ended(struct known *known, struct analysed_process *process, uint64_t identity)
{
	struct comm_member *member = process_membership(process, identity);
	struct analysed_comm *comm;

	if (!member || member->has_ended)
		return;
	comm = member->comm;
	member->has_ended = true;
	comm->ended_count++;
	/* With collective calls on it, all members must have announced it. */
	if (comm->ended_count < comm->member_count ||
	    (!known->is_part && comm->has_collectives && comm->member_count < comm_places(comm)))
		return;
	known_comm_keep(comm);
	for (uint32_t i = 0; i < comm_places(comm); i++) {
		const uint32_t *number = comm->members[i] ? map_find(&comm->members[i]->by_comm,
		                                                     map_key(comm->identity, 0))
		                                          : NULL;

		if (number)
			remove_membership(known, comm->members[i], *number);
	}
	known_comm_drop(known, comm);
}

/* Calls */

/* False: no such type. */
static bool find_data(const struct analysed_process *process, struct check_data announced,
                      struct known_data *data)
{
	data->count = announced.count;
	data->type = announced.type ? process_type(process, announced.type) : NULL;
	if (data->type)
		data->type->references++;
	return !announced.type || data->type;
}

static bool find_list(const struct analysed_process *process, const struct check_data *announced,
                      uint32_t count, struct known_data **list)
{
	bool right = true;

	*list = count ? memory_new(count, sizeof **list) : NULL;
	for (uint32_t i = 0; i < count; i++)
		right &= find_data(process, announced[i], &(*list)[i]);
	return right;
}

/* Everything but its texts. */
static bool fill_call(struct known *known, struct analysed_call *call,
                      const struct distinct_check_call *announced)
{
	struct analysed_process *process = call->process;

	*call = (struct analysed_call){.serial = ++known->last_serial,
	                               .references = 1,
	                               .flags = announced->flags,
	                               .function = announced->call.function,
	                               .operation = announced->operation,
	                               .process = process,
	                               .member = process_membership(process, announced->comm),
	                               .peer = announced->peer,
	                               .peer_in_world = announced->peer_in_world,
	                               .tag = announced->tag,
	                               .root = announced->root,
	                               .operator= announced->operator,
	                               .send_list_count = announced->send_list_count,
	                               .receive_list_count = announced->receive_list_count,
	                               .window = announced->window,
	                               .detail = memory_copy_text(announced->detail),
	                               .finding = FINDING_NONE};
	if (call->member)
		call->member->references++;
	bool right = find_data(process, announced->send, &call->send) &
	             find_data(process, announced->receive, &call->receive);
	right &= find_list(process, announced->send_list, announced->send_list_count, &call->send_list);
	right &= find_list(process, announced->receive_list, announced->receive_list_count,
	                   &call->receive_list);
	call->receive_list_hash = call->receive_list_count;
	for (uint32_t i = 0; i < call->receive_list_count; i++)
		call->receive_list_hash = hash_word(
			hash_word(call->receive_list_hash, (uintptr_t)call->receive_list[i].type),
			call->receive_list[i].count);
	return right &&
	       (call->member || call->operation == OPERATION_NONE || call->operation == OPERATION_WAIT);
}

/* From the function on, without the rank and world of the call. */
static struct known_text *keep_text(struct known *known, const struct check_call *call)
{
	struct message_writer out = {0}, whose = {0};
	struct known_text *text;

	call_put(&out, call);
	put_word(&whose, call->world);
	put_number(&whose, call->rank);
	if (out.failed || whose.failed)
		memory_exhausted(FINDING_TEXT_MAX);
	text = text_get(known, out.bytes + whose.size, out.size - whose.size);
	writer_release(&out);
	writer_release(&whose);
	return text;
}

bool known_call_add(struct known *known, struct analysed_process *process, struct cursor *in)
{
	struct distinct_check_call announced;
	struct analysed_call *call;
	bool right;

	if (!distinct_call_take(in, &announced))
		return false;
	if (process_call(process, announced.number)) {
		distinct_call_release(&announced);
		return true;
	}
	call = memory_new(1, sizeof *call);
	call->process = process;
	right = announced.number && announced.number <= CALL_NUMBER_MAX;
	right &= fill_call(known, call, &announced);
	call->number = announced.number;
	call->rank_count = announced.rank_count;
	call->ranks = announced.ranks;
	announced.ranks = NULL;
	call->text = keep_text(known, &announced.call);
	known->call_count++;
	if (right)
		array_extend(&process->calls, (size_t)announced.number + 1)->items[announced.number] = call;
	else
		call_drop(known, call);
	distinct_call_release(&announced);
	return right;
}

static void drop_list(struct known *known, struct known_data *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		type_drop(known, list[i].type);
	free(list);
}

void call_drop_last(struct known *known, struct analysed_call *call)
{
	known->call_count--;
	type_drop(known, call->send.type);
	type_drop(known, call->receive.type);
	drop_list(known, call->send_list, call->send_list_count);
	drop_list(known, call->receive_list, call->receive_list_count);
	if (!--call->text->references) {
		pool_remove(&known->texts, call->text->hash, call->text->size, call->text->slot);
		free(call->text);
	}
	if (call->member)
		member_drop(known, call->member);
	if (call->operation == OPERATION_COLLECTIVE)
		free(call->summary);
	free(call->ranks);
	free((char *)call->detail);
	free(call);
}

struct check_call call_to_show(const struct analysed_call *call, const char *note)
{
	struct message_writer out = {0};
	struct check_call shown = {0};
	struct cursor in;

	put_word(&out, call->process->world);
	put_number(&out, call->process->rank);
	put_raw(&out, call->text->bytes, call->text->size);
	in = writer_cursor(&out);
	if (out.failed || !call_take(&in, &shown))
		memory_exhausted(out.size);
	free((char *)shown.note);
	shown.note = memory_copy_text(note);
	writer_release(&out);
	return shown;
}

/* Processes */

struct analysed_process *process_new(struct known *known, uint64_t world, uint32_t rank, uint32_t size)
{
	struct analysed_process *process = memory_new(1, sizeof *process);

	*process = (struct analysed_process){.world = world, .rank = rank, .size = size};
	array_add(&known->processes, process);
	return process;
}

static void crash_free(struct process_crash *crash)
{
	if (crash) {
		free(crash->cause);
		call_release(&crash->call);
	}
	free(crash);
}

bool process_crashed(struct analysed_process *process, struct cursor *in)
{
	struct process_crash *crash = memory_new(1, sizeof *crash);

	crash->cause = take_text(in);
	if (!crash->cause || !call_take(in, &crash->call)) {
		crash_free(crash);
		return false;
	}
	crash->call.world = process->world;
	crash->call.rank = process->rank;
	crash_free(process->crash);
	process->crash = crash;
	return true;
}

void process_forget(struct known *known, struct analysed_process *process)
{
	process->last = NULL;
	for (size_t i = 0; i < process->calls.count; i++)
		if (process->calls.items[i])
			call_drop(known, process->calls.items[i]);
	for (size_t i = 0; i < process->types.count; i++)
		type_drop(known, process->types.items[i]);
	array_release(&process->calls);
	array_release(&process->types);
}

void known_release(struct known *known)
{
	for (size_t i = 0; i < known->processes.count; i++) {
		struct analysed_process *process = known->processes.items[i];
		process_forget(known, process);
		for (uint32_t j = 0; j < process->memberships.count; j++)
			if (process->memberships.items[j])
				remove_membership(known, process, j);
		array_release(&process->memberships);
		array_release(&process->free_memberships);
		map_release(&process->by_comm);
		crash_free(process->crash);
		free(process);
	}
	for (size_t i = 0; i < known->comms.count; i++)
		if (known->comms.items[i])
			free_comm(known, known->comms.items[i]);
	array_release(&known->processes);
	array_release(&known->comms);
	array_release(&known->free_comms);
	map_release(&known->comm_slots);
	pool_release(&known->texts);
	pool_release(&known->types);
}
