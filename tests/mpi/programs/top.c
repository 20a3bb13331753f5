/* tarry-test: ranks=3
 *
 * Ranks that wait for a certain one, which sleeps until the wait was observed. Lines that wait say so. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static void sleep_until(const char *file)
{
	while (access(file, F_OK) != 0)
		usleep(10000);
}

/* Rank 2 is late: rank 0 waits for its message, and rank 1 for both. */
static void late_sender(int rank)
{
	int word = 0;

	if (rank == 2)
		sleep_until("seen-1");
	if (rank == 2)
		MPI_Send(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Recv(&word, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receives */
	MPI_Barrier(MPI_COMM_WORLD);                                                  /* meets */
}

/* Rank 0 is late, in a communicator in which it is the last: rank 1 waits for a request. */
static void late_request(int rank)
{
	MPI_Request requests[2];
	MPI_Comm turned;
	int words[2] = {0};

	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned); /* 0, 1, 2 are 2, 1, 0 */
	if (rank == 0)
		sleep_until("seen-2");
	if (rank == 0) {
		MPI_Send(words, 1, MPI_INT, 1, 8, turned);
	} else if (rank == 1) {
		MPI_Irecv(words, 1, MPI_INT, 2, 8, turned, &requests[0]);
		MPI_Isend(words + 1, 1, MPI_INT, 1, 9, turned, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* completes */
		MPI_Recv(words, 1, MPI_INT, 1, 9, turned, MPI_STATUS_IGNORE);
	}
	MPI_Comm_free(&turned);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("rank %d is here\n", rank);
	fflush(stdout);
	late_sender(rank);
	late_request(rank);
	sleep_until("seen-3"); /* all compute, and no rank waits */
	MPI_Finalize();
	return 3;
}
