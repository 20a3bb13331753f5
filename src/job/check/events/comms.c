#include "job/check/events/comms.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "job/check/buffers/message_contents.h"
#include "job/check/events/call_table.h"
#include "job/check/events/collective_events.h"
#include "job/check/objects/object_kinds.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/comm_shape.h"
#include "job/mpi/flavour.h"
#include "job/mpi/fortran.h"
#include "job/mpi/handles.h"
#include "job/mpi/members.h"

#include <stdio.h>
#include <string.h>

enum { COMM_CACHE = 64, PARTITIONED = 0x70617274, STARTS = 0x73746172, LEADERS = 0x6c656164 };

static struct handles comms, wins, files;
static struct announced_comm *unused;

static struct {
	uint64_t handle;
	uint32_t generation;
	struct followed_comm *comm;
} cache[COMM_CACHE];

/* The side of an intercommunicator: for all members, the group with the lower first rank is
 * the first group. */
static uint32_t side_of(const struct members *members, bool inter)
{
	return inter && members->local.count && members->remote.count &&
	       members->local.ranks[0] > members->remote.ranks[0];
}

static struct announced_comm *announced_comm_new(uint64_t identity, int rank, int size, int remote_size,
                                                 const char *name)
{
	struct announced_comm *announced = host_table(1, sizeof *announced);

	if (!announced)
		return NULL;
	announced->refs = 1;
	announced->comm = (struct checked_comm){.identity = identity,
	                                        .rank = (uint32_t)rank,
	                                        .size = (uint32_t)size,
	                                        .remote_size = (uint32_t)remote_size,
	                                        .name = strdup(name)};
	return announced;
}

static struct announced_comm *announced_comm_of(const struct followed_comm *c, uint64_t identity,
                                                const char *name)
{
	struct announced_comm *announced = announced_comm_new(identity, c->rank, c->size,
	                                                      c->inter ? c->peers : 0, name);

	if (announced)
		announced->comm.side = c->side;
	return announced;
}

/* Needs the lock. Definitions that the service may still use are freed when all numbers are forgotten. */
void announced_comm_release(struct announced_comm *announced)
{
	if (!announced || --announced->refs)
		return;
	announced->next = unused;
	unused = announced;
}

void comms_free_unused(void)
{
	for (struct announced_comm *announced = unused, *next; announced; announced = next) {
		next = announced->next;
		free((char *)(uintptr_t)announced->comm.name);
		free(announced->comm.sources);
		free(announced->comm.dests);
		free(announced);
	}
	unused = NULL;
}

/* Releases a communicator to which no call refers any more. */
static void end_announced(struct announced_comm *announced)
{
	if (!announced)
		return;
	push_ends(announced);
	announced_comm_release(announced);
}

/* Pushes the definition of a communicator, after making room for it. */
static void announce(struct announced_comm *announced)
{
	announced_calls_make_room();
	push_comm(announced);
}

void comm_free(struct followed_comm *c)
{
	end_announced(c->announced);
	for (uint32_t i = 0; i < PARTITIONED_MAX; i++)
		end_announced(c->partitioned[i]);
	end_announced(c->leaders);
	free(c->world_ranks);
	free(c);
}

/* Takes the list of peers, unless it equals their world ranks. False: some of them are in an unknown
 * world. */
static bool take_peers(struct followed_comm *c, struct members *members)
{
	struct member_list *list = c->inter ? &members->remote : &members->local;
	bool differs = false;

	if (list->count != c->peers)
		return false;
	for (int i = 0; i < list->count; i++) {
		if (list->ranks[i] == MPI_UNDEFINED)
			return false;
		differs |= list->ranks[i] != i;
	}
	if (differs) {
		c->world_ranks = list->ranks;
		list->ranks = NULL;
	}
	return true;
}

/* Takes ownership of the lists. */
static void set_neighbours(struct announced_comm *announced, MPI_Comm handle, const struct comm_shape *shape)
{
	struct topology_neighbours lists;

	neighbours_find(&lists, handle, shape);
	for (int i = 0; i < lists.source_count; i++)
		lists.sources[i] = lists.sources[i] < 0 ? -1 : lists.sources[i];
	for (int i = 0; i < lists.dest_count; i++)
		lists.dests[i] = lists.dests[i] < 0 ? -1 : lists.dests[i];
	announced->comm.source_count = (uint32_t)lists.source_count;
	announced->comm.dest_count = (uint32_t)lists.dest_count;
	announced->comm.sources = lists.sources;
	announced->comm.dests = lists.dests;
}

