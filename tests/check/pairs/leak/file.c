/* pair: check=leak.file ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_File file, other;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, rank ? "one" : "zero",
	              MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &other);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
	              &file); /* FOUND */
	MPI_File_write_at_all(file, rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&other);
#ifndef WRONG
	MPI_File_close(&file);
#endif
	return finish();
}
