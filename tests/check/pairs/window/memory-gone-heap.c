/* pair: check=window.memory-gone ranks=2 at=0,1
 *
 * The memory is freed before the window. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *values = malloc(40), value = 7;
	MPI_Win window;

	start(&argc, &argv);
	values[0] = values[1] = 0;
	MPI_Win_create(values, 40, sizeof *values, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* PARTNER */
	MPI_Win_fence(0, window);
	MPI_Put(&value, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	expect(values[1] == 7);
#ifdef WRONG
	free(values); /* RELEASED */
	MPI_Win_free(&window);
#else
	MPI_Win_free(&window);
	free(values);
#endif
	return finish();
}
