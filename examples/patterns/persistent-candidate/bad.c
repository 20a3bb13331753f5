/* A periodic domain that is one process wide: the process is its own neighbour. Each step sets up the same transfer again.
 *
 * tarry-example: ranks=1 args=200 slow=MPI_Isend */
#include <mpi.h>
#include <stdlib.h>

enum { STEPS = 700000 };

int main(int argc, char **argv)
{
	double edge = 1, beyond = 0;
	int steps = argc > 1 ? atoi(argv[1]) : STEPS;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < steps; i++) {
		MPI_Request sending;

		MPI_Isend(&edge, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD,
		          &sending); /* @mpi.persistent-candidate rank=0 */
		MPI_Recv(&beyond, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Wait(&sending, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
