/* A typical naive benchmark, to compare with and to show its errors: a barrier before each call, the mean of all calls,
 * one buffer.
 *
 *	naive bcast|allreduce|barrier BYTES RUNS WARM-UP
 *
 * Prints one line of JSON; times are in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *operation;
static int bytes, rank, ranks;
static char *buffer, *result;

static void call(int root)
{
	if (strcmp(operation, "bcast") == 0)
		MPI_Bcast(buffer, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
	else if (strcmp(operation, "allreduce") == 0)
		MPI_Allreduce(buffer, result, bytes / (int)sizeof(int), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	else
		MPI_Barrier(MPI_COMM_WORLD);
}

static double time_one(int root)
{
	double begin;

	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	call(root);
	return MPI_Wtime() - begin;
}

/* Of this process. */
static double barrier_loop(int runs, int turn_root)
{
	double sum = 0;

	for (int i = 0; i < runs; i++)
		sum += time_one(turn_root ? i % ranks : 0);
	return sum / runs;
}

static double pure_loop(int runs)
{
	double begin;

	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	for (int i = 0; i < runs; i++)
		call(0);
	return (MPI_Wtime() - begin) / runs;
}

/* Maximum over all processes. */
static double longest(double seconds)
{
	double most;

	MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return most;
}

static double average(double seconds)
{
	double sum;

	MPI_Allreduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return sum / ranks;
}

int main(int argc, char **argv)
{
	double first, second, own, turning, loop, most, mean;
	int runs;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc != 5) {
		fprintf(stderr, "usage: naive bcast|allreduce|barrier BYTES RUNS WARM-UP\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	operation = argv[1];
	bytes = atoi(argv[2]);
	runs = atoi(argv[3]);
	buffer = calloc(1, (size_t)bytes + sizeof(int));
	result = calloc(1, (size_t)bytes + sizeof(int));
	first = longest(time_one(0));
	second = longest(time_one(0));
	barrier_loop(atoi(argv[4]), 0);
	own = barrier_loop(runs, 0);
	most = longest(own);
	mean = average(own);
	turning = longest(barrier_loop(runs, 1));
	loop = longest(pure_loop(runs));
	if (rank == 0)
		printf("{\"first\": %.9f, \"second\": %.9f, \"barrier\": %.12f, \"average\": %.12f, "
		       "\"process0\": %.9f, \"turning\": %.9f, "
		       "\"loop\": %.9f}\n",
		       first, second, most, mean, own, turning, loop);
	free(buffer);
	free(result);
	MPI_Finalize();
	return 0;
}
