#include "job/mpi/members.h"

#include "base/hash.h"
#include "job/mpi/handles.h"
#include "job/mpi/host.h"

#include <stdlib.h>

static MPI_Group world_group = MPI_GROUP_NULL;

/* The number of identities of each combination of origin and members. */
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

	host_lock();
	times = count_up(what);
	host_unlock();
	identity = hash_word(what, times);
	return identity ? identity : 1;
}

uint64_t next_of_kind(uint64_t comm, uint64_t kind)
{
	return numbered(hash_word(comm, kind));
}

/* Both sides of an intercommunicator see the same two lists, each its own first, and must get the same identity. */
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

/* If out of memory, the list stays empty: identities then differ only by their origin. */
static void translate(struct member_list *list, MPI_Group group)
{
	int *own;

	if (PMPI_Group_size(group, &list->count) != MPI_SUCCESS)
		list->count = 0;
	list->ranks = host_table((size_t)list->count + 1, sizeof *list->ranks);
	own = host_table((size_t)list->count + 1, sizeof *own);
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
