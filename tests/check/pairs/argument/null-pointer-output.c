/* pair: check=argument.null-pointer ranks=2 at=0,1 dies
 *
 * Results need a variable. Arrays without elements need none. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int members = 0, *result = &members;
	MPI_Datatype nothing;

	start(&argc, &argv);
	return_errors();
	MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
	MPI_Type_indexed(0, NULL, NULL, MPI_INT, &nothing);
	MPI_Type_free(&nothing);
#ifdef WRONG
	result = NULL;
#endif
	MPI_Comm_size(MPI_COMM_WORLD, result); /* FOUND */
	return finish();
}
