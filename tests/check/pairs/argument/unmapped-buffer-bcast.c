/* pair: check=argument.unmapped-buffer ranks=2 at=1 dies
 *
 * Memory that was given back. The program may die of it: the finding must not. */
#include "../pair.h"

#include <sys/mman.h>

int main(int argc, char **argv)
{
	int *memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	start(&argc, &argv);
	return_errors();
	memory[0] = rank;
#ifdef WRONG
	if (rank == 1)
		munmap(memory, 1 << 16);
	MPI_Bcast(memory, 1, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Bcast(memory, 1, MPI_INT, 0, MPI_COMM_WORLD);
	expect(memory[0] == 0);
	munmap(memory, 1 << 16);
	MPI_Bcast(memory, 0, MPI_INT, 0, MPI_COMM_WORLD);
#endif
	return finish();
}
