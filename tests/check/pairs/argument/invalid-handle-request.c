/* pair: check=argument.invalid-handle ranks=2 at=1 dies
 *
 * A variable that never got a request. If a library got a request from MPI without the checker, the checker must ignore it. */
#include "../pair.h"

#include <sys/mman.h>

int main(int argc, char **argv)
{
	int value = 7;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		PMPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
	else
		PMPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifdef WRONG
	if (rank == 1) {
		char *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		request = (MPI_Request)(uintptr_t)(sizeof(request) == sizeof(int) ? 0x1234567
		                                                                  : (uintptr_t)nowhere);
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	}
#endif
	return finish();
}
