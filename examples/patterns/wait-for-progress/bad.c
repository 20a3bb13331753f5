/* A process accesses the window of a computing process, under a lock of this process and of all. The library answers only inside
 * MPI calls.
 *
 * tarry-example: ranks=2 whatif=balanced */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000, LATER_US = WORK_US / 20 };

/* Later than the other process has left MPI, which would answer at once there. */
static void put(const int *value, MPI_Win win)
{
	usleep(LATER_US);
	MPI_Put(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
}

static void rget(int *value, MPI_Win win, MPI_Request *request)
{
	usleep(LATER_US);
	MPI_Rget(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, request);
}

int main(int argc, char **argv)
{
	int rank;
	static int memory[16];
	int value = 7;
	MPI_Request request;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	if (rank == 0) {
		for (int i = 0; i < 3; i++) {
			usleep(WORK_US);
			MPI_Barrier(MPI_COMM_WORLD);
		}
	} else {
		/* In one line, as libraries wait in either of these calls. */
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), put(&value, win), MPI_Win_unlock(0, win);
		/* @mpi.wait-for-progress rank=1 total=0.19 partner=0 */
		MPI_Win_lock_all(0, win);
		MPI_Barrier(MPI_COMM_WORLD);
		put(&value, win),
			MPI_Win_flush_all(win); /* @mpi.wait-for-progress rank=1 total=0.19 partner=0 */
		MPI_Barrier(MPI_COMM_WORLD);
		rget(&value, win, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
		/* @mpi.wait-for-progress rank=1 total=0.19 partner=0 */
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Win_unlock_all(win);
	}
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
