/* pair: check=buffer.exhausted ranks=3 at=0 exit=any
 *
 * A request of MPI_Ibsend that is complete says nothing of the buffer. A barrier that the receivers enter after their receives does. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double values[10] = {0};
	int bytes, needed, sent[2] = {0};
	MPI_Request request;
	void *room, *memory;

	start(&argc, &argv);
	return_errors();
	MPI_Pack_size(10, MPI_DOUBLE, MPI_COMM_WORLD, &needed);
	needed = 2 * (needed + MPI_BSEND_OVERHEAD) + 1;
	room = malloc((size_t)needed);
	if (rank == 0) {
		MPI_Buffer_attach(room, needed);
		for (int i = 0; i < 2; i++) {
			MPI_Ibsend(values, 10, MPI_DOUBLE, 1 + i, 0, MPI_COMM_WORLD, &request); /* MAY */
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
#ifndef WRONG
		MPI_Barrier(MPI_COMM_WORLD);
#endif
		for (int i = 0; i < 2; i++) {
			sent[i] = MPI_Ibsend(values, 10, MPI_DOUBLE, 1 + i, 1, MPI_COMM_WORLD,
			                     &request) == /* FOUND */
			          MPI_SUCCESS;
			if (sent[i])
				MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
	} else {
		MPI_Recv(values, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
		MPI_Barrier(MPI_COMM_WORLD);
#endif
	}
	MPI_Bcast(sent, 2, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank && sent[rank - 1])
		MPI_Recv(values, 10, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Buffer_detach(&memory, &bytes);
	free(room);
	return finish();
}
