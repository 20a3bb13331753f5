/* tarry-test: ranks=2 options=--buffer=1M
 *
 * More events than the buffer holds, of many distinct calls: nothing is lost, order and counts stay exact. */
#include "checksum.h"

#include <mpi.h>

enum { ROUNDS = 100000, DISTINCT = 5000 };

int main(int argc, char **argv)
{
	int rank, value = 0;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < ROUNDS; i++)
		MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, (int)(i * 7919L % DISTINCT), MPI_COMM_WORLD);
	/* @* x20 comm=$world peer=null tag=0 sent=4
		 * @* x20 peer=null tag=4999
		 * @* x99960 peer=null tag=1..4998 */
	MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @* comm=$world op=3 */
	checksum_add(&value, sizeof(value));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
