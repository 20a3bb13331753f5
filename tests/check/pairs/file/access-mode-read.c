/* pair: check=file.access-mode ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 9;
	MPI_Offset place;
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, rank ? "one" : "zero",
	              MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_APPEND, /* MAY */
	              MPI_INFO_NULL, &file);
	MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_get_position(file, &place);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
#ifdef WRONG
	if (rank == 1)
		MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_File_close(&file);
	return finish();
}
