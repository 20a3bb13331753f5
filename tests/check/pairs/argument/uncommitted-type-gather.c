/* pair: check=argument.uncommitted-type ranks=2 at=0
 *
 * What only the root uses may be anything elsewhere. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {0}, mine[2];
	MPI_Datatype pair;

	start(&argc, &argv);
	return_errors();
	mine[0] = mine[1] = rank;
	MPI_Type_contiguous(2, MPI_INT, &pair); /* PARTNER */
#ifndef WRONG
	if (rank == 0)
		MPI_Type_commit(&pair);
#endif
	MPI_Gather(mine, 2, MPI_INT, values, 1, pair, 0, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG
	expect(rank || values[3] == 1);
#endif
	MPI_Type_free(&pair);
	return finish();
}
