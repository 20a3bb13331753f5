/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win first, second;

	start(&argc, &argv);
	MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &first);
	MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &second);
#ifdef WRONG
	const int swapped = rank == 1;
#else
	const int swapped = 0;
#endif
	/* A flush makes sure of the lock, if MPI has not yet. */
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, swapped ? second : first); /* MAY */
	MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, swapped ? second : first);
	MPI_Win_flush(0, swapped ? second : first); /* MAY */
#ifdef WRONG
	MPI_Barrier(MPI_COMM_WORLD);
#endif
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, swapped ? first : second); /* FOUND */
	MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, swapped ? first : second);
	MPI_Win_flush(0, swapped ? first : second);  /* MAY */
	MPI_Win_unlock(0, swapped ? first : second); /* MAY */
	MPI_Win_unlock(0, swapped ? second : first);
	MPI_Win_free(&first);
	MPI_Win_free(&second);
	return finish();
}
