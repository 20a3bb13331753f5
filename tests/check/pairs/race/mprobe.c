/* pair: check=race.message-order ranks=3 at=0,1,2
 *
 * A matched probe takes the message. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0}, source = 2;
	MPI_Message message;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		source = MPI_ANY_SOURCE;
#endif
		MPI_Mprobe(source, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* FOUND */
		MPI_Mrecv(&value[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
		MPI_Mprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(&value[1], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* PARTNER */
	}
	return finish();
}
