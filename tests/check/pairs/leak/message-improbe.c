/* pair: check=leak.message ranks=2 at=0
 *
 * Of two messages that were matched, one is received. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0, there = 0;
	MPI_Message first, second;

	start(&argc, &argv);
	if (rank == 1) {
		MPI_Send(&size, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Send(&size, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
		return finish();
	}
	MPI_Mprobe(1, 1, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
	MPI_Probe(1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	while (!there)
		MPI_Improbe(1, 2, MPI_COMM_WORLD, &there, &second, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Mrecv(&value, 1, MPI_INT, &first, MPI_STATUS_IGNORE);
#ifndef WRONG
	MPI_Mrecv(&value, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
#endif
	expect(value == 2);
	return finish();
}
