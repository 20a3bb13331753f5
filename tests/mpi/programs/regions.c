/* tarry-test: ranks=2 unlocated=1
 *
 * The user's own regions, phases and marks through <tarry.h>. */
#include "checksum.h"

#include <mpi.h>
#include <tarry.h>

int main(int argc, char **argv)
{
	int rank, sum = 0;

	tarry_phase("setup");
	/* @* tarry_phase region=setup
	 * @* tarry_phase region=loop */
	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	tarry_phase("loop");
	for (int i = 0; i < 5; i++) {
		tarry_region_begin("outer");
		tarry_region_begin("inner");
		/* @* x5 tarry_region_begin region=outer
		 * @* x5 tarry_region_begin region=inner */
		MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		/* @* x5 comm=$world op=3 */
		tarry_region_end("inner");
		tarry_region_end("outer");
		/* @* x5 tarry_region_end region=outer
		 * @* x5 tarry_region_end region=inner */
		checksum_add(&sum, sizeof(sum));
	}
	tarry_mark("converged");
	/* @* tarry_mark region=converged */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
