/* pair: check=call.error-returned ranks=2 at=0,1 output
 *
 * Errors of files are returned unless the program asks for something else, and easily overlooked. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_File file = MPI_FILE_NULL;
	int mode = MPI_MODE_RDONLY;

	start(&argc, &argv);
#ifndef WRONG
	mode = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;
#endif
	if (MPI_File_open(MPI_COMM_WORLD, "missing", mode, MPI_INFO_NULL, &file) == MPI_SUCCESS) /* FOUND */
		MPI_File_close(&file);
	return finish();
}
