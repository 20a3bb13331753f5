/* pair: check=none ranks=2
 *
 * All modes of sends, blocking and not; a buffer that is used up to its last byte. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int in[6] = {0}, bytes, packed;
	char *room;
	void *memory;
	MPI_Request requests[6];

	start(&argc, &argv);
	MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &packed);
	bytes = 2 * (packed + MPI_BSEND_OVERHEAD);
	room = malloc((size_t)bytes);
	MPI_Buffer_attach(room, bytes);
	for (int i = 0; i < 6; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, !rank, i, MPI_COMM_WORLD, &requests[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Rsend(&rank, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
	MPI_Bsend(&rank, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
	MPI_Request sends[3];
	MPI_Irsend(&rank, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &sends[0]);
	MPI_Ibsend(&rank, 1, MPI_INT, !rank, 3, MPI_COMM_WORLD, &sends[1]);
	MPI_Issend(&rank, 1, MPI_INT, !rank, 4, MPI_COMM_WORLD, &sends[2]);
	MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
	MPI_Ssend(&rank, 1, MPI_INT, !rank, 5, MPI_COMM_WORLD);
	MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 6; i++)
		expect(in[i] == !rank);
	MPI_Buffer_detach(&memory, &bytes);
	expect(memory == room);
	free(room);
	return finish();
}
