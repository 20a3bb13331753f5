/* pair: check=argument.rank-outside ranks=2 at=0,1 output
 *
 * The program asks for errors and handles them: the finding must not change the returned errors. */
#include "../pair.h"

static int told;

static void note(MPI_Comm *comm, int *code, ...)
{
	int class;

	MPI_Error_class(*code, &class);
	told += *comm == MPI_COMM_WORLD && class == MPI_ERR_RANK;
}

int main(int argc, char **argv)
{
	int value = 1, class = MPI_ERR_RANK;
	MPI_Errhandler handler;

	start(&argc, &argv);
	MPI_Comm_create_errhandler(note, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Errhandler_free(&handler);
#ifdef WRONG
	MPI_Error_class(MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD), &class); /* FOUND */
	expect(told == 1);
	return_errors();
	MPI_Error_class(MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD), &class); /* FOUND */
	expect(told == 1);
#endif
	(void)value;
	expect(class == MPI_ERR_RANK);
	return finish();
}
