/* pair: check=deadlock.cycle ranks=3 among=0,1
 *
 * Rank 2 blocks all signals and does not call MPI any more: it is ended, too. */
#include "../pair.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	sigset_t all;
	int theirs = -1;

	start(&argc, &argv);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
#ifdef WRONG
	if (rank < 2)
		MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	for (;;)
		usleep(100000);
#else
	if (rank < 2)
		MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
		             MPI_STATUS_IGNORE);
	expect(rank == 2 || theirs == 1 - rank);
	return finish();
#endif
}
