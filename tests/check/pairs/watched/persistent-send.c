/* pair: check=memory.send-changed ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A store between MPI_Start and MPI_Wait of a persistent send. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N];
	MPI_Request request = MPI_REQUEST_NULL;
	int at = argc + 2, sum = 0;
	start(&argc, &argv);
	if (!rank) {
		MPI_Send_init(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		for (int i = 0; i < 3; i++) {
			buf[at] = i;
			MPI_Start(&request); /* PARTNER */
#ifdef WRONG
			buf[at + 1] = i; /* USED */
#endif
			MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		}
		MPI_Request_free(&request);
	} else {
		for (int i = 0; i < 3; i++)
			MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	expect(at);
	return finish();
}
