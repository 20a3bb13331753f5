/* The work before and after the exchange is shared.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int line = 0, value, values[2];
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &value);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &value, &line, 0, &comm);
	usleep(WORK_US / 3);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, comm);
	usleep(WORK_US / 3);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
