/* pair: check=argument.null-handle ranks=3 at=2
 *
 * MPI_Comm_split with MPI_UNDEFINED gives MPI_COMM_NULL, which may be compared but not used. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int result = 0;
	MPI_Comm some;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, 0, &some);
#ifdef WRONG
	MPI_Barrier(some); /* FOUND */
#else
	if (some != MPI_COMM_NULL)
		MPI_Barrier(some);
#endif
	if (some != MPI_COMM_NULL) {
		MPI_Comm_size(some, &result);
		MPI_Comm_free(&some);
		expect(result == 2);
	}
	return finish();
}
