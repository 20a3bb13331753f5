/* The message is below the eager limit: the sender continues. Open MPI copies up to 256 bytes
 * even while the receiver is outside MPI; for more it must call MPI occasionally.
 * The ranks share the work of the bad program.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

/* `tarry info` shows the eager limit. */
#ifdef OPEN_MPI
enum { BYTES = 256 };
#else
enum { BYTES = 8192 - 1024 };
#endif

static char data[BYTES];

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Send(data, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		usleep(WORK_US / 2);
	} else {
		usleep(WORK_US / 2);
		MPI_Recv(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
