/* pair: check=order.before-init ranks=2 among= dies
 *
 * A few functions are allowed at any time. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int flag, version, minor, length;
	char text[MPI_MAX_LIBRARY_VERSION_STRING];

	MPI_Initialized(&flag);
	expect(!flag);
	MPI_Finalized(&flag);
	expect(!flag);
	MPI_Get_version(&version, &minor);
	MPI_Get_library_version(text, &length);
#ifdef WRONG
	MPI_Comm_size(MPI_COMM_WORLD, &size); /* FOUND */
#endif
	start(&argc, &argv);
	return finish();
}
