/* pair: check=argument.null-handle ranks=2 at=1
 *
 * Waiting for MPI_REQUEST_NULL is allowed and ends at once; starting or cancelling it is not. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int flag, index, count, indices[3];
	MPI_Request none[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	MPI_Status status;

	start(&argc, &argv);
	return_errors();
	MPI_Wait(none, &status);
	expect(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
	MPI_Waitall(3, none, MPI_STATUSES_IGNORE);
	MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
	MPI_Waitany(3, none, &index, MPI_STATUS_IGNORE);
	MPI_Testsome(3, none, &count, indices, MPI_STATUSES_IGNORE);
	MPI_Test(none, &flag, MPI_STATUS_IGNORE);
	expect(index == MPI_UNDEFINED && count == MPI_UNDEFINED && flag);
	MPI_Request_get_status(none[0], &flag, MPI_STATUS_IGNORE);
#ifdef WRONG
	if (rank == 1)
		MPI_Start(&none[1]); /* FOUND */
#endif
	return finish();
}
