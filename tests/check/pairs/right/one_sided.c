/* pair: check=none ranks=3
 *
 * All kinds of epochs, and requests of one-sided calls. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 5, got = 0, next;
	MPI_Win win;
	MPI_Group world, from, to;
	MPI_Request request;

	start(&argc, &argv);
	next = (rank + 1) % size;
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 4 * sizeof(int));
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Accumulate(&value, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);
	MPI_Accumulate(&rank, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_REPLACE, win);
	MPI_Put(NULL, 0, MPI_INT, MPI_PROC_NULL, 1000000, 0, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	expect(rank || memory[3] == 15);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &next, &to);
	MPI_Group_incl(world, 1, (int[]){(rank + 2) % 3}, &from);
	MPI_Win_post(from, 0, win);
	MPI_Win_start(to, 0, win);
	MPI_Put(&rank, 1, MPI_INT, next, 1, 1, MPI_INT, win);
	MPI_Win_complete(win);
	MPI_Win_wait(win);
	expect(memory[1] == (rank + 2) % 3);
	MPI_Group_free(&world);
	MPI_Group_free(&from);
	MPI_Group_free(&to);
	MPI_Win_lock_all(0, win);
	MPI_Rget(&got, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_unlock_all(win);
	expect(got == 15);
	MPI_Win_free(&win);
	return finish();
}
