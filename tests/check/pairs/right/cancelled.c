/* pair: check=none ranks=2
 *
 * A receive for the last message is always posted, and cancelled at the end. MPI_Request_free completes cancelled requests as well, whether or not
 * their message had come. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, cancelled, count = 0, there;
	MPI_Request request;
	MPI_Status status;

	start(&argc, &argv);
	for (int i = 0; i < 5; i++) {
		MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
		if (i < 4) {
			MPI_Send(&i, 1, MPI_INT, !rank, i, MPI_COMM_WORLD);
			for (there = 0; !there;)
				MPI_Test(&request, &there, &status);
			count += status.MPI_TAG == i;
		}
	}
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &cancelled);
	expect(cancelled && count == 4);
	MPI_Barrier(MPI_COMM_WORLD); /* no message may come for a receive of any tag that is still there */
	MPI_Irecv(&value, 1, MPI_INT, !rank, 5, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Request_free(&request);
	MPI_Irecv(&value, 1, MPI_INT, !rank, 6, MPI_COMM_WORLD, &request);
	MPI_Send(&rank, 1, MPI_INT, !rank, 6, MPI_COMM_WORLD);
	for (there = 0; !there;)
		MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
	MPI_Cancel(&request);
	MPI_Request_free(&request);
	expect(value == !rank);
	return finish();
}
