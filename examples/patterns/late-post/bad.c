/* A target exposes its window late: the origin must wait before it can access it.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

/* All in one line, as libraries wait in different ones of these calls. */
static void put(int x, MPI_Group group, MPI_Win win)
{
	MPI_Win_start(group, 0, win), MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_Win_complete(win);
	/* @mpi.late-post rank=1 total=0.2 partner=0 */
}

int main(int argc, char **argv)
{
	int rank;
	int other;
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
		usleep(WORK_US);
		MPI_Win_post(group, 0, win);
		MPI_Win_wait(win);
	} else {
		put(7, group, win);
	}
	MPI_Group_free(&group);
	MPI_Group_free(&all);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
