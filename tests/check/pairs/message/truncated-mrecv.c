/* pair: check=message.truncated ranks=2 dies */
#include "../pair.h"
int main(int argc, char **argv)
{
	int v[4] = {0}, n = 4;
	MPI_Message m;
	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Send(v, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
	else {
#ifdef WRONG
		n = 2;
#endif
		MPI_Mprobe(0, 0, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
		MPI_Mrecv(v, n, MPI_INT, &m, MPI_STATUS_IGNORE); /* PARTNER */
	}
	return finish();
}
