/* pair: check=argument.unmapped-buffer ranks=2 at=0,1 dies
 *
 * The first page is there, the second is not. */
#include "../pair.h"

#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int half = (int)(page / sizeof(int));
	int *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	munmap((char *)memory + page, page);
#ifdef WRONG
	MPI_Irecv(memory, 2 * half, MPI_INT, !rank, 9, MPI_COMM_WORLD, &request); /* FOUND */
	MPI_Cancel(&request);
#else
	MPI_Irecv(memory, half, MPI_INT, !rank, 9, MPI_COMM_WORLD, &request);
	MPI_Send(&half, 1, MPI_INT, !rank, 9, MPI_COMM_WORLD);
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	munmap(memory, page);
	return finish();
}
