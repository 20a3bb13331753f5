/* pair: check=window.memory-gone ranks=2 at=0,1
 *
 * The memory of the window is a variable of a function that has returned. */
#include "../pair.h"

static MPI_Win window;

#ifndef WRONG
static int values[100];
#endif

static void __attribute__((noinline)) make_window(void)
{
#ifdef WRONG
	int values[100];
#endif

	memset(values, 0, sizeof values);
	MPI_Win_create(values, sizeof values, sizeof *values, MPI_INFO_NULL, MPI_COMM_WORLD,
	               &window); /* PARTNER */
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	make_window();
	MPI_Win_fence(MPI_MODE_NOPRECEDE, window); /* FOUND */
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
	MPI_Win_free(&window);
	return finish();
}
