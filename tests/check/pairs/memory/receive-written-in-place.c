/* pair: check=memory.receive-written ranks=2 at=0 always=--buffers=all
 *
 * MPI_IN_PLACE: the buffer has the operand, and gets the result. */
#include "../pair.h"

int main(int argc, char **argv)
{
	long data[20];
	MPI_Request request;

	start(&argc, &argv);
	for (int i = 0; i < 20; i++)
		data[i] = i + rank;
	MPI_Iallreduce(MPI_IN_PLACE, data, 20, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	if (rank == 0)
		data[3] = 0;
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	for (int i = 0; i < 20; i++)
		expect(data[i] == 2 * i + 1);
	return finish();
}
