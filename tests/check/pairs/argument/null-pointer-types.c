/* pair: check=argument.null-pointer ranks=2 at=0,1 dies
 *
 * With MPI_IN_PLACE nothing of the sending side matters. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sent[2] = {1, 2}, all[2] = {0}, counts[2] = {1, 1}, bytes[2] = {0, 4};
	MPI_Datatype types[2] = {MPI_INT, MPI_INT}, *chosen = types;

	start(&argc, &argv);
	return_errors();
	MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, all, counts, bytes, types, MPI_COMM_WORLD);
#ifdef WRONG
	chosen = NULL;
#endif
	MPI_Alltoallw(sent, counts, bytes, chosen, all, counts, bytes, types, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
