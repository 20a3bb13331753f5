/* The file is opened at the start, when no process is late. The ranks share the work of the bad program.
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
	MPI_File_open(MPI_COMM_WORLD, "example.dat", mode, MPI_INFO_NULL, &file);
	usleep(WORK_US / 3);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
