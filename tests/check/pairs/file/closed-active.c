/* pair: check=file.closed-active ranks=2 at=0,1 dies */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	static int value = 3;
	MPI_File file, other;
	MPI_Request request, second;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_open(MPI_COMM_WORLD, "more", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &other);
	MPI_File_iwrite_at(file, rank * 4, &value, 1, MPI_INT, &request); /* MAY */
	MPI_File_iwrite_at(other, rank * 4, &value, 1, MPI_INT, &second);
#ifdef WRONG
	/* By then the data has been written: otherwise MPICH may wait forever for a closed file. */
	sleep(1);
	MPI_File_close(&file); /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* Another file's is still under way. */
	MPI_File_close(&file);
#endif
	MPI_Wait(&second, MPI_STATUS_IGNORE);
	MPI_File_close(&other);
	return finish();
}
