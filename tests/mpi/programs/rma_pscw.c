/* tarry-test: ranks=3
 *
 * Post, start, complete, wait: rank 0 writes into ranks 1 and 2; rank 2 tests instead of waiting. The
 * window's memory comes from MPI_Win_allocate. */
#include "checksum.h"

#include <mpi.h>

static void origin(MPI_Win win, MPI_Group world)
{
	static const int members[] = {1, 2};
	int value[2] = {71, 72};
	MPI_Group targets;

	MPI_Group_incl(world, 2, members, &targets);
	MPI_Win_start(targets, 0, win);
	/* @0 win=$win member=1,2 */
	MPI_Put(&value[0], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
	/* @0 win=$win target=1 disp=0 sent=4 epoch=2 */
	MPI_Put(&value[1], 1, MPI_INT, 2, 1, 1, MPI_INT, win);
	/* @0 win=$win target=2 disp=1 sent=4 epoch=2 */
	MPI_Win_complete(win);
	/* @0 win=$win */
	MPI_Group_free(&targets);
}

static void target(MPI_Win win, MPI_Group world, int rank)
{
	static const int members[] = {0};
	MPI_Group origins;
	int flag = 0;

	MPI_Group_incl(world, 1, members, &origins);
	MPI_Win_post(origins, MPI_MODE_NOSTORE, win);
	/* @1,2 win=$win member=0 assert=2 */
	if (rank == 1)
		MPI_Win_wait(win);
	/* @1 win=$win */
	while (rank == 2 && !flag)
		MPI_Win_test(win, &flag);
	/* @2 polls win=$win
		 * @2 win=$win flag=1 */
	MPI_Group_free(&origins);
}

int main(int argc, char **argv)
{
	MPI_Group world;
	MPI_Win win;
	int rank, *memory;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	/* @* comm=$world win=$win */
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	for (int i = 0; i < 4; i++)
		memory[i] = i;
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	if (rank == 0)
		origin(win, world);
	else
		target(win, world, rank);
	checksum_add(memory, 4 * sizeof(int));
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	/* @* win=$win */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @win $win size=16 unit=4 comm=$world */
