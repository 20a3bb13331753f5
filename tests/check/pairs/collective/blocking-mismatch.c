/* pair: check=collective.blocking-mismatch also=end.abort ranks=2 at=0,1 exit=any
 *
 * Blocking and non-blocking calls do not match each other, also where that would work. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int sum;
	int done = 0;
	MPI_Request request;

	start(&argc, &argv);
#ifdef WRONG
	if (rank == 0) {
		MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request); /* FOUND */
		MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int i = 0; i < 1000; i++)
			MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		MPI_Abort(MPI_COMM_WORLD, 3); /* FOUND: end.abort */
	} else {
		MPI_Reduce(&rank, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* FOUND */
		MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
#else
	if (rank == 0) {
		MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
		while (!done)
			MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		expect(sum == 1);
	} else {
		MPI_Ireduce(&rank, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
#endif
	return finish();
}
