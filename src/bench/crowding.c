#include "bench/crowding.h"

#include "base/memory.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int count_bits(const unsigned char mask[PROCESSOR_MASK_BYTES])
{
	int count = 0;

	for (int i = 0; i < PROCESSOR_MASK_BYTES; i++)
		count += __builtin_popcount(mask[i]);
	return count;
}

/* Two processes that were bound to one and the same processor. */
static bool share_one(const unsigned char a[PROCESSOR_MASK_BYTES],
                      const unsigned char b[PROCESSOR_MASK_BYTES])
{
	return memcmp(a, b, PROCESSOR_MASK_BYTES) == 0 && count_bits(a) == 1;
}

static bool any_share_one(const unsigned char (*masks)[PROCESSOR_MASK_BYTES], int processes)
{
	for (int i = 0; i < processes; i++)
		for (int j = 0; j < i; j++)
			if (share_one(masks[i], masks[j]))
				return true;
	return false;
}

struct crowding crowding_judge(const unsigned char (*masks)[PROCESSOR_MASK_BYTES], int processes)
{
	unsigned char all[PROCESSOR_MASK_BYTES] = {0};
	struct crowding crowding = {.processes = processes};

	for (int i = 0; i < processes; i++)
		for (int byte = 0; byte < PROCESSOR_MASK_BYTES; byte++)
			all[byte] |= masks[i][byte];
	crowding.processors = count_bits(all);
	crowding.is_crowded = processes > crowding.processors || any_share_one(masks, processes);
	return crowding;
}

static struct crowding judge_node(MPI_Comm comm)
{
	unsigned char own[PROCESSOR_MASK_BYTES] = {0}, (*masks)[PROCESSOR_MASK_BYTES];
	struct crowding crowding;
	MPI_Comm node;
	int processes;

	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &processes);
	masks = memory_new((size_t)processes, sizeof *masks);
	sched_getaffinity(0, sizeof own, (cpu_set_t *)own);
	MPI_Allgather(own, sizeof own, MPI_BYTE, masks, sizeof own, MPI_BYTE, node);
	crowding = crowding_judge((const unsigned char(*)[PROCESSOR_MASK_BYTES])masks, processes);
	free(masks);
	MPI_Comm_free(&node);
	return crowding;
}

bool crowding_here(MPI_Comm comm)
{
	return judge_node(comm).is_crowded;
}

struct crowding crowding_find(MPI_Comm comm)
{
	struct crowding own = judge_node(comm);
	int rank, worst[3];
	struct {
		double crowd;
		int rank;
	} most;

	MPI_Comm_rank(comm, &rank);
	most.crowd = (own.is_crowded ? 1e6 : 0) +
	             (double)own.processes / (own.processors ? own.processors : 1);
	most.rank = rank;
	MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
	memcpy(worst, (int[]){own.processes, own.processors, own.is_crowded}, sizeof worst);
	MPI_Bcast(worst, 3, MPI_INT, most.rank, comm);
	return (struct crowding){worst[0], worst[1], worst[2]};
}
