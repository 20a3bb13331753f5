/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Loads of what MPI_Get brings: before the fence, before the flush. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Win window;
	int *memory, got = 0, *element = calloc(1, sizeof *element), sum = 0;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	memory[0] = memory[1] = 3;
	MPI_Win_fence(0, window);
	if (!rank) {
		MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, window); /* PARTNER */
#ifdef WRONG
		sum += got; /* USED */
#endif
	}
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window); /* FOUND */
	sum += got;
	MPI_Win_lock_all(0, window);
	if (!rank) {
		MPI_Get(element, 1, MPI_INT, 1, 1, 1, MPI_INT, window); /* PARTNER */
#ifdef WRONG
		sum += *element; /* USED */
#endif
		MPI_Win_flush(1, window); /* FOUND */
		sum += *element;
		expect(sum);
	}
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	free(element);
	return finish();
}
