/* pair: check=message.type-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	char bytes[4] = {0};
	unsigned char same[4] = {1, 2, 3, 4};
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0)
		MPI_Send_init(same, 4, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request); /* FOUND */
#ifdef WRONG
	else
		MPI_Recv_init(bytes, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* FOUND */
#else
	else
		MPI_Recv_init(bytes, 4, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
#endif
	for (int i = 0; i < 3; i++) {
		MPI_Start(&request); /* MAY */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	expect(rank == 0 || bytes[3] == 4);
	MPI_Request_free(&request);
	return finish();
}
