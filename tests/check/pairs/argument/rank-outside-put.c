/* pair: check=argument.rank-outside ranks=2 at=0 mpi=openmpi */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 4, shared[2] = {0};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(shared, sizeof(shared), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win);
	MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 1000, 1, MPI_INT, win);
	if (rank == 0) {
#ifdef WRONG
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FOUND */
#endif
		MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
	}
	MPI_Win_fence(0, win);
	expect(rank == 0 || shared[1] == 4);
	MPI_Win_free(&win);
	return finish();
}
