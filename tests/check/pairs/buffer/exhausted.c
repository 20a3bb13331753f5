/* pair: check=buffer.exhausted ranks=2 at=0 exit=any
 *
 * Room for two messages. The right program waits for an answer before it sends a third one, and once for MPI_Buffer_detach. */
#include "../pair.h"

static int values[100];

static int send_one(void)
{
	return MPI_Bsend(values, 100, MPI_INT, 1, 0, MPI_COMM_WORLD) == MPI_SUCCESS; /* FOUND */
}

static void receive(int count)
{
	for (int i = 0; i < count; i++)
		MPI_Recv(values, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int bytes, needed, sent = 0;
	void *room, *memory;

	start(&argc, &argv);
	return_errors();
	MPI_Pack_size(100, MPI_INT, MPI_COMM_WORLD, &needed);
	needed = 2 * (needed + MPI_BSEND_OVERHEAD);
	room = malloc((size_t)needed);
	if (rank == 0) {
		MPI_Buffer_attach(room, needed);
		send_one();
		send_one();
		MPI_Buffer_detach(&memory, &bytes);
		MPI_Buffer_attach(room, needed);
		send_one();
		send_one();
#ifndef WRONG
		MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		sent = send_one();
#ifdef WRONG
		MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		MPI_Send(&sent, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
		MPI_Buffer_detach(&memory, &bytes);
	} else {
		receive(4);
		MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Recv(&sent, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		receive(sent);
	}
	free(room);
	return finish();
}
