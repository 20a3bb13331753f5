#include "analysis/model/comms.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct rank_run *find_run(const struct group *group, uint64_t *rank)
{
	for (size_t i = 0; i < group->run_count; i++) {
		if (*rank < group->runs[i].count)
			return &group->runs[i];
		*rank -= group->runs[i].count;
	}
	return NULL;
}

static bool is_member(const struct side *side, uint64_t rank, const struct process *process)
{
	const struct rank_run *run = side->group ? find_run(side->group, &rank) : NULL;

	return run && run->world == process->world &&
	       (uint64_t)((int64_t)run->first + run->stride * (int64_t)rank) == process->rank;
}

/* Side 0 of an intercommunicator is the local group of the first process that described it. Spawned or
 * connected processes do not know each other: each side describes itself. */
static void take_groups(struct communicator *comm, const struct comm *record, const struct process *process)
{
	if (!record->local.run_count)
		return;
	if (!comm->sides[0].group) {
		comm->sides[0] = (struct side){.size = record->size, .group = &record->local};
		if (is_inter(comm))
			comm->sides[1] = (struct side){.size = record->remote_size, .group = &record->remote};
	} else if (is_inter(comm) && !is_member(&comm->sides[0], record->rank, process)) {
		comm->sides[1] = (struct side){.size = record->size, .group = &record->local};
	}
}

static void add_comm(struct comm_table *comms, const struct comm *record, const struct process *process)
{
	uint32_t *number = map_put(&comms->by_identity, map_key(record->identity, 0));

	if (*number == UINT32_MAX) {
		*number = comms->comm_count;
		if (!(comms->comm_count & (comms->comm_count - 1)))
			comms->comms = memory_grow(comms->comms,
			                           comms->comm_count ? (size_t)comms->comm_count * 2 : 1,
			                           sizeof *comms->comms);
		comms->comms[comms->comm_count++] = (struct communicator){
			.identity = record->identity, .kind = record->kind, .name = record->name};
	}
	take_groups(&comms->comms[*number], record, process);
}

static struct map_key member_key(uint32_t comm, uint32_t side, uint64_t rank)
{
	return map_key(comm * 2ull + side, rank);
}

/* Memberships of a process that are not looked up by a map. */
enum { FEW_COMMS = 8 };

static bool is_known_member(struct comm_table *comms, uint32_t process, uint32_t comm, uint64_t identity)
{
	uint32_t *number;

	if (comms->reader->processes[process].comm_count <= FEW_COMMS) {
		for (uint32_t i = comms->first_of[process]; i < comms->membership_count; i++)
			if (comms->memberships[i].comm == comm)
				return true;
		return false;
	}
	number = map_put(&comms->by_member, map_key(identity, process + 1ull));
	if (*number != UINT32_MAX)
		return true;
	*number = comms->membership_count;
	return false;
}

static void add_membership(struct comm_table *comms, uint32_t process, const struct comm *record)
{
	uint32_t comm = *map_find(&comms->by_identity, map_key(record->identity, 0));
	struct communicator *found = &comms->comms[comm];
	uint32_t side;

	if (is_known_member(comms, process, comm, record->identity))
		return;
	side = is_inter(found) && found->sides[0].group &&
	       !is_member(&found->sides[0], record->rank, &comms->reader->processes[process]);
	if (found->sides[side].size < record->size)
		found->sides[side].size = record->size;
	found->sides[side].present++;
	if (strcmp(record->name, "MPI_COMM_WORLD") == 0)
		comms->worlds[process] = comms->membership_count;
	comms->memberships[comms->membership_count++] = (struct membership){
		.comm = comm, .side = side, .rank = (uint32_t)record->rank};
}

/* The first process with a rank has it. */
static void note_rank(struct comm_table *comms, uint32_t process, const struct membership *one)
{
	uint32_t *processes = comms->comms[one->comm].sides[one->side].processes;
	uint32_t *holder = processes ? &processes[one->rank]
	                             : map_put(&comms->by_rank, member_key(one->comm, one->side, one->rank));

	if (*holder == NO_PROCESS)
		*holder = process;
}

