/* pair: check=argument.null-handle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0, first = 0;
	MPI_Op op = MPI_OP_NULL;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD); /* FOUND */
#else
	op = MPI_SUM;
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	expect(sum == 1);
	MPI_Exscan(&rank, &first, 1, MPI_INT, op, MPI_COMM_WORLD);
#endif
	return finish();
}
