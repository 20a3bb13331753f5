/* When the mesh is refined or coarsened, its cells are redistributed: all ranks have the same number of cells.
 *
 * tarry-example: ranks=4 */
#include "mesh.h"

static void distribute(void)
{
	char *cells = calloc(FINE * CELLS, CELL_BYTES), *come = calloc(FINE * CELLS, CELL_BYTES);
	int each = FINE * CELLS / size * CELL_BYTES;

	MPI_Alltoall(cells, each, MPI_BYTE, come, each, MPI_BYTE, MPI_COMM_WORLD);
	free(cells);
	free(come);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 0; step < STEPS; step++) {
		if (step == REFINED || step == COARSENED)
			distribute();
		advance(cells_of_mesh(step) / size);
	}
	MPI_Finalize();
	return 0;
}
