/* pair: check=file.type-mismatch ranks=2 at=0,1
 *
 * Three numbers of four bytes are not a whole number of elements of eight bytes. */
#include "../pair.h"

int main(int argc, char **argv)
{
	float values[4] = {0};
	double number = 5;
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
	              &file); /* PARTNER */
	MPI_File_write_at_all(file, rank * 16, values, 4, MPI_FLOAT, MPI_STATUS_IGNORE);
	MPI_File_set_view(file, rank * 16, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL); /* MAY */
#ifdef WRONG
	MPI_File_read(file, values, 3, MPI_FLOAT, MPI_STATUS_IGNORE); /* FOUND */
#else
	MPI_File_read(file, &number, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
	expect(number == 0);
#endif
	(void)number;
	MPI_File_close(&file);
	return finish();
}
