/* clang-format off */
/* A shared library that calls MPI. Twice as a plugin, from two copies of this text, it comes to lie at the same
 * addresses, and only file names tell which of them a call is from. */
#include <mpi.h>

int library_exchange(MPI_Comm comm);

__attribute__((noinline)) static int inside(MPI_Comm comm)
{
	int value = 1;

	MPI_Bcast(&value, 1, MPI_INT, 0, comm); /* @ inside */
	return value;
}

int library_exchange(MPI_Comm comm)
{
	int rc = inside(comm);

	rc += MPI_Barrier(comm); /* @ library_exchange */
	return rc;
}
