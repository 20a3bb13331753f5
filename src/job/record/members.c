#include "job/record/members.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "job/record/handles.h"
#include "job/record/process.h"

#include <stdlib.h>
#include <string.h>

static MPI_Group world_group = MPI_GROUP_NULL;

/* How often each combination has been met: identities are numbered within it. */
static struct handles counters;

static uint64_t hash_list(const struct member_list *list)
{
	uint64_t hash = hash_word(0x6d656d, (uint64_t)list->count);

	for (int i = 0; i < list->count; i++)
		hash = hash_word(hash, (uint64_t)(int64_t)list->ranks[i]);
	return hash;
}

static uint64_t count_up(uint64_t what)
{
	uintptr_t times = (uintptr_t)handles_find(&counters, what);

	handles_set(&counters, what, (void *)(times + 1)); /* NOLINT: a number, not an address */
	return times;
}

static uint64_t numbered(uint64_t what)
{
	uint64_t times, identity;

	process_lock();
	times = count_up(what);
	process_unlock();
	identity = hash_word(what, times);
	return identity ? identity : 1;
}

uint64_t next_of_kind(uint64_t comm, uint64_t kind)
{
	return numbered(hash_word(comm, kind));
}

/* Both sides of an intercommunicator see the same two lists, each its own first. */
uint64_t members_identity(const struct members *members, uint64_t origin)
{
	uint64_t local = hash_list(&members->local);
	uint64_t remote = members->remote.count ? hash_list(&members->remote) : 0;
	uint64_t low = local < remote ? local : remote;

	return numbered(hash_word(hash_word(origin, low), local ^ remote));
}

void members_start(MPI_Group world)
{
	world_group = world;
}

/* Without memory the list stays empty: the identity is then only as good as its origin. */
static void translate(struct member_list *list, MPI_Group group)
{
	int *own;

	if (PMPI_Group_size(group, &list->count) != MPI_SUCCESS)
		list->count = 0;
	list->ranks = process_table((size_t)list->count + 1, sizeof *list->ranks);
	own = process_table((size_t)list->count + 1, sizeof *own);
	if (!list->ranks || !own) {
		free(list->ranks);
		*list = (struct member_list){0};
	} else {
		for (int i = 0; i < list->count; i++)
			own[i] = i;
		PMPI_Group_translate_ranks(group, list->count, own, world_group, list->ranks);
	}
	free(own);
}

void members_find(struct members *members, MPI_Comm handle, int inter)
{
	MPI_Group group;

	*members = (struct members){0};
	if (world_group == MPI_GROUP_NULL)
		return;
	if (PMPI_Comm_group(handle, &group) == MPI_SUCCESS) {
		translate(&members->local, group);
		PMPI_Group_free(&group);
	}
	if (inter && PMPI_Comm_remote_group(handle, &group) == MPI_SUCCESS) {
		translate(&members->remote, group);
		PMPI_Group_free(&group);
	}
}

void members_release(struct members *members)
{
	free(members->local.ranks);
	free(members->remote.ranks);
}

/* Members as runs (first, stride, count): all of MPI_COMM_WORLD is one, and so is a row or column of a grid. */
struct run {
	int first, stride, count;
	bool known;
};

static struct run next_run(const struct member_list *list, int at)
{
	const int *ranks = list->ranks;
	struct run run = {ranks[at], 0, 1, ranks[at] != MPI_UNDEFINED};

	if (at + 1 < list->count && (ranks[at + 1] != MPI_UNDEFINED) == run.known)
		run.stride = run.known ? ranks[at + 1] - ranks[at] : 0;
	while (at + run.count < list->count && (ranks[at + run.count] != MPI_UNDEFINED) == run.known &&
	       ranks[at + run.count] - ranks[at + run.count - 1] == run.stride)
		run.count++;
	return run;
}

static uint8_t *put_list(uint8_t *at, const struct member_list *list)
{
	uint64_t runs = 0;

	for (int i = 0; i < list->count; i += next_run(list, i).count)
		runs++;
	at = put_varint(at, runs);
	for (int i = 0; i < list->count;) {
		struct run run = next_run(list, i);
		at = put_u64(at, run.known ? process.world : 0);
		at = put_varint(at, run.known ? (uint64_t)run.first : 0);
		at = put_signed(at, run.known ? run.stride : 1);
		at = put_varint(at, (uint64_t)run.count);
		i += run.count;
	}
	return at;
}

size_t members_room(const struct members *members)
{
	size_t members_all = (size_t)members->local.count + (size_t)members->remote.count;

	return 2 * VARINT_MAX + members_all * (sizeof(uint64_t) + 3 * VARINT_MAX);
}

uint8_t *put_members(uint8_t *at, const struct members *members, int inter, int given)
{
	static const struct member_list none = {0};

	at = put_list(at, given ? &members->local : &none);
	return inter ? put_list(at, given ? &members->remote : &none) : at;
}
