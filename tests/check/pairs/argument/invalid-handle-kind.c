/* pair: check=argument.invalid-handle ranks=2 at=0,1 dies
 *
 * The handle of a group where a datatype belongs. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0;
	MPI_Group group;
	MPI_Datatype type = MPI_INT;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_group(MPI_COMM_WORLD, &group);
#ifdef WRONG
	type = (MPI_Datatype)(uintptr_t)group;
	MPI_Sendrecv_replace(&value, 1, type, !rank, 0, !rank, 0, MPI_COMM_WORLD,
	                     MPI_STATUS_IGNORE); /* FOUND */
#else
	MPI_Sendrecv_replace(&value, 1, type, !rank, 0, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_Group_free(&group);
	return finish();
}
