/* pair: check=call.fatal ranks=2 at=0 dies
 *
 * Nothing but MPI knows how many keys there are. */
#include "../pair.h"

int main(int argc, char **argv)
{
	char key[MPI_MAX_INFO_KEY + 1] = "";
	MPI_Info info;

	start(&argc, &argv);
	MPI_Info_create(&info);
	MPI_Info_set(info, "there", "yes");
#ifndef WRONG
	MPI_Info_set(info, "too", "yes");
#endif
	if (rank == 0)
		MPI_Info_get_nthkey(info, 1, key); /* FOUND */
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Info_free(&info);
	return finish();
}
