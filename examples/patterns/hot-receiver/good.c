/* Each rank adds up its own pieces; one reduction distributes the result by a tree.
 *
 * tarry-example: ranks=4 args=10 slow=MPI_Recv */
#include <mpi.h>
#include <stdlib.h>

enum { ROUNDS = 8, PIECES = 1000, LENGTH = 448 };

int main(int argc, char **argv)
{
	double piece[LENGTH] = {1}, own = 0, sum = 0;
	int pieces = argc > 1 ? atoi(argv[1]) : PIECES;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < ROUNDS * pieces; i++)
		own += piece[0];
	MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
