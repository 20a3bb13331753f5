/* pair: check=message.communicator-mismatch also=leak.request ranks=2 at=0,1
 *
 * Equal ranks and tags in different communicators are different messages. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int value, other;
	MPI_Request requests[2];
	MPI_Comm copy;

	start(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	if (rank == 1) {
#ifdef WRONG
		MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
		          &requests[0]); /* FOUND FOUND: leak.request */
		MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
#else
		MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(&other, 1, MPI_INT, 0, 0, copy, &requests[1]);
		MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		expect(value == 0 && other == 2);
#endif
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&size, 1, MPI_INT, 1, 0, copy); /* FOUND */
#ifndef WRONG
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
	}
	(void)other;
	MPI_Comm_free(&copy);
	return finish();
}
