/* pair: check=collective.count-mismatch ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {0}, count = 4;
	MPI_Datatype two;

	start(&argc, &argv);
	return_errors();
	/* As much data in other words. */
	MPI_Type_vector(2, 1, 1, MPI_INT, &two);
	MPI_Type_commit(&two);
	if (rank)
		MPI_Bcast(values, 2, two, 1, MPI_COMM_WORLD);
	else
		MPI_Bcast(values, 4, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Type_free(&two);
#ifdef WRONG
	if (rank == 0)
		count = 2;
#endif
	MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
