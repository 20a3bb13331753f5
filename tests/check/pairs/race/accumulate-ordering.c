/* pair: check=race.accumulate ranks=2 at=0
 *
 * The program gives up the order of its accumulates. Those with the same operation need none. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 1;
	MPI_Win win;
	MPI_Info info;

	start(&argc, &argv);
	MPI_Info_create(&info);
	MPI_Info_set(info, "accumulate_ordering", "none");
	MPI_Win_allocate(64, 4, info, MPI_COMM_WORLD, &memory, &win);
	MPI_Info_free(&info);
	memset(memory, 0, 64);
	MPI_Win_fence(0, win);
	if (rank == 0) {
		MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win); /* FOUND */
#ifdef WRONG
		MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* PARTNER */
#else
		MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
		MPI_Accumulate(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_SUM, win);
#endif
	}
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
