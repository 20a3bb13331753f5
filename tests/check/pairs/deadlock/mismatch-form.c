/* pair: check=deadlock.mismatch also=collective.blocking-mismatch ranks=5 at=0,1,2,3,4 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Request request = MPI_REQUEST_NULL;

	start(&argc, &argv);
#ifdef WRONG
	if (rank == 1)
		MPI_Ibarrier(MPI_COMM_WORLD, &request); /* MAY FOUND: collective.blocking-mismatch */
	else
		MPI_Barrier(MPI_COMM_WORLD); /* FOUND: collective.blocking-mismatch */
#else
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
#endif
	MPI_Barrier(MPI_COMM_WORLD);           /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	return finish();
}
