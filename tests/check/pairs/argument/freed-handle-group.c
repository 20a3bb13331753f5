/* pair: check=argument.freed-handle ranks=2 at=0,1 dies
 *
 * A communicator keeps its group when the program frees the handle that it was made with. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int members = 0;
	MPI_Group group, copy;
	MPI_Comm comm;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_group(MPI_COMM_WORLD, &group); /* PARTNER */
	MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
	copy = group;
	MPI_Group_size(copy, &members);
	expect(members == 2);
	MPI_Group_free(&group); /* PARTNER */
#ifdef WRONG
	MPI_Group_size(copy, &members); /* FOUND */
#else
	MPI_Comm_group(comm, &copy);
	MPI_Group_size(copy, &members);
	MPI_Group_free(&copy);
#endif
	MPI_Comm_free(&comm);
	return finish();
}
