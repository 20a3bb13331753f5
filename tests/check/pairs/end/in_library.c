/* pair: check=end.crash ranks=2 at=1 exit=any
 *
 * The C library crashes because of its argument. The line of the program counts. The program survived another signal before. */
#include "../pair.h"

#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf again;

static void handler(int number)
{
	siglongjmp(again, number);
}

int main(int argc, char **argv)
{
	static char text[100];
	const char *volatile from = "text";

	start(&argc, &argv);
	signal(SIGSEGV, handler);
	if (!sigsetjmp(again, 1))
		*(volatile int *)16 = 0;
	signal(SIGSEGV, SIG_DFL);
	MPI_Barrier(MPI_COMM_WORLD); /* PARTNER */
#ifdef WRONG
	usleep(200000); /* so that others know its last call */
	if (rank == 1)
		from = NULL;
#endif
	strcpy(text, from);          /* CRASHED */
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
	expect(strcmp(text, "text") == 0);
	return finish();
}
