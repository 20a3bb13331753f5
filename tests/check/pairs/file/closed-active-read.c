/* pair: check=file.closed-active ranks=2 at=1 dies
 *
 * The reads of one process are waited for, those of the other are not. */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	static int values[2];
	MPI_File file;
	MPI_Request requests[2];
	int count = 2;

	start(&argc, &argv);
	MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
	for (int i = 0; i < 2; i++)
		MPI_File_iread_at(file, rank * 4, &values[i], 1, MPI_INT, &requests[i]); /* MAY */
#ifdef WRONG
	count = rank ? 1 : 2;
#endif
	MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
#ifdef WRONG
	sleep(1); /* the data are read until then */
#endif
	MPI_File_close(&file); /* FOUND */
	MPI_Waitall(2 - count, &requests[count], MPI_STATUSES_IGNORE);
	expect(values[0] == rank && values[1] == rank);
	return finish();
}
