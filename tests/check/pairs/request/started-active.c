/* pair: check=request.started-active ranks=2 at=0 dies
 *
 * A persistent request is started again after it completed, however that was learnt. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0, done, index, outcount;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Recv_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
	else
		MPI_Send_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	for (int i = 0; i < 4; i++) {
		MPI_Start(&request); /* MAY */
#ifdef WRONG
		if (rank == 0 && i == 3)
			MPI_Start(&request); /* FOUND */
#endif
		if (i == 0)
			MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
		else if (i == 1)
			MPI_Waitsome(1, &request, &outcount, &index, MPI_STATUSES_IGNORE);
		else
			for (done = 0; !done;)
				MPI_Testany(1, &request, &index, &done, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	return finish();
}
