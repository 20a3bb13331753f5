/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2-complete,clang-O2
 *
 * A load of a global variable by its name before MPI_Wait. */
#include "../pair.h"

static int level;

int main(int argc, char **argv)
{
	MPI_Request request;
	int sum = 0;

	start(&argc, &argv);
	if (!rank) {
		MPI_Irecv(&level, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		sum = level; /* USED */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		sum += level;
		expect(sum);
	} else {
		level = 1;
		MPI_Send(&level, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