/* True if messages on the communicator may match in any order. */
static bool allows_overtaking(MPI_Comm handle)
{
	char value[8] = "";
	MPI_Info info;
	int has_value = 0;

	if (LIKELY(!message_contents_wanted) || PMPI_Comm_get_info(handle, &info) != MPI_SUCCESS)
		return false;
	PMPI_Info_get(info, "mpi_assert_allow_overtaking", sizeof value - 1, value, &has_value);
	PMPI_Info_free(&info);
	return has_value && strcmp(value, "true") == 0;
}

/* Describes a communicator by asking MPI. NULL: it has members of another world. */
static struct followed_comm *new_comm(MPI_Comm handle, uint64_t origin, bool from_members, const char *name)
{
	struct followed_comm *c = host_table(1, sizeof *c);
	struct comm_shape shape;
	struct members members;

	if (!c)
		return NULL;
	comm_shape_find(&shape, handle);
	*c = (struct followed_comm){.rank = shape.rank,
	                            .size = shape.size,
	                            .peers = shape.peers,
	                            .inter = shape.inter,
	                            .holds = 1};
	members_find(&members, handle, c->inter);
	c->identity = from_members ? members_identity(&members, origin) : origin;
	c->side = side_of(&members, c->inter);
	if (take_peers(c, &members))
		c->announced = announced_comm_of(c, c->identity, name);
	if (c->announced) {
		set_neighbours(c->announced, handle, &shape);
		c->announced->is_uncompared = allows_overtaking(handle);
	}
	members_release(&members);
	if (c->announced)
		return c;
	free(c->world_ranks);
	free(c);
	return NULL;
}

static void set_comm(uint64_t handle, struct followed_comm *c)
{
	struct followed_comm *before; /* an older one with this handle, whose end was not seen */

	host_lock();
	before = handles_remove(&comms, handle);
	if (before)
		comm_drop(before);
	__atomic_add_fetch(&checked.generation, 1, __ATOMIC_RELAXED); /* remembered handles are invalid now */
	if (c && !handles_set(&comms, handle, c))
		comm_drop(c);
	else if (c && handle != HANDLE(MPI_COMM_SELF))
		announce(c->announced);
	host_unlock();
}

static void add_comm(MPI_Comm handle, uint64_t origin, const char *name)
{
	if (handle != MPI_COMM_NULL)
		set_comm(HANDLE(handle), new_comm(handle, origin, true, name));
}

void comms_start(void)
{
	MPI_Group world;

	if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
		return;
	members_start(world);
	add_comm(MPI_COMM_WORLD, checked.world, "MPI_COMM_WORLD");
	add_comm(MPI_COMM_SELF, checked.world ^ ((uint64_t)checked.rank + 1) << 32, "MPI_COMM_SELF");
}

static void *find_locked(const struct handles *map, uint64_t handle)
{
	void *object;

	lock_if_shared();
	object = handles_find(map, handle);
	unlock_if_shared();
	return object;
}

struct followed_comm *comm_find(uint64_t handle)
{
	const size_t at = (handle ^ handle >> 6 ^ handle >> 12) % COMM_CACHE;
	const uint32_t generation = RELAXED_LOAD(checked.generation);

	if (UNLIKELY(checked.shared))
		return find_locked(&comms, handle);
	if (UNLIKELY(cache[at].handle != handle || cache[at].generation != generation)) {
		cache[at].comm = find_locked(&comms, handle);
		cache[at].handle = handle;
		cache[at].generation = generation;
	}
	return cache[at].comm;
}

void comms_announce(void)
{
	const struct followed_comm *c = checked.by_session ? NULL
	                                                   : find_locked(&comms, HANDLE(MPI_COMM_WORLD));

	if (c)
		push_comm(c->announced);
}

struct followed_object *win_find(uint64_t handle)
{
	return find_locked(&wins, handle);
}

