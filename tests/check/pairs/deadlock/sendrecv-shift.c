/* pair: check=deadlock.cycle ranks=4 at=0,1,2,3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;
	int source = left;

#ifdef WRONG
	source = right;
#endif
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &theirs, 1, MPI_INT, source, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE); /* FOUND */
	expect(theirs == left);
	return finish();
}
