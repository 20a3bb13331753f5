/* pair: check=argument.communicator-kind ranks=2 at=0 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int members = 0, between = 1;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_test_inter(MPI_COMM_SELF, &between);
	expect(!between);
#ifdef WRONG
	if (rank == 0)
		MPI_Comm_remote_size(MPI_COMM_SELF, &members); /* FOUND */
#else
	MPI_Comm_size(MPI_COMM_SELF, &members);
	expect(members == 1);
#endif
	return finish();
}
