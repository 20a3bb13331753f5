/* pair: check=none ranks=2
 *
 * Types of large extents with little data, and many small messages on the way at the same time. */
#include "../pair.h"

enum { MESSAGES = 500 };

int main(int argc, char **argv)
{
	static int values[MESSAGES], got[MESSAGES];
	static MPI_Request requests[2 * MESSAGES];
	MPI_Datatype wide, wider;
	MPI_Count elements;
	MPI_Status status;

	start(&argc, &argv);
	MPI_Type_create_hvector(2, 1, (MPI_Aint)1 << 33, MPI_INT, &wide);
	MPI_Type_create_resized(wide, 0, (MPI_Aint)1 << 40, &wider);
	MPI_Type_commit(&wider);
	MPI_Sendrecv(values, 0, wider, !rank, 0, got, 0, wider, !rank, 0, MPI_COMM_WORLD, &status);
	MPI_Get_elements_x(&status, wider, &elements);
	expect(elements == 0);
	for (int i = 0; i < MESSAGES; i++) {
		values[i] = i;
		MPI_Irecv(&got[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : !rank, i, MPI_COMM_WORLD,
		          &requests[i]);
	}
	for (int i = MESSAGES - 1; i >= 0; i--)
		MPI_Isend(&values[i], 1, MPI_INT, !rank, i, MPI_COMM_WORLD, &requests[MESSAGES + i]);
	MPI_Waitall(2 * MESSAGES, requests, MPI_STATUSES_IGNORE);
	expect(got[MESSAGES - 1] == MESSAGES - 1 && got[7] == 7);
	MPI_Type_free(&wider);
	MPI_Type_free(&wide);
	return finish();
}
