/* pair: check=argument.null-handle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win = MPI_WIN_NULL;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	MPI_Win_fence(0, win); /* FOUND */
#endif
	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	expect(win == MPI_WIN_NULL);
	return finish();
}
