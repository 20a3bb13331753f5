/* Two neighbours exchange a number in each step and then call a barrier. The messages have named partners: the barrier
 * enforces no order that they do not have already.
 *
 * tarry-example: ranks=2 args=100 slow=MPI_Barrier */
#include <mpi.h>
#include <stdlib.h>

enum { STEPS = 30000 };

int main(int argc, char **argv)
{
	double own = 1, other = 0;
	int rank;
	int steps = argc > 1 ? atoi(argv[1]) : STEPS;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < steps; i++) {
		MPI_Sendrecv(&own, 1, MPI_DOUBLE, 1 - rank, 0, &other, 1, MPI_DOUBLE, 1 - rank, 0,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD); /* @mpi.redundant-barrier rank=0,1 */
	}
	MPI_Finalize();
	return 0;
}
