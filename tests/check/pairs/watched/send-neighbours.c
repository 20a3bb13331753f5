/* pair: check=memory.send-changed ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A store into the send buffer, and stores into bytes next to it. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N];
	MPI_Request request = MPI_REQUEST_NULL;
	int at = argc + 2, sum = 0;
	start(&argc, &argv);
	if (!rank) {
		short *s = calloc(N, sizeof *s);
		MPI_Isend(s, 3, MPI_SHORT, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
		s[at] = 1;
#ifdef WRONG
		s[at - 1] = 1; /* USED */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		free(s);
	} else {
		MPI_Recv(buf, 3, MPI_SHORT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	expect(at);
	return finish();
}
