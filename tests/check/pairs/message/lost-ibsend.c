/* pair: check=message.lost ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	static char room[1000 + MPI_BSEND_OVERHEAD];
	int value = 5, bytes;
	void *memory;
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Buffer_attach(room, sizeof(room));
	if (rank == 0) {
		MPI_Ibsend(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]); /* FOUND */
		MPI_Ibsend(&value, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_Buffer_detach(&memory, &bytes);
	return finish();
}
