/* pair: check=race.local-access ranks=2 always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7, other;
	MPI_Group world, group;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	other = !rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &group);
	if (rank == 1) {
		memory[2] = 1;
		MPI_Win_post(group, 0, win);
#ifdef WRONG
		memory[2] = 3; /* USED */
		MPI_Win_wait(win);
#else
		MPI_Win_wait(win);
		memory[2] = 3;
#endif
	} else {
		MPI_Win_start(group, 0, win);
		MPI_Get(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* FOUND */
		MPI_Win_complete(win);
#ifndef WRONG
		expect(value == 1);
#endif
	}
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
