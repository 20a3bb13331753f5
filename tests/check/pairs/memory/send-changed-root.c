/* pair: check=memory.send-changed ranks=2 at=0 always=--buffers=send
 *
 * The root changes its data during the broadcast; MPI writes the buffers of others. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[50] = {0};
	MPI_Request request;

	start(&argc, &argv);
	data[49] = 5 - rank;
	MPI_Ibcast(data, 50, MPI_INT, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	if (!rank)
		data[7] = 3;
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	expect(data[49] == 5);
	return finish();
}
