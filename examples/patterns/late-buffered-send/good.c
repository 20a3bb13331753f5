/* Rank 0 sends as soon as possible, then works. Rank 1 does its own work before it needs the message.
 * The ranks share the work of the bad program.
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
		usleep(WORK_US / 2);
	} else {
		usleep(WORK_US / 2);
		MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Buffer_detach(&buffer, &room);
	free(buffer);
	MPI_Finalize();
	return 0;
}
