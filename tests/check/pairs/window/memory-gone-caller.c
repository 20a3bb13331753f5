/* pair: check=window.memory-gone ranks=2 at=0,1
 *
 * The window is used and freed in other functions than the one with its memory, which has returned in the wrong program. */
#include "../pair.h"

static void make_window(int *values, size_t bytes, MPI_Win *window)
{
	memset(values, 0, bytes);
	MPI_Win_create(values, (MPI_Aint)bytes, sizeof *values, MPI_INFO_NULL, MPI_COMM_WORLD,
	               window); /* PARTNER */
}

static void end_window(MPI_Win *window, int depth)
{
	volatile char room[2000] = "";

	if (depth)
		end_window(window, depth - 1);
	else
		MPI_Win_free(window); /* FOUND */
	expect(room[0] == 0);
}

static void all(MPI_Win *window)
{
	int values[100];

	make_window(values, sizeof values, window);
#ifndef WRONG
	end_window(window, 3);
#endif
}

static void deeper(MPI_Win *window)
{
	volatile char room[500] = "";

	all(window);
	expect(room[0] == 0);
}

int main(int argc, char **argv)
{
	MPI_Win window;

	start(&argc, &argv);
	deeper(&window);
#ifdef WRONG
	end_window(&window, 3);
#endif
	return finish();
}
