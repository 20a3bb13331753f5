/* pair: check=deadlock.cycle ranks=5 at=0,1,2,3,4 */
#include "../pair.h"

/* Two deadlocks that have nothing to do with each other, in two communicators: both are shown. */
int main(int argc, char **argv)
{
	int mine, other = -1, place, members, group;
	MPI_Comm half;

	start(&argc, &argv);
	group = rank >= 2;
	MPI_Comm_split(MPI_COMM_WORLD, group, rank, &half);
	MPI_Comm_rank(half, &place);
	MPI_Comm_size(half, &members);
	mine = rank;
#ifdef WRONG
	if (group == 0)
		MPI_Recv(&other, 1, MPI_INT, !place, 1, half, MPI_STATUS_IGNORE); /* FOUND */
	else
		MPI_Ssend(&mine, 1, MPI_INT, (place + 1) % members, 2, half); /* FOUND */
#endif
	MPI_Sendrecv(&mine, 1, MPI_INT, (place + 1) % members, 1, &other, 1, MPI_INT,
	             (place + members - 1) % members, 1, half, MPI_STATUS_IGNORE);
	expect(other >= 0);
	MPI_Comm_free(&half);
	return finish();
}
