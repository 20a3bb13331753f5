/* The program of options.py: a few calls of each kind, and OpenMP regions between them. Each rank writes the settings in its environment to the file env-RANK.
 *
 *	options            exits with 0
 *	options fail       exits with 3
 *	options buffer     the last rank changes a buffer that is in use
 *	options early      the last rank reads a buffer before the message has arrived
 *	options hang       the last rank sleeps, and the others wait for it */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Some pages are in the middle of a buffer of VALUES. */
enum { ROUNDS = 20, RANKS_MAX = 64, FAILED = 3, LONG_S = 1000, VALUES = 1 << 15 };

extern char **environ;

static void write_environment(int rank)
{
	char name[32];
	FILE *file;

	snprintf(name, sizeof name, "env-%d", rank);
	file = fopen(name, "w");
	for (char **variable = environ; file && *variable; variable++)
		if (strncmp(*variable, "TARRY_", 6) == 0 || strncmp(*variable, "LD_PRELOAD=", 11) == 0)
			fprintf(file, "%s\n", *variable);
	if (file)
		fclose(file);
}

static int communicate(int rank, int size)
{
	int sum = 0, received[RANKS_MAX];

	for (int i = 0; i < ROUNDS; i++) {
		int value = rank + i, twice = 0;

		MPI_Allgather(&value, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
		MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		MPI_Bcast(&value, 1, MPI_INT, i % size, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel num_threads(2) reduction(+ : twice)
		twice += i;
		sum += value + received[size - 1] + (getpagesize() > 0) + twice;
	}
	return sum;
}

/* To the next rank. The last one changes the buffer meanwhile, or uses data that has not arrived. */
static void pass_on(int rank, int size, const char *what)
{
	volatile int *sent = calloc(VALUES, sizeof *sent), *received = calloc(VALUES, sizeof *received);
	int is_last = rank == size - 1;
	MPI_Request requests[2];

	MPI_Irecv((int *)received, VALUES, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
	          &requests[0]);
	MPI_Isend((int *)sent, VALUES, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
	if (is_last && strcmp(what, "buffer") == 0)
		sent[VALUES / 2] = -1;
	if (is_last && strcmp(what, "early") == 0)
		(void)received[VALUES / 2];
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	free((int *)sent);
	free((int *)received);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int rank, size, provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	write_environment(rank);
	printf("rank %d of %d: %d\n", rank, size, communicate(rank, size));
	fflush(stdout);
	pass_on(rank, size, what);
	/* A signal ends a sleep, and the checker examines processes by signals. */
	for (unsigned left = strcmp(what, "hang") == 0 && rank == size - 1 ? LONG_S : 0; left;)
		left = sleep(left);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return strcmp(what, "fail") == 0 ? FAILED : 0;
}
