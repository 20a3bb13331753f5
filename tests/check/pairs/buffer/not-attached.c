/* pair: check=buffer.not-attached ranks=2 at=0
 *
 * Some libraries still send the message, so the receiver is informed whether there is one. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static char room[100 + MPI_BSEND_OVERHEAD];
	int value = 5, bytes, sent = 0;
	void *memory;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		/* A send to MPI_PROC_NULL needs no space. */
		MPI_Bsend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#ifdef WRONG
		sent = MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD) == MPI_SUCCESS; /* FOUND */
#endif
		MPI_Buffer_attach(room, sizeof(room));
		MPI_Bsend(&sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Buffer_detach(&memory, &bytes);
	} else {
		MPI_Recv(&sent, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (sent)
			MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value == 5);
	}
	return finish();
}
