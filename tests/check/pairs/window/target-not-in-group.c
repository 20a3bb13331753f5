/* pair: check=window.target-not-in-group ranks=3 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int other;
	MPI_Group world, group;
	MPI_Group origins;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	other = 1;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &group);
	MPI_Group_incl(world, 1, (int[]){0}, &origins);
	if (rank == 0) {
		MPI_Win_start(group, 0, win); /* PARTNER */
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
#ifdef WRONG
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FOUND */
#endif
		MPI_Win_complete(win);
	} else if (rank == 1) {
		MPI_Win_post(origins, 0, win);
		MPI_Win_wait(win);
		expect(memory[0] == 7);
	}
	MPI_Group_free(&origins);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
