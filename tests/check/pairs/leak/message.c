/* pair: check=leak.message ranks=2 at=1
 *
 * A message that was matched by MPI_Mprobe has to be received with it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0, there = 0;
	MPI_Message message, none;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Isend(&size, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Improbe(0, 99, MPI_COMM_WORLD, &there, &none, MPI_STATUS_IGNORE);
		expect(!there);
		MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &none, MPI_STATUS_IGNORE);
		expect(none == MPI_MESSAGE_NO_PROC);
		MPI_Mrecv(NULL, 0, MPI_INT, &none, MPI_STATUS_IGNORE);
		MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* FOUND */
#ifndef WRONG
		MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 2);
#endif
	}
	(void)value;
	return finish();
}
