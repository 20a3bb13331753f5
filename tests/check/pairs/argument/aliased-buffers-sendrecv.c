/* pair: check=argument.aliased-buffers ranks=2 at=0,1
 *
 * Columns of one matrix lie between each other, and share no byte. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int matrix[4][4] = {{0}};
	MPI_Datatype column;

	start(&argc, &argv);
	return_errors();
	MPI_Type_vector(4, 1, 4, MPI_INT, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < 4; i++)
		matrix[i][1] = rank + 1;
	MPI_Sendrecv(&matrix[0][1], 1, column, !rank, 0, &matrix[0][0], 1, column, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(matrix[3][0] == !rank + 1);
#ifdef WRONG
	MPI_Sendrecv(&matrix[0][1], 3, MPI_INT, !rank, 0, &matrix[0][2], 3, MPI_INT, !rank, 0,
	             MPI_COMM_WORLD, /* FOUND */
	             MPI_STATUS_IGNORE);
#else
	MPI_Sendrecv(&matrix[0][0], 2, MPI_INT, !rank, 0, &matrix[0][2], 2, MPI_INT, !rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
#endif
	MPI_Type_free(&column);
	return finish();
}
