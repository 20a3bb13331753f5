/* A token goes round, and all compute meanwhile: nobody waits for long. */
#include "work.h"

enum { ROUNDS = 100, CELLS = 1000 };

int main(int argc, char **argv)
{
	double out[CELLS] = {0}, in[CELLS];
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Sendrecv(out, CELLS, MPI_DOUBLE, (rank + 1) % size, 0, in, CELLS, MPI_DOUBLE,
		             (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		work(in, CELLS);
	}
	MPI_Finalize();
	return 0;
}
