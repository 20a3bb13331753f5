/* pair: check=request.not-cancellable ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	MPI_Ibarrier(MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	MPI_Cancel(&request); /* FOUND */
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return finish();
}
