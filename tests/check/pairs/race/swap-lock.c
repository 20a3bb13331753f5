/* pair: check=none ranks=2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int one = 1, zero = 0, held;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	memory[0] = memory[1] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	for (int i = 0; i < 3; i++) {
		do {
			MPI_Compare_and_swap(&one, &zero, &held, MPI_INT, 0, 0, win);
			MPI_Win_flush(0, win);
		} while (held);
		MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		value++;
		MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
		MPI_Win_flush(0, win);
	}
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
	MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
	MPI_Win_unlock(0, win);
	expect(value == 6);
	MPI_Win_free(&win);
	return finish();
}
