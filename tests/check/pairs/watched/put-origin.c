/* pair: check=memory.send-changed ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Stores into origin buffers of MPI_Put: before the fence, before the unlock. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Win window;
	int *memory, fenced[2] = {1, 2}, *locked = calloc(2, sizeof *locked);

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	MPI_Win_fence(0, window);
	if (!rank) {
		MPI_Put(fenced, 2, MPI_INT, 1, 0, 2, MPI_INT, window); /* PARTNER */
#ifdef WRONG
		fenced[argc % 2] = 7; /* USED */
#endif
	}
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window); /* FOUND */
	fenced[argc % 2] = 8;
	if (!rank) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
		MPI_Put(locked, 1, MPI_INT, 1, 0, 1, MPI_INT, window); /* PARTNER */
		locked[1] = 2;
#ifdef WRONG
		locked[0] = 2; /* USED */
#endif
		MPI_Win_unlock(1, window); /* FOUND */
		locked[0] = fenced[0];
	}
	MPI_Win_free(&window);
	free(locked);
	return finish();
}
