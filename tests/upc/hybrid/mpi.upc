/* UPC and MPI in one program: thread 1 comes late to a barrier of UPC, rank 2 to one of MPI. Rank 3 comes late to a call
 * that looks as if the runtime made it, which is not reported.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "portable.h"

#include <mpi.h>

__attribute__((noinline)) void AMMPI_StandIn(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	__asm__ volatile("" ::: "memory"); /* no jump to it */
}

int main(int argc, char **argv)
{
	int delay = argc > 1 ? atoi(argv[1]) : 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	upc_barrier;
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 3)
		work(delay);
	AMMPI_StandIn();
	if (MYTHREAD == 1)
		work(delay);
	upc_barrier; /* @upc.barrier-wait rank=0,2,3 total=0.6 count=3 partner=1 */
	if (rank == 2)
		work(delay);
	MPI_Barrier(MPI_COMM_WORLD); /* @mpi.barrier-wait rank=0,1,3 total=0.6 count=3 partner=2 */
	MPI_Finalize();
	return 0;
}
