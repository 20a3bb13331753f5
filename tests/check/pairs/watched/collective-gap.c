/* pair: check=memory.receive-written ranks=2 at=0,1 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A nonblocking collective: stores between its blocks are right, into them wrong. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	static int in[N], out[N];
	MPI_Request request;
	int at = argc + 2, sum = 0;
	start(&argc, &argv);
	in[at] = rank;
	sum += in[0];
	static int counts[2] = {5, 5}, displs[2] = {0, 8};
	out[at + 3] = 1;
	MPI_Ialltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD,
	               &request); /* PARTNER */
#ifdef WRONG
	out[at + 1] = 9; /* USED */
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	out[at + 1] = 9;
	expect(sum >= 0);
	expect(at);
	return finish();
}
