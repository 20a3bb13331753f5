// tarry-test: ranks=2 unlocated=1
//
// A region as long as a scope, left by an exception too.
#include "checksum.h"

#include <mpi.h>
#include <stdexcept>
#include <tarry.h>

static void risky(int rank)
{
	tarry::region here("risky");
	// @* x2 tarry_region_begin region=risky
	// @* x2 tarry_region_end region=risky
	MPI_Barrier(MPI_COMM_WORLD);
	// @* x2 comm=$world
	if (rank == 0)
		throw std::runtime_error("rank 0 always fails");
}

int main(int argc, char **argv)
{
	int rank, caught = 0;

	MPI_Init(&argc, &argv);
	// @*
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2; i++) {
		try {
			risky(rank);
		} catch (const std::runtime_error &) {
			caught++;
		}
	}
	checksum_add(&caught, sizeof(caught));
	checksum_print(rank);
	MPI_Finalize();
	// @*
	return 0;
}
