/* A program with a limit of file sizes: the first argument says when it is set, the second how many bytes it is. It makes this many different
 * calls that their events do not fit. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { CALLS = 60000, SHORT_COUNTS = 97, CODE = 7 };

static void limit(long bytes)
{
	struct rlimit rlimit = {(rlim_t)bytes, (rlim_t)bytes};

	setrlimit(RLIMIT_FSIZE, &rlimit);
}

int main(int argc, char **argv)
{
	const char *when = argc > 1 ? argv[1] : "never";
	const long bytes = argc > 2 ? atol(argv[2]) : 0;
	static char out[SHORT_COUNTS], in[SHORT_COUNTS];
	long sum = 0;
	int rank, size;

	if (strcmp(when, "before") == 0)
		limit(bytes);
	MPI_Init(&argc, &argv);
	if (strcmp(when, "after") == 0)
		limit(bytes);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < CALLS; i++) {
		const int count = i % SHORT_COUNTS;

		out[0] = (char)i;
		MPI_Sendrecv(out, count, MPI_CHAR, rank, i % 7919, in, count, MPI_CHAR, rank, i % 7919,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (i % 1000 == 0)
			MPI_Allreduce(&count, &(int){0}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		sum += count ? in[0] : 0;
	}
	printf("rank %d of %d: %ld\n", rank, size, sum);
	fflush(stdout);
	MPI_Finalize();
	return CODE;
}
