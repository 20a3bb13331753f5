/* pair: check=end.crash ranks=2 at=0 exit=any */
#include "../pair.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	start(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	usleep(200000); /* so that others know its last call */
	if (rank == 0)
		kill(getpid(), SIGKILL);
#else
	kill(getpid(), SIGCONT);
#endif
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
	return finish();
}
