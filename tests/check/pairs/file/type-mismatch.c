/* pair: check=file.type-mismatch ranks=2 at=0,1
 *
 * A view of bytes takes everything; another takes whole elements of its type, in whatever layout of memory. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double values[4] = {1, 2, 3, 4};
	int number = 3;
	MPI_Datatype every, pair;
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
	              &file); /* PARTNER */
	MPI_File_write_at(file, rank * 4, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &every);
	MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
	MPI_Type_commit(&every);
	MPI_Type_commit(&pair);
	MPI_File_set_view(file, rank * 8, MPI_DOUBLE, every, "native", MPI_INFO_NULL); /* MAY */
	MPI_File_write_all(file, values, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_write_all(file, values, 1, pair, MPI_STATUS_IGNORE);
	MPI_File_write_at(file, 0, values, 1, every, MPI_STATUS_IGNORE);
#ifdef WRONG
	MPI_File_write_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	MPI_File_write_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Type_free(&every);
	MPI_Type_free(&pair);
	MPI_File_close(&file);
	return finish();
}
