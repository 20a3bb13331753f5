/* pair: check=race.accumulate ranks=2 at=0
 *
 * Without the order of reads after writes, MPI_NO_OP may read the value before the update of the same rank. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 1, before, after = -1;
	MPI_Win win;
	MPI_Info info;

	start(&argc, &argv);
	MPI_Info_create(&info);
	MPI_Info_set(info, "accumulate_ordering", "rar,war,waw");
	MPI_Win_allocate(64, 4, info, MPI_COMM_WORLD, &memory, &win);
	MPI_Info_free(&info);
	memset(memory, 0, 64);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Fetch_and_op(&value, &before, MPI_INT, 1, 0, MPI_NO_OP, win);
		MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* FOUND */
#ifndef WRONG
		MPI_Win_flush(1, win);
#endif
		MPI_Get_accumulate(NULL, 0, MPI_INT, &after, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP,
		                   win); /* PARTNER */
		MPI_Win_flush(1, win);
#ifndef WRONG
		expect(before == 0 && after == 1);
#endif
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
