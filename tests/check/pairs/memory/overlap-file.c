/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * A file is read into memory that is still being sent. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[16] = {0}, other[16];
	MPI_Request requests[2];
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "overlap-file.data",
	              MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, rank * sizeof data, data, 16, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Isend(data, 16, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Recv(other, 16, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#endif
	MPI_File_iread_at(file, rank * sizeof data, data, 16, MPI_INT, &requests[1]); /* FOUND */
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_File_close(&file);
	return finish();
}
