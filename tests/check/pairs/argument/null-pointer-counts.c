/* pair: check=argument.null-pointer ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int all[2] = {0}, counts[2] = {1, 1}, displs[2] = {0, 1}, *sizes = counts;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	sizes = NULL;
#endif
	MPI_Allgatherv(&rank, 1, MPI_INT, all, sizes, displs, MPI_INT, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
