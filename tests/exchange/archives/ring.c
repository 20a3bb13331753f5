/* The program of eztrace.txt: requests with and without a status, communicators, collective calls.
 *
 *	mpirun -n 3 eztrace -t openmpi ./ring */
#include <mpi.h>
#include <unistd.h>

static int out[4] = {1, 2, 3, 4}, in[4];

static void first_message(int rank)
{
	MPI_Status status;

	if (rank == 0) {
		usleep(20000);
		MPI_Send(out, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Recv(in, 4, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
	}
}

static void round_about(int rank, int size, int round)
{
	MPI_Request requests[2];
	MPI_Status status;

	MPI_Irecv(in, 4, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, 3, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
	if (round == 0) {
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	} else {
		MPI_Wait(&requests[0], &status);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	}
}

static void together(int rank)
{
	MPI_Comm copy, half;
	MPI_Request request;

	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Barrier(copy);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, half);
	MPI_Bcast(in, 4, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Reduce(out, in, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	first_message(rank);
	for (int round = 0; round < 3; round++)
		round_about(rank, size, round);
	together(rank);
	MPI_Finalize();
	return 0;
}
