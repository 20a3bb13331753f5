/* pair: check=collective.count-mismatch ranks=3 among=1,2 dies
 *
 * Every pair of processes has its own amount. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int out[6] = {7, 7, 7, 7, 7, 7}, in[6] = {0}, send[3], receive[3], at[3] = {0, 2, 4};
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	for (int i = 0; i < 3; i++) {
		send[i] = (rank + 2 * i) % 3;
		receive[i] = (i + 2 * rank) % 3;
	}
#ifdef WRONG
	if (rank == 1)
		send[2] = 1;
#endif
	MPI_Ialltoallv(out, send, at, MPI_INT, in, receive, at, MPI_INT, MPI_COMM_WORLD,
	               &request); /* FOUND SHOWS: sendcounts[3] = {1, 0, 1} */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(in[0] == (receive[0] ? 7 : 0));
	return finish();
}
