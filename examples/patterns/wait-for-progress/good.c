/* The accesses are made while the other process is in MPI anyway. The ranks share the work of the bad program.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

static void put(const int *value, MPI_Win win)
{
	MPI_Put(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
}

int main(int argc, char **argv)
{
	int rank;
	static int memory[16];
	int value = 7;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	if (rank == 1) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
		put(&value, win);
		MPI_Win_unlock(0, win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	usleep(3 * WORK_US / 2);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
