/* pair: check=message.similar-type ranks=2 at=0,1
 *
 * Some types have two names: those are the same type. */
#include "../pair.h"

int main(int argc, char **argv)
{
	long long number = 6, other = 0;

	start(&argc, &argv);
	MPI_Sendrecv(&number, 1, MPI_LONG_LONG, !rank, 0, &other, 1, MPI_LONG_LONG_INT, !rank, 0,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(other == 6);
	if (rank == 0)
		MPI_Send(&number, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	else
		MPI_Recv(&number, 1, MPI_LONG_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
	else
		MPI_Recv(&number, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	return finish();
}
