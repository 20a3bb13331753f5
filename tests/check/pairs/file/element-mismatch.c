/* pair: check=file.element-mismatch ranks=2 at=0,1
 *
 * Sizes match, kinds of numbers do not. In a view of structures, the data has the same sequence. */
#include "../pair.h"

int main(int argc, char **argv)
{
	struct {
		int number, other;
		double value;
	} records[2] = {{1, 2, 3}, {4, 5, 6}};
	const MPI_Aint places[] = {0, 8};
	const int lengths[] = {2, 1};
	MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, record;
	float wrong[2] = {1, 2};
	MPI_File file;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
	              &file); /* PARTNER */
	MPI_Type_create_struct(2, lengths, places, types, &record);
	MPI_Type_commit(&record);
	MPI_File_set_view(file, 0, record, record, "native", MPI_INFO_NULL); /* MAY */
	MPI_File_write_at(file, 2 * rank, records, 2, record, MPI_STATUS_IGNORE);
	MPI_Type_free(&record);
	MPI_File_set_view(file, 1000, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_write_at(file, 2 * rank, &records[0].number, 2, MPI_INT, MPI_STATUS_IGNORE);
#ifdef WRONG
	MPI_File_write_at(file, 2 * rank, wrong, 2, MPI_FLOAT, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_File_close(&file);
	expect(wrong[0] == 1);
	return finish();
}
