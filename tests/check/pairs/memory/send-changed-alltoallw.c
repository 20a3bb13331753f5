/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * Only the blocks that are sent count, each with its own type. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int out[10] = {0}, in[10] = {0}, counts[] = {1, 2}, places[] = {0, 12}, wide[] = {0, 8};
	int in_counts[2];
	MPI_Datatype types[] = {MPI_INT, MPI_INT};
	MPI_Request request;

	start(&argc, &argv);
	in_counts[0] = in_counts[1] = rank ? 2 : 1;
	MPI_Ialltoallw(out, counts, places, types, in, in_counts, wide, types, MPI_COMM_WORLD,
	               &request); /* PARTNER */
	out[1] = out[2] = out[5] = 9;
#ifdef WRONG
	out[4] = 9;
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	expect(in[0] == 0);
	return finish();
}
