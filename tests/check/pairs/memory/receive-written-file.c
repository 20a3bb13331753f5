/* pair: check=memory.receive-written ranks=2 at=0,1 always=--buffers=all
 *
 * Memory after the data in the buffer is unchanged. */
#include "../pair.h"

enum { COUNT = 3000 };

static int data[COUNT];

int main(int argc, char **argv)
{
	MPI_Request request;
	MPI_Status status;
	MPI_File file;
	int got;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_SELF, rank ? "receive-written-1.data" : "receive-written-0.data",
	              MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
	for (int i = 0; i < COUNT; i++)
		data[i] = i;
	MPI_File_write_at(file, 0, data, COUNT, MPI_INT, MPI_STATUS_IGNORE);
	memset(data, -1, sizeof data);
	MPI_File_iread_at(file, 1000 * sizeof(int), data, 2000, MPI_INT, &request); /* PARTNER */
#ifdef WRONG
	data[17] = 5;
#endif
	MPI_Wait(&request, &status); /* FOUND */
	MPI_Get_count(&status, MPI_INT, &got);
	expect(got == 2000 && data[0] == 1000 && data[1999] == 2999 && data[2000] == -1);
	MPI_File_close(&file);
	return finish();
}
