/* pair: check=file.access-mode ranks=2 notes at=0,1
 *
 * A new file can only be created to be written. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_File file = MPI_FILE_NULL;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data",
	              MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
	              MPI_INFO_NULL, &file);
	MPI_File_close(&file);
	/* Files return errors by default, and a missing file is not an error in the use of MPI. */
	expect(MPI_File_open(MPI_COMM_WORLD, "absent", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS);
#ifdef WRONG
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDONLY, MPI_INFO_NULL,
	              &file); /* FOUND */
#endif
	return finish();
}
