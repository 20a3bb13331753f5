/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = -1;
	start(&argc, &argv);
	MPI_Comm twin, used[2];
	MPI_Request request;

	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	used[0] = MPI_COMM_WORLD, used[1] = twin;
#ifdef WRONG
	if (rank == 1)
		used[0] = twin, used[1] = MPI_COMM_WORLD;
#endif
	for (int i = 0; i < 2; i++) {
		MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, used[i], &request); /* MAY */
		MPI_Wait(&request, MPI_STATUS_IGNORE);                               /* FOUND */
	}
	MPI_Comm_free(&twin);
	expect(sum == 1);
	return finish();
}
