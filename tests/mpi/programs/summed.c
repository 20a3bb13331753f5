/* tarry-test: ranks=2
 *
 * Calls of many kinds, from more places and with more sizes than a chunk of sums has room for. With an argument, rank 1 is killed before
 * MPI_Finalize: see summary.py. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>

enum { ROUNDS = 40, SIZES = 12, LONGEST = 1 << SIZES };

static char out[LONGEST], in[LONGEST];

/* 16 places each; all of them together are 4,096 places. */
#define SEND(size) MPI_Send(out, size, MPI_CHAR, MPI_PROC_NULL, size, MPI_COMM_WORLD)
#define PLACES_4(size) SEND(size), SEND(size), SEND(size), SEND(size)
#define PLACES_16(size) PLACES_4(size), PLACES_4(size), PLACES_4(size), PLACES_4(size)
#define PLACES_256(size) \
	PLACES_16(size), PLACES_16(size), PLACES_16(size), PLACES_16(size), PLACES_16(size), \
		PLACES_16(size), PLACES_16(size), PLACES_16(size), PLACES_16(size), PLACES_16(size), \
		PLACES_16(size), PLACES_16(size), PLACES_16(size), PLACES_16(size), PLACES_16(size), \
		PLACES_16(size)

static void from_many_places(void)
{
	PLACES_256(1), PLACES_256(2), PLACES_256(3), PLACES_256(4), PLACES_256(5), PLACES_256(6),
		PLACES_256(7);
	PLACES_256(1), PLACES_256(2), PLACES_256(3), PLACES_256(4), PLACES_256(5), PLACES_256(6),
		PLACES_256(7);
	PLACES_256(1), PLACES_256(2), PLACES_256(3), PLACES_256(4), PLACES_256(5), PLACES_256(6),
		PLACES_256(7);
	PLACES_256(1), PLACES_256(2), PLACES_256(3), PLACES_256(4), PLACES_256(5), PLACES_256(6),
		PLACES_256(7);
}

static void exchange(int peer, int size)
{
	MPI_Request requests[2];
	double sum = 0, one = 1;
	int done = 0;

	MPI_Irecv(in, LONGEST, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, size, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Sendrecv(out, size, MPI_CHAR, peer, 2, in, LONGEST, MPI_CHAR, peer, 2, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
	while (!done)
		MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Comm copy;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < ROUNDS * SIZES; i++)
		exchange(1 - rank, 1 << i % SIZES);
	for (int i = 0; i < 1000; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &copy);
		MPI_Comm_free(&copy);
	}
	from_many_places();
	if (argc > 1 && rank == 1)
		raise(SIGKILL);
	MPI_Finalize();
	return 0;
}
