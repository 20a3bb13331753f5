/* A member of a communicator that is killed between collectives: the job ends as it does by itself. */
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
	int rank, all[64];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 60; i++) {
		if (i == 40 && rank == 1)
			raise(SIGKILL);
		MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
