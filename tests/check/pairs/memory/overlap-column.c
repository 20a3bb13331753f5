/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Columns of a matrix lie between each other; only two that are one wider than they should be meet. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static double matrix[200][50];
	MPI_Datatype column, columns;
	MPI_Request requests[4];

	start(&argc, &argv);
	MPI_Type_vector(200, 1, 50, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	MPI_Type_vector(200, 2, 50, MPI_DOUBLE, &columns);
	MPI_Type_commit(&columns);
	for (int i = 0; i < 200; i++)
		matrix[i][1] = matrix[i][2] = i + rank;
	MPI_Irecv(&matrix[0][0], 1, column, !rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&matrix[0][1], 1, columns, !rank, 1, MPI_COMM_WORLD, &requests[1]); /* PARTNER */
#ifdef WRONG
	MPI_Irecv(&matrix[0][2], 1, columns, !rank, 1, MPI_COMM_WORLD, &requests[2]); /* FOUND */
#else
	MPI_Irecv(&matrix[0][3], 1, columns, !rank, 1, MPI_COMM_WORLD, &requests[2]);
#endif
	MPI_Isend(&matrix[0][1], 1, column, !rank, 0, MPI_COMM_WORLD, &requests[3]);
	MPI_Type_free(&column);
	MPI_Type_free(&columns);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	expect(matrix[199][0] == 199 + !rank);
	return finish();
}
