/* In each round all ranks send their pieces to rank 0, which receives them one after another after its own work and
 * sends the result to all.
 *
 * tarry-example: ranks=4 args=10 slow=MPI_Recv */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 8, PIECES = 1000, LENGTH = 448, WORK_US = 5000 };

/* A piece is a column of a table. */
static void collect(double *sum, int pieces)
{
	double table[LENGTH][8];
	MPI_Datatype column;

	MPI_Type_vector(LENGTH, 1, 8, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < pieces; i++) {
		MPI_Recv(table, 1, column, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @mpi.hot-receiver rank=0 */
		*sum += table[0][0];
	}
	MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
	double piece[LENGTH] = {1}, sum = 0;
	int pieces = argc > 1 ? atoi(argv[1]) : PIECES;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < pieces && rank != 0; i++)
			MPI_Send(piece, LENGTH, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
		if (rank == 0) {
			usleep(WORK_US);
			collect(&sum, (size - 1) * pieces);
		}
		MPI_Bcast(&sum, 1, MPI_DOUBLE, 0,
		          MPI_COMM_WORLD); /* @mpi.late-broadcast rank=1,2,3 partner=0 */
	}
	MPI_Finalize();
	return 0;
}
