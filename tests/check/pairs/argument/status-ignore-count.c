/* pair: check=argument.status-ignore ranks=2 at=1 dies
 *
 * MPI_STATUS_IGNORE tells a call to store nothing: there is nothing to ask it for afterwards. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3, count = 1;
	MPI_Status status;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
#ifdef WRONG
		MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &count); /* FOUND */
#else
		MPI_Get_count(&status, MPI_INT, &count);
		expect(count == 1);
#endif
	}
	return finish();
}
