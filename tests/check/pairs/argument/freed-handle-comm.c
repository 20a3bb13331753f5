/* pair: check=argument.freed-handle ranks=2 at=0,1 dies
 *
 * A copy of a handle does not keep the communicator. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int other;
	MPI_Comm comm, copy;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* PARTNER */
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	copy = comm;
	MPI_Comm_rank(copy, &other);
	expect(other == rank);
#ifdef WRONG
	MPI_Comm_free(&comm); /* PARTNER */
	MPI_Barrier(copy);    /* FOUND */
#else
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	/* Often the same handle again: it is another communicator. */
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
#endif
	return finish();
}
