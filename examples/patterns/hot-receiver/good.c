/* Each rank adds up its own pieces; one reduction distributes the result by a tree. All ranks work as long as rank 0.
 *
 * tarry-example: ranks=4 args=10 slow=MPI_Recv */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 8, PIECES = 1000, LENGTH = 448, WORK_US = 5000 };

int main(int argc, char **argv)
{
	double piece[LENGTH] = {1}, own = 0, sum = 0;
	int pieces = argc > 1 ? atoi(argv[1]) : PIECES;

	MPI_Init(&argc, &argv);
	usleep(ROUNDS * WORK_US);
	for (int i = 0; i < ROUNDS * pieces; i++)
		own += piece[0];
	MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
