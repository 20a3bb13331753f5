/* pair: check=argument.operation-type ranks=2 at=0,1
 *
 * Predefined operations know basic types only. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int pair[2] = {1, 2}, sum[2] = {0};
	struct {
		double value;
		int where;
	} mine = {1.5, 0}, least;
	MPI_Datatype two;

	start(&argc, &argv);
	return_errors();
	MPI_Type_contiguous(2, MPI_INT, &two);
	MPI_Type_commit(&two);
	mine.where = rank;
	MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
	expect(least.where == 0);
	MPI_Reduce_local(pair, sum, 2, MPI_INT, MPI_SUM);
#ifdef WRONG
	MPI_Allreduce(pair, sum, 1, two, MPI_SUM, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Allreduce(pair, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(sum[1] == 4);
#endif
	MPI_Type_free(&two);
	return finish();
}
