/* pair: check=deadlock.hang options=--hang-timeout=3 ranks=3 at=0,1,2 */
#include "../pair.h"

#include <unistd.h>

static volatile int never;

static inline void wait_for_nothing(void)
{
	while (!never)
		usleep(20000); /* FOUND, and not in MPI_Recv() */
}

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	if (rank == 1) {
#ifdef WRONG
		wait_for_nothing();
#endif
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Barrier(MPI_COMM_WORLD);                                                    /* FOUND */
	expect(rank || theirs == 1);
	return finish();
}
