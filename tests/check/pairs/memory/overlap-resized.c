/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Elements of a resized type interleave: three columns side by side. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int matrix[30][8];
	static int sent[90];
	MPI_Datatype column, resized;
	MPI_Request requests[3];

	start(&argc, &argv);
	MPI_Type_vector(30, 1, 8, MPI_INT, &column);
	MPI_Type_create_resized(column, 0, sizeof(int), &resized);
	MPI_Type_commit(&resized);
	MPI_Irecv(&matrix[0][0], 3, resized, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifdef WRONG
	MPI_Irecv(&matrix[0][2], 2, resized, !rank, 1, MPI_COMM_WORLD, &requests[1]); /* FOUND */
#else
	MPI_Irecv(&matrix[0][3], 2, resized, !rank, 1, MPI_COMM_WORLD, &requests[1]);
#endif
	MPI_Isend(sent, 90, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Send(sent, 60, MPI_INT, !rank, 1, MPI_COMM_WORLD);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	MPI_Type_free(&column);
	MPI_Type_free(&resized);
	return finish();
}
