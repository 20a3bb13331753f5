/* pair: check=collective.call-mismatch ranks=2 at=0,1 dies
 *
 * Several non-blocking calls may be under way, and complete in any order: all begin them in the same. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int sum, value;
	int index, done, left = 3;
	MPI_Request requests[3];

	start(&argc, &argv);
	value = rank + 3;
#ifdef WRONG
	if (rank == 0)
		MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]); /* FOUND */
	else
		MPI_Ireduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &requests[0]); /* FOUND */
	(void)index, (void)left, (void)done;
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#else
	MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
	MPI_Ibcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[2]);
	while (left) {
		MPI_Testany(3, requests, &index, &done, MPI_STATUS_IGNORE);
		left -= done && index != MPI_UNDEFINED;
	}
	expect(sum == 1 && value == 4);
#endif
	return finish();
}
