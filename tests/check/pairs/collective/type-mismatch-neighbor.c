/* pair: check=collective.type-mismatch ranks=3 among=0,1
 *
 * Along each edge of the graph types have to fit; other edges may carry others. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int next, last;
	double out = 3, in = 0;
	MPI_Datatype kinds[3] = {MPI_DOUBLE, MPI_LONG, MPI_UNSIGNED_LONG}, gives[1], takes[1];
	MPI_Comm ring;

	start(&argc, &argv);
	next = (rank + 1) % 3;
	last = (rank + 2) % 3;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
	                               MPI_INFO_NULL, 0, &ring);
	gives[0] = kinds[rank];
	takes[0] = kinds[last];
#ifdef WRONG
	if (rank == 0)
		gives[0] = MPI_FLOAT;
	if (rank == 1)
		takes[0] = MPI_INT;
#endif
	MPI_Neighbor_alltoallw(&out, (int[]){1}, (MPI_Aint[]){0}, gives, &in, (int[]){1}, (MPI_Aint[]){0},
	                       takes, ring); /* FOUND */
	expect(rank == 1 || in == 3);
	MPI_Comm_free(&ring);
	return finish();
}
