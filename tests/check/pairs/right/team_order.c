/* pair: check=none ranks=4 always=--buffers=all flags=-fopenmp
 *
 * As thread_order.c, with teams of OpenMP: odd ranks write to their own window memory, and all meet in a barrier. Then threads of even ranks read it: in a new
 * team, and in one that exists already, after a barrier of the team. */
#include "../pair.h"

#include <omp.h>
#include <unistd.h>

enum { ROUNDS = 2, COMPUTED_US = 40000 };

static MPI_Win win;

static void get(void)
{
	int got = -1;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank + 1, 0, win);
	MPI_Get(&got, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, win);
	MPI_Win_unlock(rank + 1, win);
	expect(got >= 0);
}

static void read_in_new_team(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel num_threads(3)
	if (omp_get_thread_num() == 2)
		get();
}

static void read_in_team(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp master
		MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			get();
	}
}

static void write_and_compute(int *memory, int value)
{
	usleep(COMPUTED_US);
	memory[0] = value;
	MPI_Barrier(MPI_COMM_WORLD);
	usleep(COMPUTED_US);
}

int main(int argc, char **argv)
{
	int *memory;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Win_allocate(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	for (int i = 0; i < ROUNDS; i++) {
		if (rank % 2)
			write_and_compute(memory, i);
		else if ((rank / 2 + i) % 2)
			read_in_new_team();
		else
			read_in_team();
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Win_free(&win);
	return finish();
}
