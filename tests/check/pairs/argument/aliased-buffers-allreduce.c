/* pair: check=argument.aliased-buffers ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {1, 2, 0, 0};

	start(&argc, &argv);
	return_errors();
	MPI_Allreduce(values, values + 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(values[2] == 2 && values[3] == 4);
	/* Only the root has a receive buffer. */
	MPI_Reduce(values, rank ? values : values + 2, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Gather(values + rank, 1, MPI_INT, rank ? values : values + 2, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allgather(values, 0, MPI_INT, values, 0, MPI_INT, MPI_COMM_WORLD);
#ifdef WRONG
	MPI_Allreduce(values, values + 1, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* FOUND */
#endif
	return finish();
}
