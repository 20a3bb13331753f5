/* pair: check=none ranks=3
 *
 * Views, shared pointers, split and non-blocking accesses of one file. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4], back[4] = {0};
	MPI_Datatype part;
	MPI_File file;
	MPI_Request request;
	MPI_Offset bytes;

	start(&argc, &argv);
	for (int i = 0; i < 4; i++)
		values[i] = 10 * rank + i;
	MPI_Type_create_subarray(2, (int[]){4, 3}, (int[]){4, 1}, (int[]){0, rank}, MPI_ORDER_C, MPI_INT,
	                         &part);
	MPI_Type_commit(&part);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_set_size(file, 0);
	MPI_File_set_view(file, 0, MPI_INT, part, "native", MPI_INFO_NULL);
	MPI_Type_free(&part);
	MPI_File_write_all(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_sync(file);
	MPI_File_get_size(file, &bytes);
	expect(bytes == 48);
	MPI_File_iread_at(file, 0, back, 4, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(back[3] == 10 * rank + 3);
	MPI_File_set_view(file, 48, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_write_ordered_begin(file, values, 0, MPI_INT);
	MPI_File_write_ordered_end(file, values, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_File_close(&file);
	return finish();
}
