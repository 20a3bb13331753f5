/* Two ranks exchange ROUNDS messages and say what came of it. Tags change, so that calls are distinct; the number of rounds and of tags are arguments.
 * With "wait" rank 0 reads a line before it continues, in the middle of an MPI_Get that is completed after the messages; with "fork" each rank has a child, with "crash" rank 1
 * is killed at once, with "last" after its last receive. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 4096 };

int main(int argc, char **argv)
{
	const int waits = argc > 3 && strcmp(argv[3], "wait") == 0;
	long *memory, *got = calloc(COUNT, sizeof *got);
	MPI_Win win;
	long rounds = strtol(argv[1], NULL, 10), tags = strtol(argv[2], NULL, 10), sum = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (waits) {
		MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
		                 &memory, &win);
		for (int i = 0; i < COUNT; i++)
			memory[i] = rank + i;
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Win_lock_all(0, win);
		MPI_Get(got, COUNT, MPI_LONG, 1, 0, COUNT, MPI_LONG, win);
	}
	if (waits && rank == 0) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	if (argc > 3 && strcmp(argv[3], "crash") == 0 && rank == 1)
		raise(SIGKILL);
	/* The child ends as any program does, and has nothing to do with MPI. */
	if (argc > 3 && strcmp(argv[3], "fork") == 0) {
		pid_t child = fork();

		if (!child)
			exit(0);
		waitpid(child, NULL, 0);
	}
	for (long i = 0; i < rounds; i++) {
		long value = i;

		if (rank == 0)
			MPI_Send(&value, 1, MPI_LONG, 1, (int)(i % tags), MPI_COMM_WORLD);
		else if (rank == 1)
			MPI_Recv(&value, 1, MPI_LONG, i % 2 ? 0 : MPI_ANY_SOURCE, (int)(i % tags),
			         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sum += value;
	}
	if (argc > 3 && strcmp(argv[3], "last") == 0 && rank == 1)
		raise(SIGKILL);
	if (waits) {
		MPI_Win_unlock_all(win);
		for (int i = 0; i < COUNT; i++)
			sum += got[i] != i + 1;
		MPI_Win_free(&win);
	}
	free(got);
	MPI_Reduce(rank ? &sum : MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("sum %ld\n", sum);
	MPI_Finalize();
	return 0;
}
