/* Processes in a line exchange data with their neighbours; the process at one end arrives late.
 * Only its neighbour waits for it: the others continue.
 *
 * tarry-example: ranks=3 whatif=balanced */
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
	if (rank == 0)
		usleep(WORK_US);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT,
	                       comm); /* @mpi.neighbour-wait rank=1 total=0.2 partner=0 */
	if (rank == 2)
		usleep(WORK_US);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
