/* The work before each operation is shared.
 *
 * tarry-example: ranks=4 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000, RANKS = 4 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, sum, counts[RANKS] = {0}, places[RANKS] = {0, 1, 2, 3}, given[RANKS] = {0}, got[RANKS];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	usleep(WORK_US / RANKS);
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	usleep((WORK_US + WORK_US / 2) / RANKS);
	counts[rank ^ 1] = 1;
	MPI_Alltoallv(given, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
	usleep(WORK_US / RANKS);
	MPI_Finalize();
	return 0;
}
