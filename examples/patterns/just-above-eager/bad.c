/* A message is slightly above the eager limit: the sender waits for the receiver. The previous message
 * is below the limit: if the library does not report it, this message gives a lower bound.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

/* `tarry info` shows the eager limit. */
#ifdef OPEN_MPI
enum { FITS = 256, BYTES = 4096 + 256 };
#else
enum { FITS = 8000, BYTES = 8192 + 1024 };
#endif

static char data[BYTES];

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Send(data, FITS, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Send(data, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		/* @mpi.just-above-eager rank=0 total=0.2 count=1 partner=1 */
	} else {
		usleep(WORK_US);
		MPI_Recv(data, FITS, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
