#include "output/exchange/otf2_members.h"

#include "trace/grow.h"

#include <string.h>

/* Members beyond so many are left out: only a hostile trace has them without having their processes. */
enum { MEMBERS_MAX = 1 << 20, ABSENT_MAX = 1 << 16 };

static uint64_t number_stranger(struct known_comms *comms, const uint64_t key[2], struct absent who)
{
	size_t known = comms->strangers.count;
	uint64_t number;

	if (comms->absent_count >= ABSENT_MAX)
		return comms->reader->process_count;
	number = intern(&comms->strangers, key, 2 * sizeof *key)->number;
	if (number == known) {
		comms->absents = arena_grown(comms->arena, comms->absents, number, sizeof who);
		comms->absents[number] = who;
		comms->absent_count++;
	}
	return comms->reader->process_count + number;
}

static uint64_t number_unknown(struct known_comms *comms, uint64_t identity, uint32_t rank)
{
	const uint64_t key[2] = {identity, (uint64_t)1 << 32 | rank};

	return number_stranger(comms, key, (struct absent){0, rank});
}

static uint64_t number_of(struct known_comms *comms, uint64_t world, uint32_t rank)
{
	const struct process *process = find_process(comms->reader, world, rank);
	const uint64_t key[2] = {world, rank};

	if (process)
		return (uint64_t)(process - comms->reader->processes);
	return number_stranger(comms, key, (struct absent){world, rank});
}

static void add_run(struct known_comms *comms, uint64_t identity, const struct run *run,
                    struct members *members)
{
	for (uint32_t i = 0; i < run->count && members->count < MEMBERS_MAX; i++) {
		uint32_t rank = (uint32_t)(run->first + run->stride * i);
		members->at[members->count] = run->world ? number_of(comms, run->world, rank)
		                                         : number_unknown(comms, identity, members->count);
		members->count++;
	}
}

static uint32_t limited(uint64_t size)
{
	return size < MEMBERS_MAX ? (uint32_t)size : MEMBERS_MAX;
}

static void add_group(struct known_comms *comms, uint64_t identity, const struct group *group, uint64_t size,
                      struct members *members)
{
	if (members->count || !group->run_count)
		return;
	members->at = arena_array(comms->arena, uint64_t, limited(size));
	for (size_t i = 0; i < group->run_count; i++)
		add_run(comms, identity, &group->runs[i], members);
}

struct known_comm *known_comm_get(struct known_comms *comms, uint64_t identity)
{
	size_t known = comms->identities.count;
	uint64_t number = intern(&comms->identities, &identity, sizeof identity)->number;

	if (number == known) {
		comms->at = arena_grown(comms->arena, comms->at, number, sizeof *comms->at);
		comms->at[number] = (struct known_comm){.identity = identity, .name = "", .ref = UINT32_MAX};
		comms->count++;
	}
	return &comms->at[number];
}

static void learn(struct known_comms *comms, const struct comm *comm)
{
	struct known_comm *known = known_comm_get(comms, comm->identity);

	if (!*known->name)
		known->name = comm->name;
	if (!known->parent)
		known->parent = comm->parent;
	known->is_inter |= comm->kind == COMM_INTER;
	/* The two sides of an intercommunicator each call their own group the local one: the first to tell wins. */
	if (known->told)
		return;
	known->told = comm->local.run_count > 0;
	add_group(comms, comm->identity, &comm->local, comm->size, &known->local);
	if (known->is_inter)
		add_group(comms, comm->identity, &comm->remote, comm->remote_size, &known->remote);
}

#define NOBODY UINT64_MAX

/* Where no process gave the members, each that has the communicator is one of them. */
static void guess(struct known_comms *comms, uint64_t number, const struct comm *comm)
{
	struct known_comm *known = known_comm_get(comms, comm->identity);
	uint32_t size = limited(comm->size);

	if (known->told || known->is_inter)
		return;
	if (!known->local.at && size) {
		known->local.at = arena_array(comms->arena, uint64_t, size);
		known->local.count = size;
		for (uint32_t i = 0; i < size; i++)
			known->local.at[i] = NOBODY;
	}
	if (known->local.at && comm->rank < known->local.count)
		known->local.at[comm->rank] = number;
}

static void fill(struct known_comms *comms, struct known_comm *known)
{
	for (uint32_t i = 0; i < known->local.count; i++)
		if (known->local.at[i] == NOBODY)
			known->local.at[i] = number_unknown(comms, known->identity, i);
}

static void each_comm(struct known_comms *comms, bool only_guess)
{
	for (size_t i = 0; i < comms->reader->process_count; i++) {
		const struct process *process = &comms->reader->processes[i];
		for (size_t j = 0; j < process->comm_count; j++) {
			if (only_guess)
				guess(comms, i, &process->comms[j]);
			else
				learn(comms, &process->comms[j]);
		}
	}
}

void known_comms_collect(struct known_comms *comms, const struct reader *reader, struct arena *arena)
{
	*comms = (struct known_comms){.reader = reader, .arena = arena};
	comms->identities.arena = comms->strangers.arena = arena;
	each_comm(comms, false);
	each_comm(comms, true);
	for (size_t i = 0; i < comms->count; i++)
		fill(comms, &comms->at[i]);
}
