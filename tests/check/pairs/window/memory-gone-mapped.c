/* pair: check=window.memory-gone ranks=2 at=0,1
 *
 * The memory is unmapped before the window is freed. */
#include "../pair.h"

#include <sys/mman.h>

enum { BYTES = 1 << 16 };

int main(int argc, char **argv)
{
	MPI_Win window;
	void *memory;

	start(&argc, &argv);
	memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MPI_Win_create(memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* PARTNER */
	MPI_Win_fence(0, window);
	MPI_Win_fence(0, window);
#ifdef WRONG
	munmap(memory, BYTES);
	MPI_Win_free(&window); /* FOUND */
#else
	MPI_Win_free(&window);
	munmap(memory, BYTES);
#endif
	return finish();
}
