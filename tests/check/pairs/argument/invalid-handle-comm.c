/* pair: check=argument.invalid-handle ranks=2 at=0,1 dies
 *
 * A variable that never got a communicator. */
#include "../pair.h"

static char nothing[4096];

int main(int argc, char **argv)
{
	int members = 0;
	MPI_Comm comm;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	comm = (MPI_Comm)(uintptr_t)(sizeof(comm) == sizeof(int) ? 0x1234567 : (uintptr_t)nothing);
	MPI_Comm_size(comm, &members); /* FOUND */
#else
	comm = MPI_COMM_SELF;
	MPI_Comm_size(comm, &members);
	expect(members == 1 && nothing[0] == 0);
#endif
	return finish();
}
