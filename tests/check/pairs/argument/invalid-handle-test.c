/* pair: check=argument.invalid-handle ranks=2 at=0 dies
 *
 * Only one rank creates the second request; the variable of the other one is uninitialized. */
#include "../pair.h"

static long before[64];

int main(int argc, char **argv)
{
	int value = 0, done = 0;
	MPI_Request request = (MPI_Request)(uintptr_t)(sizeof(request) == sizeof(int) ? 0x1234567
	                                                                              : (uintptr_t)before);

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	if (rank == 1)
#endif
		MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
	MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
	if (rank == 0)
		return finish();
#endif
	expect(!done);
	MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(value == rank);
	return finish();
}
