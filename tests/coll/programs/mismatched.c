/* A collective call whose datatypes do not fit each other, among many that do. */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 20, WRONG_CALL = 12 };

int main(int argc, char **argv)
{
	int rank, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < CALLS; i++) {
		int value = rank ? 0 : i;

		MPI_Bcast(&value, 1, i == WRONG_CALL && rank ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD);
		sum += value;
	}
	printf("rank %d: %d\n", rank, sum);
	MPI_Finalize();
	return 0;
}
