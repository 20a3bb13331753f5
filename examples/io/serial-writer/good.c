/* Each rank writes its own part of the file. */
#include <mpi.h>
#include <stdlib.h>

enum { BLOCK = 1 << 20, BLOCKS = 16 };

int main(int argc, char **argv)
{
	int rank;
	char *own;
	MPI_File file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	own = calloc(BLOCKS, BLOCK);
	MPI_File_open(MPI_COMM_WORLD, "results.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, (MPI_Offset)rank * BLOCKS * BLOCK, own, BLOCKS * BLOCK, MPI_CHAR,
	                      MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
