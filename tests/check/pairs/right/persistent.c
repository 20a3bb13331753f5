/* pair: check=none ranks=2
 *
 * Prepared requests that are started in other orders, some rounds without some of them, mixed with others. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int in[2] = {0}, out[2], extra, flag;
	MPI_Request requests[4], single;

	start(&argc, &argv);
	MPI_Recv_init(&in[0], 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Send_init(&out[0], 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Ssend_init(&out[1], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[3]);
	for (int round = 0; round < 6; round++) {
		out[0] = out[1] = round;
		MPI_Startall(round % 2 ? 4 : 1, requests);
		if (round % 2 == 0)
			MPI_Start(&requests[2]);
		MPI_Irecv(&extra, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &single);
		MPI_Send(&round, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD);
		MPI_Wait(&single, MPI_STATUS_IGNORE);
		MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
		expect(in[0] == round && extra == round && (round % 2 == 0 || in[1] == round));
	}
	for (int i = 0; i < 4; i++)
		MPI_Request_free(&requests[i]);
	return finish();
}
