/* pair: check=argument.communicator-kind ranks=4 at=0,1,2,3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int place[2] = {0}, from, to, kind, members;
	MPI_Comm grid, row;

	start(&argc, &argv);
	return_errors();
	MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){1, 0}, 0, &grid);
	MPI_Topo_test(MPI_COMM_WORLD, &kind);
	expect(kind == MPI_UNDEFINED);
	MPI_Cart_sub(grid, (int[]){0, 1}, &row);
	MPI_Comm_size(row, &members);
	expect(members == 2);
	MPI_Cart_shift(row, 0, 1, &from, &to);
	MPI_Cart_coords(grid, rank, 2, place);
	expect(place[0] == rank / 2 && place[1] == rank % 2);
#ifdef WRONG
	MPI_Cart_coords(MPI_COMM_WORLD, rank, 2, place); /* FOUND */
#endif
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
	return finish();
}
