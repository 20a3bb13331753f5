/* pair: check=memory.receive-written ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O2
 *
 * A column of a matrix is received. Stores between its elements are allowed, memset() over all of them is not. */
#include "../pair.h"

enum { N = 10 };

int main(int argc, char **argv)
{
	MPI_Datatype column;
	MPI_Request request;
	double matrix[N][N] = {0}, values[N] = {0};

	start(&argc, &argv);
	MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	if (!rank) {
		MPI_Irecv(&matrix[0][2], 1, column, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				if (j != 2)
					matrix[i][j] += 1;
#ifdef WRONG
		memset(matrix, 0, (size_t)argc * sizeof matrix); /* USED */
#else
		memset(matrix, 0, (size_t)argc * 2 * sizeof(double));
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		matrix[1][2] = 5;
	} else {
		MPI_Send(values, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	}
	MPI_Type_free(&column);
	return finish();
}
