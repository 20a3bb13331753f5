/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Two halos of a block that share a corner, and two that do not. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int block[12][12];
	const int sizes[] = {12, 12}, row[] = {1, 12}, column[] = {10, 1}, whole[] = {12, 1}, top[] = {0, 0},
		  left[] = {1, 0};
	MPI_Datatype rows, columns;
	MPI_Request requests[4];
	int sent[12] = {0};

	start(&argc, &argv);
	MPI_Type_create_subarray(2, sizes, row, top, MPI_ORDER_C, MPI_INT, &rows);
#ifdef WRONG
	MPI_Type_create_subarray(2, sizes, whole, top, MPI_ORDER_C, MPI_INT, &columns);
	(void)column, (void)left;
#else
	MPI_Type_create_subarray(2, sizes, column, left, MPI_ORDER_C, MPI_INT, &columns);
	(void)whole;
#endif
	MPI_Type_commit(&rows);
	MPI_Type_commit(&columns);
	sent[9] = 5;
	MPI_Irecv(block, 1, rows, !rank, 0, MPI_COMM_WORLD, &requests[0]);    /* PARTNER */
	MPI_Irecv(block, 1, columns, !rank, 1, MPI_COMM_WORLD, &requests[1]); /* FOUND */
	MPI_Isend(sent, 12, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(sent, 10, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	expect(block[0][9] == 5);
	MPI_Type_free(&rows);
	MPI_Type_free(&columns);
	return finish();
}
