/* What rank 0 has is spread by all that have it already.
 *
 * tarry-example: ranks=4 */
#include <mpi.h>

enum { ROUNDS = 400, LENGTH = 448 };

int main(int argc, char **argv)
{
	double data[LENGTH] = {0};

	MPI_Init(&argc, &argv);
	for (int round = 0; round < ROUNDS; round++)
		MPI_Bcast(data, LENGTH, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
