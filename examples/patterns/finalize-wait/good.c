/* Each process writes its part of the results.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	usleep(WORK_US / 3);
	MPI_Finalize();
	return 0;
}
