/* pair: check=argument.in-place ranks=3 at=1,2 dies
 *
 * Of calls with a root, only the root may work in place. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[3] = {0};

	start(&argc, &argv);
	return_errors();
	values[0] = rank;
	MPI_Gather(rank ? values : MPI_IN_PLACE, 1, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_WORLD);
	expect(rank || (values[1] == 1 && values[2] == 2));
	MPI_Reduce(rank ? values : MPI_IN_PLACE, rank ? NULL : values, 1, MPI_INT, MPI_SUM, 0,
	           MPI_COMM_WORLD);
	MPI_Scatterv(values, (int[]){1, 1, 1}, (int[]){0, 1, 2}, MPI_INT, rank ? values : MPI_IN_PLACE, 1,
	             MPI_INT, 0, MPI_COMM_WORLD);
	expect(rank || values[0] == 3);
#ifdef WRONG
	if (rank)
		MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, values, 0, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	else
		MPI_Gather(values, 0, MPI_INT, values, 0, MPI_INT, 0, MPI_COMM_WORLD);
#endif
	return finish();
}
