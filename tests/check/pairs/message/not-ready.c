/* pair: check=message.not-ready ranks=2 at=0,1
 *
 * Of any size: whether the library gets on with it makes no difference. */
#include "../pair.h"

#include <unistd.h>

enum { LARGE = 1 << 20 };

static char data[LARGE];

static void exchange(int bytes)
{
	MPI_Request request;
	char posted = 1;

	if (rank == 0) {
		MPI_Recv(&posted, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Rsend(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Send(&posted, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	for (int i = 0; i < 3; i++) {
		exchange(8);
		exchange(LARGE);
	}
#ifdef WRONG
	if (rank == 0) {
		MPI_Rsend(data, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD);     /* FOUND */
		MPI_Rsend(data, LARGE, MPI_CHAR, 1, 3, MPI_COMM_WORLD); /* FOUND */
	} else {
		usleep(400000);
		MPI_Recv(data, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     /* FOUND */
		MPI_Recv(data, LARGE, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	}
#endif
	return finish();
}
