/* pair: check=call.fatal ranks=2 at=0 dies
 *
 * An error handler of the program ends it. */
#include "../pair.h"

static void give_up(MPI_Comm *comm, int *code, ...)
{
	MPI_Abort(*comm, *code > 0 ? 3 : 4);
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;
	MPI_Info info;

	start(&argc, &argv);
	MPI_Comm_create_errhandler(give_up, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	MPI_Errhandler_free(&handler);
	MPI_Info_create(&info);
#ifndef WRONG
	MPI_Info_set(info, "there", "yes");
#endif
	if (rank == 0)
		MPI_Info_delete(info, "there"); /* FOUND */
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Info_free(&info);
	return finish();
}
