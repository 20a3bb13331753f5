/* A message goes round that is too large to be buffered, and all compute meanwhile: no rank waits for long. */
#include "work.h"

#include <stdlib.h>

enum { ROUNDS = 100, CELLS = 1000, MESSAGE = 1 << 17 };

int main(int argc, char **argv)
{
	double cells[CELLS] = {0}, *out = calloc(MESSAGE, sizeof *out), *in = calloc(MESSAGE, sizeof *in);
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Request request;
		MPI_Irecv(in, MESSAGE, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
		MPI_Send(out, MESSAGE, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		work(cells, CELLS);
	}
	MPI_Finalize();
	return 0;
}
