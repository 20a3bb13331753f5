/* pair: check=argument.negative-count ranks=4 at=0
 *
 * Counts and displacements are those of the root: what others pass is never read. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {0}, counts[4] = {-1, -2, -3, -4}, places[4] = {-9, -9, -9, -9}, mine;

	start(&argc, &argv);
	return_errors();
	mine = rank;
	for (int i = 0; i < 4 && rank == 0; i++) {
		counts[i] = i != 2;
		places[i] = i;
	}
	MPI_Gatherv(&mine, rank != 2, MPI_INT, values, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
	expect(rank || (values[1] == 1 && values[2] == 0 && values[3] == 3));
	MPI_Gatherv(&mine, 1, MPI_INT, rank ? NULL : values, rank ? NULL : (int[]){1, 1, 1, 1},
	            rank ? NULL : (int[]){3, 2, 1, 0}, rank ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD);
	expect(rank || (values[3] == 0 && values[0] == 3));
#ifdef WRONG
	counts[3] = -1; /* SHOWS: recvcounts[4] = {1, 1, 0, -1}, displs[4] = {0, 1, 2, 3} */
	MPI_Gatherv(&mine, 0, MPI_INT, values, counts, places, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	return finish();
}
