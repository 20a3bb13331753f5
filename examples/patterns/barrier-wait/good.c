/* The work before the barrier is shared evenly.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000 };

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	usleep((WORK_US + 2 * WORK_US / 3) / 3);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
