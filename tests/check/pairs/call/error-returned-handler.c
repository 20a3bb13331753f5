/* pair: check=call.error-returned ranks=1 at=0 output
 *
 * A program that probes: it provokes errors, in both ways, and continues. */
#include "../pair.h"

static int told;

static void note(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	told += *code != MPI_SUCCESS;
}

static void catch_errors(MPI_Errhandler handler)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;
	int expected = 0;
	MPI_Info info;

	start_threads(&argc, &argv, MPI_THREAD_MULTIPLE);
	MPI_Comm_create_errhandler(note, &handler);
	catch_errors(handler);
	MPI_Errhandler_free(&handler);
	MPI_Info_create(&info);
#ifdef WRONG
	expected = 1;
#else
	MPI_Info_set(info, "first", "1");
	MPI_Info_set(info, "second", "2");
#endif
	expect((MPI_Info_delete(info, "first") != MPI_SUCCESS) == expected); /* FOUND */
	expect(told == expected);
	catch_errors(MPI_ERRORS_RETURN);
	expect((MPI_Info_delete(info, "second") != MPI_SUCCESS) == expected); /* FOUND */
	expect(told == expected);
	MPI_Info_free(&info);
	return finish();
}
