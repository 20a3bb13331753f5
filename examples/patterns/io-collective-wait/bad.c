/* All processes open a file together, and one arrives late.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	MPI_File file;
	int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(WORK_US);
	MPI_File_open(MPI_COMM_WORLD, "example.dat", mode, MPI_INFO_NULL, &file);
	/* @mpi.io-collective-wait rank=1,2 total=0.4 partner=0 */
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
