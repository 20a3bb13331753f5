/* pair: check=leak.request ranks=2 at=0
 *
 * A request ends in any of the calls that complete it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int values[5] = {1, 2, 3, 4, 5};
	int index, count, done, some[5];
	MPI_Request requests[5];

	start(&argc, &argv);
	if (rank == 0) {
		for (int i = 0; i < 5; i++)
			MPI_Isend(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
		MPI_Waitany(5, requests, &index, MPI_STATUS_IGNORE);
		MPI_Waitsome(5, requests, &count, some, MPI_STATUSES_IGNORE);
		for (done = 0; !done;)
			MPI_Testall(5, requests, &done, MPI_STATUSES_IGNORE);
#ifdef WRONG
		MPI_Isend(values, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &requests[0]); /* FOUND */
		MPI_Recv(&values[1], 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
#endif
	} else {
		for (int i = 4; i >= 0; i--)
			MPI_Recv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	return finish();
}
