/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * The neighbour of a column may be computed while the column is sent. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static double matrix[100][10], other[100];
	MPI_Datatype column;
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Type_vector(100, 1, 10, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < 100; i++)
		matrix[i][4] = i;
	MPI_Irecv(other, 100, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&matrix[0][4], 1, column, !rank, 0, MPI_COMM_WORLD, &requests[1]); /* PARTNER */
	for (int i = 0; i < 100; i++)
		matrix[i][3] = matrix[i][5] = i;
#ifdef WRONG
	matrix[99][4] = 0;
#endif
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
	expect(other[98] == 98);
	MPI_Type_free(&column);
	return finish();
}
