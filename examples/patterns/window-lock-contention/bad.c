/* A process computes while it holds the lock of a window that another process needs.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7;
	int *memory;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	if (rank == 1)
		usleep(WORK_US / 4);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0,
	             win); /* @mpi.window-lock-contention rank=1 total=0.15 partner=0 */
	if (rank == 0)
		usleep(WORK_US);
	MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
