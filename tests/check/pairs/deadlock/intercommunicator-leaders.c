/* pair: check=deadlock.cycle ranks=4 among=0,2,3
 *
 * Rank 0 takes rank 3 for the leader of the other group, which is rank 2. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1, leader;
	start(&argc, &argv);
	MPI_Comm half, inter;

	MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &half);
	leader = rank < 2 ? 2 : 0;
#ifdef WRONG
	leader += rank < 2;
#endif
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, leader, 5, &inter); /* FOUND */
	MPI_Allreduce(&rank, &theirs, 1, MPI_INT, MPI_SUM, inter);
	expect(theirs == (rank < 2 ? 5 : 1));
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	return finish();
}
