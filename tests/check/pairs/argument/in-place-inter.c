/* pair: check=argument.in-place ranks=2 at=0,1 dies
 *
 * Nothing can be in place between two groups. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, sum = 0;
	MPI_Comm across;

	start(&argc, &argv);
	return_errors();
	MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, !rank, 1, &across);
	MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
	value = rank + 3;
#ifdef WRONG
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, across); /* FOUND */
#else
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, across);
	expect(sum == !rank + 3);
#endif
	MPI_Comm_free(&across);
	return finish();
}
