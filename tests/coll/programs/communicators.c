/* Many communicators one after another, each with enough collectives to be worth something, some kept until the end; and an intercommunicator. */
#include <mpi.h>
#include <stdio.h>

enum { MANY = 2500, KEPT = 100, CALLS = 6 };

static long use(MPI_Comm comm, int salt)
{
	int rank, mine, all[64] = {0};
	long sum = 0;

	MPI_Comm_rank(comm, &rank);
	for (int i = 0; i < CALLS; i++) {
		int size;

		mine = rank * 3 + salt + i;
		MPI_Comm_size(comm, &size);
		MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
		for (int j = 0; j < size; j++)
			sum = sum * 7 % 1000003 + all[j];
	}
	return sum;
}

int main(int argc, char **argv)
{
	MPI_Comm kept[KEPT], half, inter;
	int rank, size, value;
	long sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < MANY; i++) {
		MPI_Comm comm;

		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		sum += use(comm, i);
		MPI_Comm_free(&comm);
	}
	for (int i = 0; i < KEPT; i++) {
		MPI_Comm_split(MPI_COMM_WORLD, (rank + i) % 2, rank, &kept[i]);
		sum += use(kept[i], i);
	}
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
	for (int i = 0; i < CALLS; i++) {
		int all[64] = {0};

		value = rank + i;
		MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, inter);
		sum += all[0] + 10 * all[1];
	}
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	for (int i = 0; i < KEPT; i += 2)
		MPI_Comm_free(&kept[i]);
	printf("rank %d: %ld\n", rank, sum);
	MPI_Finalize();
	return 0;
}
