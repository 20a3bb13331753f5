/* pair: check=race.one-sided ranks=3 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Group world, group;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	if (rank < 2) {
		MPI_Group_incl(world, 1, (int[]){2}, &group);
		MPI_Win_start(group, 0, win);
#ifdef WRONG
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FOUND */
#else
		MPI_Put(&value, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
#endif
		MPI_Win_complete(win);
	} else {
		MPI_Group_incl(world, 2, (int[]){0, 1}, &group);
		MPI_Win_post(group, 0, win);
		MPI_Win_wait(win);
	}
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
