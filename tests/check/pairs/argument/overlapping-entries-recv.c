/* pair: check=argument.overlapping-entries ranks=2 at=1
 *
 * Data may be sent with such a type, from the root of a broadcast too. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[8] = {0, 1, 2, 3, 4, 5};
	MPI_Datatype type, column, columns;

	start(&argc, &argv);
	MPI_Type_vector(2, 3, 2, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Type_vector(2, 1, 2, MPI_INT, &column);
	MPI_Type_create_resized(column, 0, sizeof(int), &columns); /* elements interleave */
	MPI_Type_commit(&columns);
	if (rank == 0) {
		MPI_Send(values, 1, type, 1, 0, MPI_COMM_WORLD);
		MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD);
	} else {
#ifdef WRONG
		MPI_Recv(values, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Recv(values, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(values[3] == 2);
#endif
		MPI_Bcast(values, 6, MPI_INT, 0, MPI_COMM_WORLD);
	}
	MPI_Sendrecv(values, 4, MPI_INT, !rank, 1, values + 4, 2, columns, !rank, 1, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
	MPI_Type_free(&column);
	MPI_Type_free(&columns);
	return finish();
}
