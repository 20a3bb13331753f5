/* A mesh with adaptive refinement. Rank 0 has the refined blocks and takes nearly twice as
 * long as the others, but never long at one place: its extra work is spread over all phases.
 *
 * tarry-example: ranks=4 */
#include <mpi.h>
#include <unistd.h>

enum { RANKS = 4, STEPS = 20, BLOCKS_US = 2000, REFINED_US = 5200 };

static int rank;

/* The blocks of a rank. Every other phase has to do with the refined ones. */
static void compute(int phase, int step)
{
	usleep(rank == 0 && (phase + step) % 2 == 0 ? BLOCKS_US + REFINED_US : BLOCKS_US);
}

int main(int argc, char **argv)
{
	int count = 1, counts[RANKS], leave[RANKS] = {0}, come[RANKS];
	double own = 1, all = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		compute(0, step);
		MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD); /* the time step */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(1, step);
		MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT,
		              MPI_COMM_WORLD); /* blocks of each rank */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(2, step);
		MPI_Alltoall(leave, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD); /* blocks that move */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(3, step);
		MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* the largest flux */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(4, step);
		MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT,
		              MPI_COMM_WORLD); /* levels of neighbours */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(5, step);
		MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* mass */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(6, step);
		MPI_Alltoall(leave, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD); /* faces */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(7, step);
		MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* energy */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(8, step);
		MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD); /* blocks to refine */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
		compute(9, step);
		MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* the error */
		/* @mpi.imbalance rank=0 total=0.039 @mpi.nxn-wait rank=0,1,2,3 total=0.156 */
	}
	MPI_Finalize();
	return 0;
}
