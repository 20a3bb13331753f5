/* pair: check=memory.receive-written ranks=3 at=0 always=--buffers=all
 *
 * Of several receives one is complete; the program uses the buffer of another. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[2][30] = {{0}}, index;
	MPI_Request requests[2];

	start(&argc, &argv);
	if (rank == 0) {
		for (int i = 0; i < 2; i++)
			MPI_Irecv(data[i], 30, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]); /* PARTNER */
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
		expect(index == 0 && data[0][29] == 1);
		data[0][29] = 0;
#ifdef WRONG
		data[1][0] = 9; /* SEEN */
#endif
		MPI_Send(NULL, 0, MPI_INT, 2, 1, MPI_COMM_WORLD);
		MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE); /* FOUND */
		expect(index == 1 && data[1][29] == 2 && data[1][0] == 2);
	} else {
		for (int i = 0; i < 30; i++)
			data[0][i] = rank;
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(data[0], 30, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
