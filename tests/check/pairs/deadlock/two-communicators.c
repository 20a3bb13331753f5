/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{

	start(&argc, &argv);
	MPI_Comm twin, first = MPI_COMM_WORLD, second;

	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	second = twin;
#ifdef WRONG
	if (rank == 1)
		first = twin, second = MPI_COMM_WORLD;
#endif
	MPI_Barrier(first); /* FOUND */
	MPI_Barrier(second);
	MPI_Comm_free(&twin);
	return finish();
}
