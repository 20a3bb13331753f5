/* pair: check=memory.receive-read ranks=2 at=1 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * MPI_Ibcast: only ranks other than the root receive. */
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
	MPI_Ibcast(out, N, MPI_INT, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	if (rank)
		sum += out[at]; /* USED */
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	if (rank)
		sum += out[at];
	expect(sum >= 0);
	expect(at);
	return finish();
}
