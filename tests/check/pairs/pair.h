/* Start and end of the C programs here: `finish` prints "ok" if everything that was expected was so on this rank and it is rank 0.
 * The checker must not change that line. */
#ifndef TARRY_TESTS_CHECK_PAIR_H
#define TARRY_TESTS_CHECK_PAIR_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, unexpected;

#define expect(condition) expect_at(condition, #condition, __LINE__)

static inline void expect_at(int condition, const char *text, int line)
{
	if (condition)
		return;
	printf("rank %d: line %d: not so: %s\n", rank, line, text);
	fflush(stdout);
	unexpected = 1;
}

static inline void start(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int start_threads(int *argc, char ***argv, int level)
{
	int provided;

	MPI_Init_thread(argc, argv, level, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	expect(provided >= level);
	return provided;
}

/* So that a call that MPI rejects does not end the job. */
static inline void return_errors(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

static inline int finish(void)
{
	MPI_Finalize();
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}

#endif
