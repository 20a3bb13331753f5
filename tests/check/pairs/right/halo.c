/* pair: check=none ranks=4
 *
 * A grid with borders: neighbours outside are MPI_PROC_NULL, with arguments that make no sense otherwise. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double field[6][6] = {{0}};
	int up, down, left, right, edges = 0;
	MPI_Comm grid;
	MPI_Datatype column;
	MPI_Request requests[8];

	start(&argc, &argv);
	MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){0, 0}, 1, &grid);
	MPI_Cart_shift(grid, 0, 1, &up, &down);
	MPI_Cart_shift(grid, 1, 1, &left, &right);
	MPI_Type_vector(4, 1, 6, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			field[i][j] = rank + 1;
	MPI_Irecv(&field[0][1], 4, MPI_DOUBLE, up, 0, grid, &requests[0]);
	MPI_Irecv(&field[5][1], up == MPI_PROC_NULL ? 4 : 400, MPI_DOUBLE, down, 0, grid, &requests[1]);
	MPI_Irecv(&field[1][0], 1, column, left, 0, grid, &requests[2]);
	MPI_Irecv(&field[1][5], 1, column, right, 0, grid, &requests[3]);
	MPI_Isend(&field[1][1], 4, MPI_DOUBLE, up, 0, grid, &requests[4]);
	MPI_Isend(&field[4][1], 4, MPI_DOUBLE, down, 0, grid, &requests[5]);
	MPI_Isend(&field[1][1], 1, column, left, 0, grid, &requests[6]);
	MPI_Isend(&field[1][4], 1, column, right, 0, grid, &requests[7]);
	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
	for (int i = 1; i < 5; i++)
		edges += (int)(field[0][i] + field[5][i] + field[i][0] + field[i][5]);
	MPI_Allreduce(MPI_IN_PLACE, &edges, 1, MPI_INT, MPI_SUM, grid);
	expect(edges == 160);
	MPI_Sendrecv((void *)64, 1000 * rank, column, MPI_PROC_NULL, 0, (void *)64, 77, MPI_INT,
	             MPI_PROC_NULL, 5, grid, MPI_STATUS_IGNORE);
	MPI_Type_free(&column);
	MPI_Comm_free(&grid);
	return finish();
}
