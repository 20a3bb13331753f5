/* pair: check=memory.receive-read ranks=2 at=0,1 always=--buffers=all output
 *
 * The program has its own handler of SIGSEGV, which sees its own faults and no others. */
#include "../pair.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { COUNT = 1 << 14 };

static double halo[COUNT], mine[COUNT];
static sigjmp_buf back;
static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled += number == SIGSEGV;
	siglongjmp(back, 1);
}

static void fault(void)
{
	volatile char *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (sigsetjmp(back, 1) == 0)
		*nothing = 1;
	munmap((void *)(uintptr_t)nothing, 4096);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle}, seen;
	MPI_Request requests[2];
	double early = 0;

	start(&argc, &argv);
	mine[COUNT / 2] = rank + 1;
	MPI_Irecv(halo, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Isend(mine, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[1]);
	sigaction(SIGSEGV, &action, NULL);
#ifdef WRONG
	early = ((volatile double *)halo)[COUNT / 2]; /* USED */
#endif
	expect(handled == 0 && early >= 0);
	fault();
	fault();
	expect(handled == 2);
	sigaction(SIGSEGV, NULL, &seen);
	expect(seen.sa_handler == handle);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
	expect(halo[COUNT / 2] == 2 - rank);
	return finish();
}
