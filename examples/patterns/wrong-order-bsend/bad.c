/* Rank 1 receives in the opposite order of sending: it waits for the last message while the others have already arrived.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 1000 + MPI_BSEND_OVERHEAD, WORK_US = 300000 };

int main(int argc, char **argv)
{
	int rank, data = 0;
	int room;
	void *buffer;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Buffer_attach(malloc(ROOM), ROOM);
	if (rank == 0) {
		MPI_Bsend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Bsend(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		usleep(WORK_US);
		MPI_Bsend(&data, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @mpi.wrong-order-bsend rank=1 total=0.3 count=1 partner=0 */
		MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Buffer_detach(&buffer, &room);
	free(buffer);
	MPI_Finalize();
	return 0;
}
