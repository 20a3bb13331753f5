/* pair: check=argument.in-place ranks=2 at=0 dies
 *
 * MPI_IN_PLACE belongs to collective calls. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {0};

	start(&argc, &argv);
	return_errors();
	values[rank] = rank + 1;
	MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, MPI_COMM_WORLD);
	expect(values[0] == rank + 1 && values[1] == rank + 1);
	MPI_Scan(MPI_IN_PLACE, values, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce_scatter_block(MPI_IN_PLACE, values, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
#ifdef WRONG
	if (rank == 0)
		MPI_Send(MPI_IN_PLACE, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	return finish();
}
