/* pair: check=none ranks=3
 *
 * Messages that are matched in one order and received in another, followed by other types. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Message messages[4];
	MPI_Status status;
	int number = 0;
	double value = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank) {
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Send((double[]){rank}, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	} else {
		MPI_Mprobe(1, 0, MPI_COMM_WORLD, &messages[0], &status);
		MPI_Mprobe(2, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[1], &status);
		MPI_Irecv(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Mrecv(&number, 1, MPI_INT, &messages[1], &status);
		expect(number == 2 && status.MPI_SOURCE == 2);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 1);
		MPI_Imrecv(&number, 1, MPI_INT, &messages[0], &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(number == 1);
		MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value == 2);
	}
	return finish();
}
