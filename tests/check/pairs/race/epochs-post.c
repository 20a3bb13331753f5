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
	for (int i = 0; i < 2; i++)
		if (rank == i) {
			MPI_Group_incl(world, 1, (int[]){2}, &group);
			MPI_Win_start(group, 0, win);
			MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FOUND */
			MPI_Win_complete(win);
			MPI_Group_free(&group);
		}
	if (rank == 2) {
#ifdef WRONG
		MPI_Group_incl(world, 2, (int[]){0, 1}, &group);
		MPI_Win_post(group, 0, win);
		MPI_Win_wait(win);
		MPI_Group_free(&group);
#else
		for (int i = 0; i < 2; i++) {
			MPI_Group_incl(world, 1, &i, &group);
			MPI_Win_post(group, 0, win);
			MPI_Win_wait(win);
			MPI_Group_free(&group);
		}
#endif
	}
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
