/* pair: check=argument.incomplete-handle ranks=2 at=0,1
 *
 * The copy of a communicator is there when its request is complete. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Request request;
	MPI_Comm copy;
	int size;

	start(&argc, &argv);
	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request); /* MAY */
#ifdef WRONG
	MPI_Comm_size(copy, &size); /* FOUND */
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_size(copy, &size);
	expect(size == 2);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	return finish();
}
