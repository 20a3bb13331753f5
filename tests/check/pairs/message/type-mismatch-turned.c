/* pair: check=message.type-mismatch ranks=4 at=1,3
 *
 * Findings tell ranks of MPI_COMM_WORLD, not of the communicator that was used. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm turned;
	int number = 4, in_turned;
	float value = 0;

	start(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &turned);
	MPI_Comm_rank(turned, &in_turned);
	expect(in_turned == (rank < 2));
	if (rank == 3)
		MPI_Ssend(&number, 1, MPI_INT, 1, 0, turned); /* FOUND */
#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_FLOAT, 0, 0, turned, MPI_STATUS_IGNORE); /* FOUND */
#else
	if (rank == 1)
		MPI_Recv(&number, 1, MPI_INT, 0, 0, turned, MPI_STATUS_IGNORE);
#endif
	expect(value == 0 || rank == 1);
	MPI_Comm_free(&turned);
	return finish();
}
