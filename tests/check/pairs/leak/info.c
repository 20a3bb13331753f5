/* pair: check=leak.info ranks=2 at=0,1
 *
 * Calls that tell hints give an info object of the program's own. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Info info, copy, hints;
	MPI_Comm comm;

	start(&argc, &argv);
	MPI_Info_create(&info);
	MPI_Info_set(info, "tarry_test", "1");
	MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
	MPI_Info_dup(info, &copy);
	MPI_Info_free(&copy);
	MPI_Info_free(&info);
	MPI_Comm_get_info(comm, &hints); /* FOUND */
#ifndef WRONG
	MPI_Info_free(&hints);
#endif
	MPI_Comm_free(&comm);
	return finish();
}
