/* tarry-test: ranks=2
 *
 * The program's signal handlers stay its own: it takes SIGUSR1 and SIGPROF, before and after MPI_Init. */
#include "checksum.h"

#include <mpi.h>
#include <signal.h>

static volatile sig_atomic_t seen[2];

static void handle(int signal)
{
	seen[signal == SIGUSR1 ? 0 : 1]++;
}

int main(int argc, char **argv)
{
	int rank, counts[2];

	signal(SIGUSR1, handle);
	MPI_Init(&argc, &argv);
	/* @* */
	signal(SIGPROF, handle);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 10; i++) {
		raise(SIGUSR1);
		raise(SIGPROF);
		MPI_Barrier(MPI_COMM_WORLD);
		/* @* x10 comm=$world */
	}
	counts[0] = seen[0];
	counts[1] = seen[1];
	checksum_add(counts, sizeof(counts));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return counts[0] == 10 && counts[1] == 10 ? 0 : 9;
}
