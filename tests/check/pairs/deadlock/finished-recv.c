/* pair: check=deadlock.finished-process ranks=2 among=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	if (rank == 0) {
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
		expect(theirs == 1);
	}
#ifndef WRONG
	if (rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
	MPI_Finalize(); /* MAY */
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}
