/* pair: check=memory.receive-written also=message.data-changed ranks=2 at=0 mpi=openmpi output
 *
 * The buffer is a variable of a function that returns before the message arrives. The wrong program must not crash because of the checker. */
#include "../pair.h"

static MPI_Request request;

#ifndef WRONG
static int values[100];
#endif

static void __attribute__((noinline)) post(void)
{
#ifdef WRONG
	int values[100];
#endif

	memset(values, 0, sizeof values);
	MPI_Irecv(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
	          &request); /* PARTNER PARTNER: message.data-changed */
}

int main(int argc, char **argv)
{
	int value = 3;

	start(&argc, &argv);
	if (!rank)
		post();
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
	if (rank)
		MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* FOUND: message.data-changed */
	else
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	return finish();
}
