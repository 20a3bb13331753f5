/* tarry-test: ranks=3
 *
 * Each way of one-sided communication twice, planted and clean: which rank waits for which follows from the program, whatever
 * the library does in which call (relations.py). Messages ensure the order, and the rank that others wait for
 * sleeps. */
#include <mpi.h>
#include <time.h>

enum { LATE_MS = 400, SHORT_MS = 100, GO_TAG = 5 };

static int value[4];

static void sleep_ms(long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static void fences(MPI_Win win, int rank, long late_ms)
{
	MPI_Win_fence(0, win);
	if (rank == 2)
		sleep_ms(late_ms);
	MPI_Put(value, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
}

/* Ranks 0 and 1 write into rank 2, rank 1 twice. */
static void exposed(MPI_Win win, MPI_Group world, int rank, long late_ms)
{
	static const int origins[] = {0, 1}, target[] = {2};
	MPI_Group group;

	MPI_Group_incl(world, rank == 2 ? 2 : 1, rank == 2 ? origins : target, &group);
	if (rank == 2) {
		MPI_Win_post(group, 0, win);
		MPI_Win_wait(win);
	} else {
		MPI_Win_start(group, 0, win);
		for (int i = 0; i <= rank; i++)
			MPI_Put(value, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
		if (rank == 1)
			sleep_ms(late_ms);
		MPI_Win_complete(win);
	}
	MPI_Group_free(&group);
}

static void hold(MPI_Win win, int kind, long ms)
{
	MPI_Win_lock(kind, 0, 0, win);
	MPI_Put(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
	MPI_Win_flush(0, win);
	sleep_ms(ms);
	MPI_Win_unlock(0, win);
}

/* Rank 1 has the lock for sure when rank 2 asks for it, and keeps it until then. */
static void contended(MPI_Win win, int rank)
{
	if (rank == 1) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
		MPI_Put(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		MPI_Send(value, 1, MPI_INT, 2, GO_TAG, MPI_COMM_WORLD);
		MPI_Recv(value, 1, MPI_INT, 2, GO_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sleep_ms(LATE_MS);
		MPI_Win_unlock(0, win);
	} else if (rank == 2) {
		MPI_Recv(value, 1, MPI_INT, 1, GO_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(value, 1, MPI_INT, 1, GO_TAG, MPI_COMM_WORLD);
		hold(win, MPI_LOCK_EXCLUSIVE, SHORT_MS);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* One after the other; then both at once, but shared. */
static void uncontended(MPI_Win win, int rank)
{
	if (rank == 1)
		hold(win, MPI_LOCK_EXCLUSIVE, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2)
		hold(win, MPI_LOCK_EXCLUSIVE, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank)
		hold(win, MPI_LOCK_SHARED, SHORT_MS);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Group world;
	MPI_Win win;
	int rank, *memory;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	fences(win, rank, LATE_MS);
	MPI_Barrier(MPI_COMM_WORLD);
	exposed(win, world, rank, LATE_MS);
	exposed(win, world, rank, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	contended(win, rank);
	uncontended(win, rank);
	MPI_Win_free(&win);
	MPI_Group_free(&world);
	MPI_Finalize();
	return 0;
}
