/* pair: check=none ranks=8
 *
 * Eight processes in rows, columns and a turned order: the same process has a different rank in each. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm row, column, turned;
	int sum = 0, in_row, in_turned, value, root;
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &row);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 4, -rank, &column);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
	MPI_Comm_rank(row, &in_row);
	MPI_Comm_rank(turned, &in_turned);
	expect(in_turned == 7 - rank && in_row == rank % 4);
	/* Rows do different things at the same time. */
	if (rank < 4) {
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
		expect(sum == 6);
	} else {
		value = rank;
		MPI_Bcast(&value, 1, MPI_INT, 2, row);
		expect(value == 6);
	}
	root = rank % 4 % 2;
	MPI_Reduce(&rank, &sum, 1, MPI_INT, root ? MPI_MAX : MPI_MIN, root, column);
	MPI_Irecv(&value, 1, MPI_INT, (in_turned + 1) % 8, 0, turned, &requests[0]);
	MPI_Isend(&rank, 1, MPI_INT, (in_turned + 7) % 8, 0, turned, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(value == (rank + 7) % 8);
	MPI_Comm_free(&row);
	MPI_Comm_free(&column);
	MPI_Comm_free(&turned);
	return finish();
}
