/* pair: check=collective.argument-mismatch ranks=4 among=3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int dims[2] = {2, 2}, periods[2] = {0, 1};
	MPI_Comm grid;

	start(&argc, &argv);
#ifdef WRONG
	if (rank == 3)
		periods[0] = 1;
#endif
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* FOUND */
	MPI_Comm_free(&grid);
	return finish();
}
