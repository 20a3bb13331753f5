/* pair: check=end.crash ranks=2 at=0 exit=any
 *
 * abort() deep in the program, with a handler of its own that must be called as it would be without the checker. */
#include "../pair.h"

#include <signal.h>
#include <unistd.h>

static void handler(int number)
{
	static const char text[] = "handled\n";

	if (write(STDERR_FILENO, text, sizeof text - 1) > 0)
		signal(number, SIG_DFL);
}

static void __attribute__((noinline)) give_up(int value)
{
	if (value == 1)
		abort(); /* CRASHED */
}

int main(int argc, char **argv)
{
	int sum = 0;

	start(&argc, &argv);
	signal(SIGABRT, handler);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* PARTNER */
#ifdef WRONG
	usleep(200000); /* so that others know its last call */
	if (rank == 0)
		give_up(sum);
#else
	give_up(0);
#endif
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
	return finish();
}
