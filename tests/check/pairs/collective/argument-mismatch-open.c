/* pair: check=collective.argument-mismatch ranks=2 at=0,1 dies
 *
 * All give the same mode. They may write the path of the file in different ways. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
	MPI_File file = MPI_FILE_NULL;

	start(&argc, &argv);
#ifdef WRONG
	if (rank)
		mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
#endif
	MPI_File_open(MPI_COMM_WORLD, rank ? "./data" : "data", mode, MPI_INFO_NULL, &file); /* FOUND */
	if (file != MPI_FILE_NULL)
		MPI_File_close(&file);
	return finish();
}
