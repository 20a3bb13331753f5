/* pair: check=memory.receive-written ranks=3 at=1,2 always=--buffers=all
 *
 * At the root the buffer is only read. Elsewhere MPI writes to it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[50] = {0};
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0)
		data[0] = 6;
	MPI_Ibcast(data, 50, MPI_INT, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	if (rank)
		data[49] = rank; /* SEEN */
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	expect(data[0] == 6 && data[49] == 0);
	data[49] = rank;
	return finish();
}
