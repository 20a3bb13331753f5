/* pair: check=collective.missing-member ranks=4 among=1,2,3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Request request = MPI_REQUEST_NULL;

	start(&argc, &argv);
	MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	if (rank == 0)
		MPI_Barrier(MPI_COMM_SELF);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(sum == 6);
#ifdef WRONG
	if (rank)
#endif
		MPI_Gather(&rank, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
