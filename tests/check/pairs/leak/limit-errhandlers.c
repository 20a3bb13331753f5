/* pair: check=limit.objects also=leak.errhandler ranks=2 at=0,1
 *
 * One object for each step, which is forgotten. */
#include "../pair.h"

static void handle(MPI_Comm *comm, int *code, ...)
{
	(void)comm, (void)code;
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;

	start(&argc, &argv);
	for (int i = 0; i < 2000; i++) {
		MPI_Comm_create_errhandler(handle, &handler); /* FOUND FOUND: leak.errhandler */
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
#ifndef WRONG
		MPI_Errhandler_free(&handler);
#endif
	}
	return finish();
}
