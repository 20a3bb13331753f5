/* pair: check=argument.null-handle ranks=2 at=0
 *
 * MPI_DATATYPE_NULL is allowed where it is not significant: with MPI_IN_PLACE, and for data that only the root receives. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {0}, sum;

	start(&argc, &argv);
	return_errors();
	MPI_Gather(&rank, 1, MPI_INT, values, 1, rank ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD);
	expect(rank || values[1] == 1);
	values[rank] = rank + 10;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, MPI_COMM_WORLD);
	expect(values[0] == 10 && values[1] == 11);
	MPI_Scatter(values, 1, rank ? MPI_DATATYPE_NULL : MPI_INT, rank ? &sum : MPI_IN_PLACE, 1,
	            rank ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
#ifdef WRONG
	if (rank == 0)
		MPI_Send(values, 1, MPI_DATATYPE_NULL, 1, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	return finish();
}
