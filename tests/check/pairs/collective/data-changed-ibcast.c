/* pair: check=collective.data-changed ranks=2 at=0,1 always=--buffers=all flags=-ldl
 *
 * A faulty layer below MPI_Wait changes a row that a broadcast sent as a column. */
#define _GNU_SOURCE
#include "../pair.h"

#include <dlfcn.h>

enum { ROWS = 5, COLUMNS = 3 };

static double *received_into;

int PMPI_Ibcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
	__typeof__(&PMPI_Ibcast) next = dlsym(RTLD_NEXT, "PMPI_Ibcast");

	if (rank != root)
		received_into = buf;
	return next(buf, count, type, root, comm, request);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
	__typeof__(&PMPI_Wait) next = dlsym(RTLD_NEXT, "PMPI_Wait");
	const int rc = next(request, status);

#ifdef WRONG
	if (received_into)
		((unsigned char *)&received_into[ROWS - 1])[3] ^= 1;
#endif
	return rc;
}

int main(int argc, char **argv)
{
	double matrix[ROWS][COLUMNS] = {{0}}, row[ROWS] = {0};
	MPI_Datatype column;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < ROWS; i++)
		matrix[i][2] = i;
	if (rank == 0)
		MPI_Ibcast(&matrix[0][2], 1, column, 0, MPI_COMM_WORLD, &request); /* FOUND */
	else
		MPI_Ibcast(row, ROWS, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request); /* PARTNER */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
	expect(rank == 0 || row[4] == 4);
#endif
	MPI_Type_free(&column);
	return finish();
}
