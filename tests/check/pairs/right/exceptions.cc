/* pair: check=argument.root-outside ranks=2 at=0,1 output
 *
 * An error handler throws, through MPI and the checker: the program catches it where it called. */
#include <mpi.h>

#include <cstdio>
#include <stdexcept>

static void raise_error(MPI_Comm *, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	MPI_Error_string(*code, text, &length);
	throw std::runtime_error(text);
}

int main(int argc, char **argv)
{
	int rank, caught = 0;
	MPI_Errhandler handler;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_create_errhandler(raise_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Errhandler_free(&handler);
	try {
#ifdef WRONG
		MPI_Bcast(&rank, 1, MPI_INT, 77, MPI_COMM_WORLD); /* FOUND */
#else
		throw std::runtime_error("the program's own");
#endif
	} catch (const std::exception &) {
		caught++;
	}
	try {
		MPI_Barrier(MPI_COMM_WORLD);
	} catch (const std::exception &) {
		caught++;
	}
	MPI_Finalize();
	if (rank == 0 && caught == 1)
		std::puts("ok");
	return 0;
}
