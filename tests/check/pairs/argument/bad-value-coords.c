/* pair: check=argument.bad-value ranks=2 at=0,1
 *
 * There is no process beyond the border of a dimension that is not periodic. */
#include "../pair.h"

int main(int argc, char **argv)
{
	const int dims[2] = {2, 1}, periods[2] = {0, 1}, around[2] = {1, 5};
	int found = -1;
	MPI_Comm grid;

	start(&argc, &argv);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
	MPI_Cart_rank(grid, around, &found);
	expect(found == 1);
#ifdef WRONG
	MPI_Cart_rank(grid, (const int[]){2, 0}, &found); /* FOUND */
#endif
	MPI_Comm_free(&grid);
	return finish();
}
