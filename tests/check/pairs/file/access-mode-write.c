/* pair: check=file.access-mode ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = -1;
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file); /* MAY */
	MPI_File_read_at_all(file, rank * 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	expect(value == rank);
#ifdef WRONG
	MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_File_close(&file);
	return finish();
}
