/* pair: check=end.crash ranks=3 at=1 exit=any
 *
 * The launcher then ends the others: only the first is to blame. */
#include "../pair.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int sum = 0;

	start(&argc, &argv);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* PARTNER */
#ifdef WRONG
	usleep(200000); /* so that others know its last call */
	signal(SIGSEGV, SIG_DFL);
	if (rank == 1)
		*(volatile int *)8 = sum; /* CRASHED */
#endif
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
	expect(sum == 3);
	return finish();
}
