/* pair: check=collective.type-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	struct {
		int numbers[2];
		double value;
	} send = {{1, 2}, 3}, receive = {{0, 0}, 0};
	MPI_Datatype types[2], wanted[2];

	start(&argc, &argv);
	/* Rank 0 sends integers and receives doubles; rank 1 vice versa. No rank sends to itself. */
	types[!rank] = rank ? MPI_DOUBLE : MPI_INT;
	types[rank] = wanted[rank] = MPI_CHAR;
	wanted[!rank] = rank ? MPI_INT : MPI_DOUBLE;
#ifdef WRONG
	if (rank)
		wanted[0] = MPI_FLOAT;
#endif
	MPI_Alltoallw(&send, (int[]){!!rank, !rank}, (int[]){8, 0}, types, &receive, (int[]){!!rank, !rank},
	              (int[]){0, 8}, wanted,
	              MPI_COMM_WORLD); /* FOUND SHOWS: recvtypes[2] = {MPI_FLOAT, MPI_CHAR} */
	expect(rank ? receive.numbers[0] == 1 : receive.value == 3);
	return finish();
}
