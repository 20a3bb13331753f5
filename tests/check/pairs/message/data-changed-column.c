/* pair: check=message.data-changed ranks=2 always=--buffers=all flags=-ldl
 *
 * A faulty layer below MPI_Wait changes a bit in the gaps of a column, where no data is, or in the column itself. The sender has the column as a row. */
#define _GNU_SOURCE
#include "../pair.h"

#include <dlfcn.h>

enum { ROWS = 6, COLUMNS = 4 };

static double *received_into;

int PMPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
	__typeof__(&PMPI_Irecv) next = dlsym(RTLD_NEXT, "PMPI_Irecv");

	received_into = buf;
	return next(buf, count, type, source, tag, comm, request);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
	__typeof__(&PMPI_Wait) next = dlsym(RTLD_NEXT, "PMPI_Wait");
	const int rc = next(request, status);

#ifdef WRONG
	((unsigned char *)&received_into[3 * COLUMNS])[2] ^= 1;
#else
	((unsigned char *)&received_into[3 * COLUMNS + 1])[2] ^= 1;
#endif
	return rc;
}

int main(int argc, char **argv)
{
	double matrix[ROWS][COLUMNS] = {{0}}, row[ROWS] = {1, 2, 3, 4, 5, 6};
	MPI_Datatype column;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	if (rank == 0) {
		MPI_Ssend(row, ROWS, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Irecv(&matrix[0][1], 1, column, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD,
		          &request); /* PARTNER */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
		expect(matrix[3][1] == 4);
#endif
	}
	MPI_Type_free(&column);
	return finish();
}
