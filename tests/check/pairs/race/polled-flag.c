/* pair: check=none ranks=3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int flag = 0, result = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	memory[0] = memory[1] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
		MPI_Win_flush(2, win);
		MPI_Accumulate(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, MPI_REPLACE, win);
		MPI_Win_flush(2, win);
	}
	if (rank == 1) {
		while (flag != 7) {
			MPI_Fetch_and_op(NULL, &flag, MPI_INT, 2, 1, MPI_NO_OP, win);
			MPI_Win_flush(2, win);
		}
		MPI_Get(&result, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
		MPI_Win_flush(2, win);
		expect(result == 7);
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
