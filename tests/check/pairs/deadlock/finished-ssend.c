/* pair: check=deadlock.finished-process ranks=2 among=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	if (rank == 1)
		MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	(void)theirs;
	MPI_Finalize(); /* MAY */
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}
