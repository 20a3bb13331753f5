/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Win win;

	MPI_Win_create(&theirs, sizeof theirs, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
#ifdef WRONG
	if (rank == 1)
		MPI_Barrier(MPI_COMM_WORLD); /* FOUND */
#endif
	MPI_Win_free(&win); /* FOUND */
#ifdef WRONG
	if (rank == 0)
#endif
		MPI_Barrier(MPI_COMM_WORLD);
	expect(theirs == -1);
	return finish();
}
