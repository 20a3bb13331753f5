/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int highest = -1;
	start(&argc, &argv);
	/* Each pair has a communicator, and each process begins with the next one. */
	MPI_Comm with_next, with_last, pairs[3];
	const int next = (rank + 1) % 3, last = (rank + 2) % 3;

	for (int i = 0; i < 3; i++)
		MPI_Comm_split(MPI_COMM_WORLD, rank == i || rank == (i + 1) % 3 ? 0 : MPI_UNDEFINED, rank,
		               &pairs[i]);
	with_next = pairs[rank];
	with_last = pairs[last];
#ifndef WRONG
	if (rank == 2)
		with_next = pairs[last], with_last = pairs[rank];
#endif
	MPI_Allreduce(&rank, &highest, 1, MPI_INT, MPI_MAX, with_next); /* FOUND */
	MPI_Allreduce(&rank, &highest, 1, MPI_INT, MPI_MAX, with_last);
	for (int i = 0; i < 3; i++)
		if (pairs[i] != MPI_COMM_NULL)
			MPI_Comm_free(&pairs[i]);
	expect(highest >= rank && next != rank);
	return finish();
}
