/* pair: check=window.accumulate-operation ranks=2 at=0,1 */
#include "../pair.h"

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Op op;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Op_create(add, 1, &op); /* PARTNER */
	MPI_Win_fence(0, win);
#ifdef WRONG
	MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, op, win); /* FOUND */
#else
	MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
#endif
	MPI_Win_fence(0, win);
	MPI_Op_free(&op);
	MPI_Win_free(&win);
	return finish();
}
