/* pair: check=argument.operation-type ranks=2 at=0,1
 *
 * MPI_Compare_and_swap compares integers, logical values and bytes. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double *memory, result = 0.0, value = 1.0, expected = 0.0;
	long number = 1, zero = 0, old;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef WRONG
	MPI_Compare_and_swap(&value, &expected, &result, MPI_DOUBLE, 0, 0, win); /* FOUND */
#else
	MPI_Compare_and_swap(&number, &zero, &old, MPI_LONG, 0, 0, win);
#endif
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
	expect(result < 2.0 && value > expected);
	return finish();
}
