/* pair: check=end.abort ranks=2 at=1 exit=any */
#include "../pair.h"

int main(int argc, char **argv)
{
	start(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
#ifdef WRONG
	if (rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 5); /* FOUND */
#endif
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