struct followed_object *file_find(uint64_t handle)
{
	return find_locked(&files, handle);
}

/* The number of earlier requests with the same envelope. */
static uintptr_t count_partitioned(const struct followed_comm *c, bool sends, int32_t peer, int32_t tag)
{
	static struct handles counts; /* by envelope; the pointers are numbers */
	const uint64_t envelope = hash_word(hash_word(c->identity, sends),
	                                    (uint64_t)(uint32_t)peer << 32 | (uint32_t)tag);
	const uintptr_t before = (uintptr_t)handles_find(&counts, envelope);

	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	handles_set(&counts, envelope, (void *)(before + 1));
	return before;
}

struct announced_comm *comm_partitioned(struct followed_comm *c, bool sends, int32_t peer, int32_t tag)
{
	const uint32_t number = count_partitioned(c, sends, peer, tag) % PARTITIONED_MAX;
	struct announced_comm **announced = &c->partitioned[number];

	if (!*announced) {
		*announced = announced_comm_of(c, hash_word(hash_word(c->identity, PARTITIONED), number),
		                               c->announced->comm.name);
		if (*announced)
			announce(*announced);
	}
	return *announced;
}

struct announced_comm *comm_of_leaders(struct followed_comm *c)
{
	if (c->leaders)
		return c->leaders;
	c->leaders = announced_comm_of(c, hash_word(c->identity, LEADERS), c->announced->comm.name);
	if (c->leaders)
		announce(c->leaders);
	return c->leaders;
}

struct announced_comm *comm_of_starts(struct followed_comm *c)
{
	const uint64_t number = hash_word(STARTS, ++c->persistent_calls);
	struct announced_comm *announced = announced_comm_of(c, hash_word(c->identity, number),
	                                                     c->announced->comm.name);

	if (announced)
		announce(announced);
	return announced;
}

/* Describes how a new communicator was created. */
static const char *made_by(const struct agent_call *call, char *name, size_t room)
{
	snprintf(name, room, "made by %s", all_calls[call->id].name);
	return name;
}

/* Equal on all members of the new communicator. If there is no common parent, it comes from the tag or the world. */
static bool find_origin(const struct agent_call *call, uint64_t *origin)
{
	const struct followed_comm *parent = comm_find((uint64_t)call_argument(call, KIND_comm));
	int64_t tag = call_argument(call, KIND_tag);

	switch (all_calls[call->id].new_comm) {
	case NEW_COMM_TAG:
		*origin = hash_words(&tag, 1, ORIGIN_TAG);
		return true;
	case NEW_COMM_WORLD: /* not the port's name: the length of a Fortran text is unknown */
		*origin = hash_word(checked.world, ORIGIN_TAG);
		return true;
	case NEW_COMM_OTHER_WORLD:
		return false;
	case NEW_COMM_PARENT_AND_TAG:
		if (parent)
			*origin = hash_words(&tag, 1, parent->identity);
		return parent;
	default:
		if (parent)
			*origin = parent->identity;
		return parent;
	}
}

void comms_info_changed(const struct agent_call *call)
{
	const uint64_t handle = (uint64_t)call_argument(call, KIND_comm);
	struct followed_comm *c = message_contents_wanted ? comm_find(handle) : NULL;

	if (c && allows_overtaking((MPI_Comm)(uintptr_t)handle))
		c->announced->is_uncompared = true;
}

/* MPI_Comm_idup and similar functions: the duplicate cannot be queried before its request is complete, but it
 * has the members of its parent. */
static void add_duplicate(const struct agent_call *call, MPI_Comm handle)
{
	const struct followed_comm *parent = comm_find((uint64_t)call_argument(call, KIND_comm));
	const int at = call_parameter(call->id, KIND_comm);
	struct followed_comm *c = parent ? host_table(1, sizeof *c) : NULL;
	struct members members;
	char name[64];
	MPI_Comm comm;

	if (!c)
		return;
	*c = (struct followed_comm){.rank = parent->rank,
	                            .size = parent->size,
	                            .peers = parent->peers,
	                            .inter = parent->inter,
	                            .holds = 1};
	memcpy(&comm, &call->arguments[at], sizeof comm);
	members_find(&members, comm, c->inter);
	c->identity = members_identity(&members, parent->identity);
	c->side = side_of(&members, c->inter);
	if (take_peers(c, &members))
		c->announced = announced_comm_of(c, c->identity, made_by(call, name, sizeof name));
	if (c->announced) /* the info object is unknown until the request is complete */
		c->announced->is_uncompared = parent->announced->is_uncompared ||
		                              call_parameter(call->id, KIND_info) >= 0;
	members_release(&members);
	if (c->announced && handle != MPI_COMM_NULL)
		set_comm(HANDLE(handle), c);
	else
		comm_drop(c);
}

