/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
	              MPI_INFO_NULL, &file);
#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_File_set_size(file, 8); /* FOUND */
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_File_close(&file);
	expect(rank == 0 || theirs == 0);
	return finish();
}
