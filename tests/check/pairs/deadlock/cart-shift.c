/* pair: check=deadlock.cycle ranks=4 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Comm grid;
	int left, right;

	MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){4}, (int[]){1}, 0, &grid);
	MPI_Cart_shift(grid, 0, 1, &left, &right);
#ifdef WRONG
	MPI_Recv(&theirs, 1, MPI_INT, left, 0, grid, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Send(&rank, 1, MPI_INT, right, 0, grid);
#else
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &theirs, 1, MPI_INT, left, 0, grid, MPI_STATUS_IGNORE);
#endif
	MPI_Comm_free(&grid);
	expect(theirs == left);
	return finish();
}