static void add_new_comm(const struct agent_call *call)
{
	const void *variable = call_address(call, KIND_newcomm);
	uint64_t origin;
	MPI_Comm handle;
	char name[64];

	if (!variable)
		return;
	handle = call->fortran ? f_comm(variable) : *(const MPI_Comm *)variable;
	if (all_calls[call->id].new_object == NEW_OBJECT_INCOMPLETE)
		add_duplicate(call, handle);
	else if (find_origin(call, &origin))
		add_comm(handle, origin, made_by(call, name, sizeof name));
	else if (handle != MPI_COMM_NULL && call->id != CALL_Comm_get_parent)
		set_comm(HANDLE(handle), NULL);
}

static void free_object(struct followed_object *object)
{
	if (object)
		end_announced(object->announced);
	free(object);
}

static void add_object(const struct agent_call *call, struct handles *map, uint64_t handle, uint64_t kind)
{
	const struct followed_comm *c = comm_find((uint64_t)call_argument(call, KIND_comm));
	struct followed_object *object = c ? host_table(1, sizeof *object) : NULL;
	char name[64];

	if (object) {
		object->identity = next_of_kind(c->identity, kind);
		object->announced = announced_comm_new(object->identity, c->rank, c->size, 0,
		                                       made_by(call, name, sizeof name));
	}
	host_lock();
	free_object(handles_remove(map, handle));
	if (object && (!object->announced || !handles_set(map, handle, object)))
		free_object(object);
	else if (object)
		announce(object->announced);
	host_unlock();
}

/* Reads the handle of an object that the call frees, because MPI will overwrite the variable. */
void comms_before(struct agent_call *call)
{
	const uint8_t *kinds = call_parameter_kinds(call->id);

	for (uint32_t i = 0; kinds[i] != KIND_END; i++)
		if (kind_effects[kinds[i]] == EFFECT_ENDS && call->arguments[i])
			call->ended = handle_at(kind_objects[kinds[i]],
			                        (const void *)(uintptr_t)call->arguments[i], 0,
			                        call->fortran);
}

static void end_object(const struct agent_call *call)
{
	if (call_parameter(call->id, KIND_oldcomm) >= 0) {
		set_comm(call->ended, NULL);
	} else if (call_parameter(call->id, KIND_oldtype) >= 0) {
		type_ended(call->ended);
	} else if (call_parameter(call->id, KIND_oldop) >= 0) {
		operation_ended(call->ended);
	} else if (call_parameter(call->id, KIND_oldwin) >= 0 ||
	           call_parameter(call->id, KIND_oldfile) >= 0) {
		host_lock();
		free_object(handles_remove(call_parameter(call->id, KIND_oldwin) >= 0 ? &wins : &files,
		                           call->ended));
		host_unlock();
	}
}

void comms_after(struct agent_call *call, int rc)
{
	const void *variable;

	if (rc != MPI_SUCCESS)
		return;
	if (call->ended)
		end_object(call);
	if (call_parameter(call->id, KIND_newcomm) >= 0)
		add_new_comm(call);
	if (call_parameter(call->id, KIND_newop) >= 0)
		operation_made(call);
	if ((variable = call_address(call, KIND_newwin)))
		add_object(call, &wins, HANDLE(call->fortran ? f_win(variable) : *(const MPI_Win *)variable),
		           ORIGIN_WIN);
	if ((variable = call_address(call, KIND_newfile)))
		add_object(call, &files,
		           HANDLE(call->fortran ? f_file(variable) : *(const MPI_File *)variable),
		           ORIGIN_FILE);
}
