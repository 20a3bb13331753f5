/* pair: check=window.target-not-in-group ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int other;
	MPI_Group world, group;
	MPI_Group origins;
	MPI_Comm reversed;
	MPI_Win turned;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	other = 0;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &group);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, reversed, &memory, &turned);
	MPI_Win_set_errhandler(turned, MPI_ERRORS_RETURN);
	if (rank == 1) {                         /* the first of the window's group is rank 1 of the world */
		MPI_Win_start(group, 0, turned); /* PARTNER */
#ifdef WRONG
		MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, turned); /* FOUND */
#else
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, turned);
#endif
		MPI_Win_complete(turned);
	} else {
		MPI_Group_incl(world, 1, (int[]){1}, &origins);
		MPI_Win_post(origins, 0, turned);
		MPI_Win_wait(turned);
		MPI_Group_free(&origins);
	}
	MPI_Win_free(&turned);
	MPI_Comm_free(&reversed);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
