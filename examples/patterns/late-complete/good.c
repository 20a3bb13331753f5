/* The accesses are completed at once; both processes work afterwards. The ranks share the work of the bad program.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, other;
	int *memory;
	MPI_Win win;
	MPI_Group all, group;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	other = 1 - rank;
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 1, &other, &group);
	if (rank == 0) {
		MPI_Win_post(group, 0, win);
		MPI_Win_wait(win);
	} else {
		MPI_Win_start(group, 0, win);
		MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
	}
	MPI_Group_free(&group);
	MPI_Group_free(&all);
	MPI_Win_free(&win);
	usleep(WORK_US / 2);
	MPI_Finalize();
	return 0;
}
