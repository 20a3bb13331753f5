/* pair: check=collective.count-mismatch ranks=3 among=0 dies
 *
 * With neighbours, amounts have to agree along each edge only: here they differ from rank to rank. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int next, last, send[4] = {5, 5, 5, 5}, receive[4] = {0}, counts[1], from[1], zero[1] = {0};
	MPI_Comm ring;

	start(&argc, &argv);
	return_errors();
	next = (rank + 1) % size;
	last = (rank + size - 1) % size;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
	                               MPI_INFO_NULL, 0, &ring);
	MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
	counts[0] = rank + 1;
	from[0] = last + 1;
#ifdef WRONG
	if (rank == 0)
		counts[0] = 2;
#endif
	MPI_Neighbor_alltoallv(send, counts, zero, MPI_INT, receive, from, zero, MPI_INT, ring); /* FOUND */
	expect(receive[0] == 5);
	MPI_Comm_free(&ring);
	return finish();
}
