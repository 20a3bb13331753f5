/* pair: check=buffer.too-small ranks=2 at=0
 *
 * The right program has just enough, with the overhead, for each message, and again after all were delivered. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[100] = {0}, bytes, needed, sent = 0;
	void *room, *memory;

	start(&argc, &argv);
	return_errors();
	MPI_Pack_size(100, MPI_INT, MPI_COMM_WORLD, &needed);
	needed = 2 * (needed + MPI_BSEND_OVERHEAD);
	room = malloc((size_t)needed);
	if (rank == 0) {
		for (int i = 0; i < 3; i++) {
			MPI_Buffer_attach(room, needed); /* MAY */
			MPI_Bsend(values, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
			MPI_Bsend(values, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
			MPI_Buffer_detach(&memory, &bytes);
		}
#ifdef WRONG
		MPI_Buffer_attach(room, 300);                                                /* MAY */
		sent = MPI_Bsend(values, 100, MPI_INT, 1, 0, MPI_COMM_WORLD) == MPI_SUCCESS; /* FOUND */
		MPI_Buffer_detach(&memory, &bytes);
#endif
		MPI_Send(&sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	} else {
		for (int i = 0; i < 6; i++)
			MPI_Recv(values, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&sent, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (sent)
			MPI_Recv(values, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	free(room);
	return finish();
}
