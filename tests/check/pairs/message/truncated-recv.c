/* pair: check=message.truncated ranks=2 at=0,1
 *
 * More room than is needed is right; less is not, whatever the types. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[10] = {0}, count;
	MPI_Status status;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		MPI_Send(values, 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Send(values, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Send(values, 10, MPI_INT, 1, 2, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_INT, &count);
		expect(count == 5);
		MPI_Recv(values, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE);
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef WRONG
		MPI_Recv(values, 9, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Recv(values, 10, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	}
	return finish();
}
