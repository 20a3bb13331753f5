/* pair: check=deadlock.cycle also=message.tag-mismatch ranks=4 among=0,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1, tag = 5;
	start(&argc, &argv);
	/* The leaders of both groups have to give the same tag. */
	MPI_Comm half, inter;

	MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &half);
#ifdef WRONG
	tag += rank < 2;
#endif
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, tag,
	                     &inter); /* FOUND FOUND: message.tag-mismatch */
	MPI_Allreduce(&rank, &theirs, 1, MPI_INT, MPI_SUM, inter);
	expect(theirs == (rank < 2 ? 5 : 1));
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	return finish();
}
