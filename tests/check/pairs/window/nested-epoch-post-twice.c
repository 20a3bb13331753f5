/* pair: check=window.nested-epoch ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	int other;
	MPI_Group world, group;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	other = !rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &group);
	if (rank == 0) {
		MPI_Win_start(group, 0, win);
		MPI_Win_complete(win);
	} else {
		MPI_Win_post(group, 0, win); /* PARTNER */
#ifdef WRONG
		MPI_Win_post(group, 0, win); /* FOUND */
#endif
		MPI_Win_wait(win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
