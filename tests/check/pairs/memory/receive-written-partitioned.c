/* pair: check=memory.receive-written ranks=2 at=1 mpi=mpich always=--buffers=all
 *
 * A partition that has arrived is the program's, the others are not. */
#include "../pair.h"

enum { PARTITIONS = 4, COUNT = 500 };

static int data[PARTITIONS * COUNT];

static void send_all(MPI_Request request, int round)
{
	for (int i = 0; i < PARTITIONS * COUNT; i++)
		data[i] = round * 10000 + i;
	MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Start(&request);
	MPI_Pready_range(0, PARTITIONS - 1, request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive_all(MPI_Request request, int round)
{
	int arrived = 0;

	memset(data, 0, sizeof data);
	MPI_Start(&request); /* PARTNER */
#ifdef WRONG
	data[3 * COUNT + 7] = 1;
#endif
	MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
	while (!arrived)
		MPI_Parrived(request, 1, &arrived);
	expect(data[COUNT] == round * 10000 + COUNT && data[2 * COUNT - 1] == round * 10000 + 2 * COUNT - 1);
	data[COUNT] = -1;
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	expect(data[COUNT] == -1 && data[0] == round * 10000);
	expect(data[4 * COUNT - 1] == round * 10000 + 4 * COUNT - 1 &&
	       data[2 * COUNT] == round * 10000 + 2 * COUNT);
}

int main(int argc, char **argv)
{
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0)
		MPI_Psend_init(data, PARTITIONS, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request);
	else
		MPI_Precv_init(data, PARTITIONS, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD,
		               MPI_INFO_NULL, /* PARTNER */
		               &request);
	for (int round = 1; round < 4; round++)
		if (rank == 0)
			send_all(request, round);
		else
			receive_all(request, round);
	MPI_Request_free(&request);
	return finish();
}
