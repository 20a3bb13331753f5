/* pair: check=order.after-finalize ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int flag, version, minor, length, result;
	char text[MPI_MAX_LIBRARY_VERSION_STRING];

	start(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	result = finish();
	MPI_Finalized(&flag);
	MPI_Initialized(&length);
	MPI_Get_version(&version, &minor);
	MPI_Get_library_version(text, &length);
#ifdef WRONG
	MPI_Barrier(MPI_COMM_WORLD); /* FOUND */
#endif
	return result || !flag;
}
