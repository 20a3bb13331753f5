/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A load before MPI_Test has completed the receive. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N];
	MPI_Request request = MPI_REQUEST_NULL;
	int at = argc + 2, sum = 0;
	start(&argc, &argv);
	if (!rank) {
		int done = 0;
		MPI_Irecv(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		while (!done) {
			MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
			sum += buf[at]; /* USED */
#else
			sum += done ? buf[at] : 0;
#endif
		}
	} else {
		MPI_Barrier(MPI_COMM_SELF);
		for (volatile long spin = 0; spin < 20000000; spin++)
			;
		MPI_Send(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	expect(sum >= 0);
	expect(at);
	return finish();
}
