/* pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	short data[40] = {0};
	MPI_Request request;
	MPI_Message message;
	MPI_Status status;
	int count, flag = 0;

	start(&argc, &argv);
	if (rank == 0) {
		data[39] = 2;
		MPI_Send(data, 40, MPI_SHORT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, &status);
		MPI_Imrecv(data, 40, MPI_SHORT, &message, &request); /* PARTNER */
#ifdef WRONG
		data[0] = 1; /* SEEN */
#endif
		while (!flag)
			MPI_Test(&request, &flag, &status); /* FOUND */
		MPI_Get_count(&status, MPI_SHORT, &count);
		expect(count == 40 && data[39] == 2 && data[0] == 0);
	}
	return finish();
}
