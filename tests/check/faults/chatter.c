/* Two ranks exchange ROUNDS messages and say what came of it. Tags change, so that calls are distinct; the number of rounds and of tags are arguments.
 * With "wait" rank 0 reads a line before it goes on, with "fork" each rank has a child, with "crash" rank 1
 * is killed at once, with "last" after its last receive. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long rounds = strtol(argv[1], NULL, 10), tags = strtol(argv[2], NULL, 10), sum = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 3 && strcmp(argv[3], "wait") == 0 && rank == 0) {
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

		if (rank == 0) {
			MPI_Send(&value, 1, MPI_LONG, 1, (int)(i % tags), MPI_COMM_WORLD);
		} else if (rank == 1) {
			MPI_Recv(&value, 1, MPI_LONG, i % 2 ? 0 : MPI_ANY_SOURCE, (int)(i % tags),
			         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		sum += value;
	}
	if (argc > 3 && strcmp(argv[3], "last") == 0 && rank == 1)
		raise(SIGKILL);
	MPI_Reduce(rank ? &sum : MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("sum %ld\n", sum);
	MPI_Finalize();
	return 0;
}
