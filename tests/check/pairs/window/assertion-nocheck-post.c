/* pair: check=window.assertion ranks=2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7, other;
	MPI_Group world, group;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	other = !rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &group);
	if (rank == 1)
#ifdef WRONG
		MPI_Win_post(group, 0, win); /* PARTNER */
#else
		MPI_Win_post(group, MPI_MODE_NOCHECK, win);
#endif
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Win_start(group, MPI_MODE_NOCHECK, win); /* FOUND */
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else {
		MPI_Win_wait(win);
		expect(memory[0] == 7);
	}
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Win_free(&win);
	return finish();
}
