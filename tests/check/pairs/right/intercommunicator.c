/* pair: check=none ranks=5 races
 *
 * Two groups of different size: what one sends, the other receives, also where both give different counts. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm part, across;
	MPI_Request request;
	int many, others, mine, got[3] = {-1, -1, -1}, left;

	start(&argc, &argv);
	left = rank < 2;
	MPI_Comm_split(MPI_COMM_WORLD, left, 0, &part);
	MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, left ? 2 : 0, 3, &across);
	MPI_Comm_size(part, &many);
	MPI_Comm_remote_size(across, &others);
	MPI_Comm_rank(part, &mine);
	expect(many + others == 5);
	/* Each side gets as much as the other sends. */
	MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, across);
	expect(got[others - 1] == (left ? 4 : 1));
	MPI_Gather(left ? &rank : NULL, left, MPI_INT, got, 1, MPI_INT,
	           left        ? 1
	           : mine == 1 ? MPI_ROOT
	                       : MPI_PROC_NULL,
	           across);
	expect(rank != 3 || got[1] == 1);
	MPI_Isend(&rank, 1, MPI_INT, left ? 2 : 0, 0, across, &request);
	if ((left && mine == 0) || (!left && mine == 2))
		for (int i = 0; i < others; i++)
			MPI_Recv(got, 1, MPI_INT, MPI_ANY_SOURCE, 0, across, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(across);
	MPI_Comm_free(&across);
	MPI_Comm_free(&part);
	return finish();
}
