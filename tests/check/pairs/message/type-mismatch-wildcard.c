/* pair: check=message.type-mismatch ranks=3 at=0,2
 *
 * The source is known only when the receive is complete, and receives complete in any order. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double values[2] = {0};
	long numbers[2] = {0};
	int index;
	MPI_Request requests[2];
	MPI_Status status;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Irecv(&values[0], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
		          &requests[0]); /* FOUND */
		MPI_Irecv(&numbers[0], 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		          &requests[1]);
		MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Waitany(2, requests, &index, &status);
		MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
		MPI_Waitany(2, requests, &index, &status);
		expect(index == 0 && status.MPI_SOURCE == 2 && numbers[0] == 11);
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		numbers[0] = 10 + rank;
#ifdef WRONG
		if (rank == 2)
			MPI_Send(numbers, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD); /* FOUND */
#else
		if (rank == 2)
			MPI_Send(values, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
#endif
		if (rank == 1)
			MPI_Send(numbers, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD);
	}
	return finish();
}
