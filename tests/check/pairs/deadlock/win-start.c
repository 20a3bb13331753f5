/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1, *memory;
	MPI_Group world, other;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	*memory = -1;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, (int[]){1 - rank}, &other);
	if (rank == 0) {
#ifndef WRONG
		MPI_Win_post(other, 0, win);
#endif
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
		/* Rank 1 waits for this post before it sends. */
		MPI_Win_post(other, 0, win);
#endif
		MPI_Win_wait(win);
		expect(*memory == 1);
	} else {
		MPI_Win_start(other, 0, win);                      /* MAY */
		MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* MAY */
		MPI_Win_complete(win);                             /* MAY */
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	MPI_Group_free(&world);
	MPI_Group_free(&other);
	MPI_Win_free(&win);
	expect(rank || theirs == 1);
	return finish();
}
