/* tarry-test: ranks=2
 *
 * Calls of many kinds, from more places and with more sizes than a chunk of sums has room for. With an argument, rank 1 is killed before
 * MPI_Finalize: see summary.py. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>

enum { ROUNDS = 10, SIZES = 12, LONGEST = 1 << SIZES };

static char out[LONGEST], in[LONGEST];

/* 1,024 places. */
#define BCAST MPI_Bcast(out, size, MPI_CHAR, 0, MPI_COMM_SELF)
#define PLACES_4 BCAST, BCAST, BCAST, BCAST
#define PLACES_16 PLACES_4, PLACES_4, PLACES_4, PLACES_4
#define PLACES_64 PLACES_16, PLACES_16, PLACES_16, PLACES_16
#define PLACES_256 PLACES_64, PLACES_64, PLACES_64, PLACES_64

static void from_many_places(int size)
{
	PLACES_256;
	PLACES_256;
	PLACES_256;
	PLACES_256;
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
	for (int i = 0; i < 200; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &copy);
		MPI_Comm_free(&copy);
	}
	for (int i = 0; i < SIZES; i++)
		from_many_places(1 << i);
	if (argc > 1 && rank == 1)
		raise(SIGKILL);
	MPI_Finalize();
	return 0;
}
