/* pair: check=collective.blocking-mismatch also=end.abort ranks=2 at=0,1 exit=any mpi=mpich */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int sum;
	MPI_Request request;

	start(&argc, &argv);
#ifdef WRONG
	if (rank == 1) {
		MPI_Ireduce(&rank, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request); /* FOUND */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		return 0;
	}
#endif
	MPI_Reduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
	                &request); /* FOUND */
	MPI_Start(&request);       /* MAY */
#ifdef WRONG
	MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Abort(MPI_COMM_WORLD, 3); /* FOUND: end.abort */
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(rank || sum == 1);
	MPI_Request_free(&request);
	return finish();
}
