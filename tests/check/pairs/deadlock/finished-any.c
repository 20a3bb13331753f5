/* pair: check=deadlock.finished-process ranks=3 among=0 */
#include "../pair.h"

#ifdef WRONG
enum { WORKERS = 2 };
#else
enum { WORKERS = 1 };
#endif

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Rank 0 expects one message more than there are. */
	const int messages = WORKERS;

	if (rank == 0) {
		for (int i = 0; i < messages; i++)
			MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE); /* FOUND */
		expect(theirs > 0);
	} else if (rank == 1) {
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	MPI_Finalize(); /* MAY */
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}
