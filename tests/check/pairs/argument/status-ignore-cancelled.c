/* pair: check=argument.status-ignore ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, cancelled = 0;
	MPI_Request request;
	MPI_Status status;

	start(&argc, &argv);
	return_errors();
	MPI_Irecv(&value, 1, MPI_INT, !rank, 99, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
#ifdef WRONG
	MPI_Test_cancelled(MPI_STATUS_IGNORE, &cancelled); /* FOUND */
#else
	MPI_Test_cancelled(&status, &cancelled);
	expect(cancelled);
#endif
	return finish();
}
