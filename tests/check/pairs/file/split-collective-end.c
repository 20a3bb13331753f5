/* pair: check=file.split-collective ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3;
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
	              &file); /* PARTNER */
	MPI_File_write_ordered_begin(file, &value, 1, MPI_INT);
	MPI_File_write_ordered_end(file, &value, MPI_STATUS_IGNORE);
#ifdef WRONG
	MPI_File_write_all_end(file, &value, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_File_close(&file);
	return finish();
}