static bool is_possible(const struct comm *record)
{
	return record->rank < record->size && record->size < UINT32_MAX && record->remote_size < UINT32_MAX;
}

/* Uses an array if most members are present. */
static void list_processes(struct side *side)
{
	enum { ABSENT_PER_PRESENT = 4 };

	if (!side->present || side->size / ABSENT_PER_PRESENT > side->present)
		return;
	side->processes = memory_new(side->size, sizeof *side->processes);
	for (uint64_t rank = 0; rank < side->size; rank++)
		side->processes[rank] = NO_PROCESS;
}

struct comm_table *comm_table_new(struct reader *reader)
{
	struct comm_table *comms = memory_new(1, sizeof *comms);
	size_t records = 0;

	comms->reader = reader;
	comms->worlds = memory_new(reader->process_count + 1, sizeof *comms->worlds);
	for (uint32_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		comms->worlds[i] = UINT32_MAX;
		records += process->comm_count;
		for (size_t j = 0; j < process->comm_count; j++)
			if (is_possible(&process->comms[j]))
				add_comm(comms, &process->comms[j], process);
	}
	comms->memberships = memory_new(records + 1, sizeof *comms->memberships);
	comms->first_of = memory_new(reader->process_count + 1, sizeof *comms->first_of);
	for (uint32_t i = 0; i < reader->process_count; i++) {
		for (size_t j = 0; j < reader->processes[i].comm_count; j++)
			if (is_possible(&reader->processes[i].comms[j]))
				add_membership(comms, i, &reader->processes[i].comms[j]);
		comms->first_of[i + 1] = comms->membership_count;
	}
	for (uint32_t i = 0; i < comms->comm_count; i++) {
		list_processes(&comms->comms[i].sides[0]);
		list_processes(&comms->comms[i].sides[1]);
	}
	for (uint32_t i = 0; i < comms->reader->process_count; i++)
		for (uint32_t j = comms->first_of[i]; j < comms->first_of[i + 1]; j++)
			note_rank(comms, i, &comms->memberships[j]);
	return comms;
}

void comm_table_free(struct comm_table *comms)
{
	map_release(&comms->by_identity);
	map_release(&comms->by_member);
	map_release(&comms->by_rank);
	for (uint32_t i = 0; i < comms->comm_count; i++) {
		free(comms->comms[i].sides[0].processes);
		free(comms->comms[i].sides[1].processes);
	}
	free(comms->comms);
	free(comms->memberships);
	free(comms->first_of);
	free(comms->worlds);
	free(comms);
}

const struct membership *find_membership(const struct comm_table *comms, uint32_t process, uint64_t identity)
{
	uint32_t first = comms->first_of[process], end = comms->first_of[process + 1];
	const uint32_t *number;

	for (uint32_t i = first; i < end && end - first <= FEW_COMMS; i++)
		if (comms->comms[comms->memberships[i].comm].identity == identity)
			return &comms->memberships[i];
	if (comms->reader->processes[process].comm_count <= FEW_COMMS)
		return NULL;
	number = map_find(&comms->by_member, map_key(identity, process + 1ull));
	return number ? &comms->memberships[*number] : NULL;
}

const struct membership *find_world(const struct comm_table *comms, uint32_t process)
{
	uint32_t number = comms->worlds[process];

	return number == UINT32_MAX ? NULL : &comms->memberships[number];
}

uint32_t comm_process(const struct comm_table *comms, uint32_t comm, uint32_t side, uint32_t rank)
{
	const struct side *members = &comms->comms[comm].sides[side];
	const uint32_t *process;

	if (members->processes)
		return rank < members->size ? members->processes[rank] : NO_PROCESS;
	process = map_find(&comms->by_rank, member_key(comm, side, rank));
	return process ? *process : NO_PROCESS;
}

bool has_pgas(const struct comm_table *comms)
{
	for (uint32_t i = 0; i < comms->comm_count; i++)
		if (comms->comms[i].kind == COMM_UPC || comms->comms[i].kind == COMM_SHMEM)
			return true;
	return false;
}
