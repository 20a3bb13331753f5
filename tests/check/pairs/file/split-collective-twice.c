/* pair: check=file.split-collective ranks=2 at=0,1 dies
 *
 * Each file has its own; other accesses may happen in between. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0, other = 0;
	MPI_File file, second;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
	              &file); /* PARTNER */
	MPI_File_open(MPI_COMM_WORLD, "more", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &second);
	MPI_File_write_at_all_begin(file, rank * 4, &rank, 1, MPI_INT); /* MAY */
	MPI_File_write_at_all_begin(second, rank * 4, &size, 1, MPI_INT);
	MPI_File_write_at_all_end(second, &size, MPI_STATUS_IGNORE);
#ifdef WRONG
	MPI_File_write_all_begin(file, &value, 1, MPI_INT); /* FOUND */
#endif
	MPI_File_write_at_all_end(file, &rank, MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(second, rank * 4, &value, 1, MPI_INT);
	MPI_File_read_at_all_end(second, &value, MPI_STATUS_IGNORE);
	expect(value == 2);
	(void)other;
	MPI_File_close(&second);
	MPI_File_close(&file);
	return finish();
}
