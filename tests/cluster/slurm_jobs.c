/* The program of slurm_jobs.py: rounds in which the last rank is late, and one line of each rank.
 *
 *	slurm_jobs               exits with 0
 *	slurm_jobs fail          exits with 3
 *	slurm_jobs die           the last rank is killed in the middle, while the others wait for it
 *	slurm_jobs wait FILE     runs until FILE exists; FILE.started exists as soon as all ranks have begun */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 10, LATE_US = 10000, FAILED = 3 };

static int run_round(int rank, int size, int number)
{
	int sum = rank + number, received;

	if (rank == size - 1)
		usleep(LATE_US);
	MPI_Sendrecv(&sum, 1, MPI_INT, (rank + 1) % size, 1, &received, 1, MPI_INT, (rank + size - 1) % size,
	             1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(&received, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return sum;
}

/* Rank 0 looks for the files: they may appear on another node later. */
static void wait_for_file(int rank, int size, const char *name)
{
	char started[4096];
	int is_there = 0;

	snprintf(started, sizeof started, "%s.started", name);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		fclose(fopen(started, "w"));
	while (!is_there) {
		run_round(rank, size, 0);
		is_there = rank == 0 && access(name, F_OK) == 0;
		MPI_Bcast(&is_there, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int rank, size, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < ROUNDS; i++)
		sum += run_round(rank, size, i);
	printf("rank %d of %d: %d\n", rank, size, sum);
	fflush(stdout);
	if (strcmp(what, "die") == 0 && rank == size - 1)
		raise(SIGKILL);
	if (strcmp(what, "wait") == 0)
		wait_for_file(rank, size, argv[2]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return strcmp(what, "fail") == 0 ? FAILED : 0;
}
