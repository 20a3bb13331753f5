/* pair: check=order.no-finalize ranks=2 at=1 exit=any
 *
 * Where main returns makes no difference to a program that called MPI_Finalize before. */
#include "../pair.h"

static void end(void)
{
	MPI_Finalize();
	if (!rank && !unexpected)
		puts("ok");
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	if (rank == 1)
		return 0;
#endif
	atexit(end);
	return 0;
}
