/* pair: check=argument.buffer-exceeded ranks=2 at=0
 *
 * A local array: the count is larger than all variables of the function. */
#include "../pair.h"

static int received[4096];

static void __attribute__((noinline)) send_row(int count)
{
	int row[32];

	for (int i = 0; i < 32; i++)
		row[i] = i;
	MPI_Send(row, count, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
}

int main(int argc, char **argv)
{
	volatile char room[4 * 4096] = ""; /* so that there is something above */
	int count = 32;

	start(&argc, &argv);
#ifdef WRONG
	count = 1000;
#endif
	if (rank == 0)
		send_row(count);
	else
		MPI_Recv(received, 4096, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(room[0] == 0);
	return finish();
}
