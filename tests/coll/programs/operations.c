/* Each collective operation that libtarry-coll may do, often enough that something is chosen. Prints checksums, which are the same by whomever it is done. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 48, REPEATS = 24 };

static uint64_t sum;

static void add(const int *values, int count)
{
	for (int i = 0; i < count; i++)
		sum = sum * 31 + (uint32_t)values[i];
}

static void run_all(MPI_Comm comm, int repeat)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);

	const int root = repeat % size;
	int *send = calloc((size_t)(COUNT * size), sizeof *send),
	    *receive = calloc((size_t)(COUNT * size), sizeof *receive);
	int counts[64], places[64];

	for (int i = 0; i < COUNT * size; i++)
		send[i] = 7 * rank + i + repeat;
	for (int i = 0; i < size; i++) {
		counts[i] = 1 + i % 3;
		places[i] = i * COUNT;
	}
	MPI_Allgather(send, COUNT, MPI_INT, receive, COUNT, MPI_INT, comm);
	add(receive, COUNT * size);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, COUNT, MPI_INT, comm);
	add(receive, COUNT * size);
	MPI_Allgatherv(send, counts[rank], MPI_INT, receive, counts, places, MPI_INT, comm);
	add(receive, COUNT * size);
	MPI_Allreduce(send, receive, COUNT, MPI_INT, MPI_SUM, comm);
	add(receive, COUNT);
	MPI_Bcast(receive, COUNT, MPI_INT, root, comm);
	add(receive, COUNT);
	MPI_Reduce(send, receive, COUNT, MPI_INT, MPI_MAX, root, comm);
	if (rank == root)
		add(receive, COUNT);
	MPI_Alltoall(send, COUNT, MPI_INT, receive, COUNT, MPI_INT, comm);
	add(receive, COUNT * size);
	MPI_Gather(send, COUNT, MPI_INT, receive, COUNT, rank == root ? MPI_INT : MPI_DATATYPE_NULL, root,
	           comm);
	if (rank == root)
		add(receive, COUNT * size);
	MPI_Scatter(send, COUNT, MPI_INT, receive, COUNT, MPI_INT, root, comm);
	add(receive, COUNT);
	MPI_Reduce_scatter(send, receive, counts, MPI_INT, MPI_SUM, comm);
	add(receive, counts[rank]);
	MPI_Reduce_scatter_block(send, receive, COUNT / 2, MPI_INT, MPI_SUM, comm);
	add(receive, COUNT / 2);
	MPI_Barrier(comm);
	free(send);
	free(receive);
}

int main(int argc, char **argv)
{
	MPI_Comm twin;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &twin);
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		run_all(MPI_COMM_WORLD, repeat);
		run_all(twin, repeat);
		run_all(MPI_COMM_SELF, repeat);
	}
	MPI_Comm_free(&twin);
	printf("rank %d: %016llx\n", rank, (unsigned long long)sum);
	MPI_Finalize();
	return 0;
}
