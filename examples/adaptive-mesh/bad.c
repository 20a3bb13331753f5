/* Strips keep their ranks when the mesh is refined: for half of the steps one rank has four times the work of the others.
 *
 * tarry-example: ranks=4 */
#include "mesh.h"

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 0; step < STEPS; step++)
		advance(cells_of_strip(rank, step));
	MPI_Finalize();
	return 0;
}
