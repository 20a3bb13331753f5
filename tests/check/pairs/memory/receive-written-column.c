/* pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all
 *
 * A column of a matrix is received while the others are worked on: they are the program's. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double matrix[10][10] = {{0}};
	MPI_Datatype column;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Type_vector(10, 1, 10, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	if (rank == 0) {
		matrix[9][3] = 1;
		MPI_Send(&matrix[0][3], 1, column, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(&matrix[0][3], 1, column, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		for (int i = 0; i < 10; i++) {
			matrix[i][4] = i;
			matrix[i][2] = i;
		}
#ifdef WRONG
		matrix[5][3] = 5;
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		expect(matrix[9][3] == 1 && matrix[5][3] == 0 && matrix[9][4] == 9 && matrix[9][2] == 9);
	}
	MPI_Type_free(&column);
	return finish();
}
