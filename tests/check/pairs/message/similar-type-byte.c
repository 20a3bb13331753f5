/* pair: check=message.similar-type ranks=2 at=0,1
 *
 * A byte of any type has the representation of MPI_BYTE. */
#include "../pair.h"

int main(int argc, char **argv)
{
	unsigned char bytes[4] = {1, 2, 3, 4};

	start(&argc, &argv);
	if (rank == 0)
		MPI_Send(bytes, 4, MPI_UNSIGNED_CHAR, 1, 0, MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	else
		MPI_Recv(bytes, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
	else
		MPI_Recv(bytes, 4, MPI_UNSIGNED_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(bytes[3] == 4);
	return finish();
}
