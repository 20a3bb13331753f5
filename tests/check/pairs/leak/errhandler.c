/* pair: check=leak.errhandler ranks=2 at=0,1
 *
 * A handler may be freed as soon as it is set; asking for it gives a handle that is freed as well. */
#include "../pair.h"

static void ignore(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler, set;

	start(&argc, &argv);
	MPI_Comm_create_errhandler(ignore, &handler); /* FOUND */
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
#ifndef WRONG
	MPI_Errhandler_free(&handler);
#endif
	MPI_Comm_get_errhandler(MPI_COMM_SELF, &set);
	MPI_Errhandler_free(&set);
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &set);
	expect(set == MPI_ERRORS_ARE_FATAL);
	return finish();
}
