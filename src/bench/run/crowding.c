#include "bench/run/crowding.h"

#include "base/memory.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static struct core_sharing node_crowding(MPI_Comm comm)
{
	struct processors own = {0}, *all;
	struct core_sharing crowding;
	MPI_Comm node;
	int processes;

	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &processes);
	all = memory_new((size_t)processes, sizeof *all);
	sched_getaffinity(0, sizeof own.bits, (cpu_set_t *)(void *)own.bits);
	MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, node);
	crowding = crowding_of(all, processes);
	free(all);
	MPI_Comm_free(&node);
	return crowding;
}

struct core_sharing crowding_find(MPI_Comm comm)
{
	struct core_sharing own = node_crowding(comm);
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
	return (struct core_sharing){worst[0], worst[1], worst[2]};
}
