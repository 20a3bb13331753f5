/* pair: check=argument.predefined-freed ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_SELF;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
#ifdef WRONG
	if (rank == 0)
		MPI_Comm_free(&comm); /* FOUND */
#else
	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	MPI_Comm_free(&comm);
	expect(comm == MPI_COMM_NULL);
#endif
	return finish();
}
