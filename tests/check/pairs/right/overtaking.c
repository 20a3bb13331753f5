/* pair: check=none ranks=2
 *
 * Receives that are posted early match in their order, also with a wildcard between them. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int a = 0, index, counts[3];
	double b = 0, c = 0;
	MPI_Request requests[3];
	MPI_Status statuses[3];
	int count, left = 3;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send((double[]){2.5}, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
		MPI_Send((double[]){1.5}, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
		MPI_Send((int[]){4}, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(&c, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(&a, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &requests[1]);
		MPI_Irecv(&b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[2]);
		MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
		while (left) {
			MPI_Waitsome(3, requests, &count, counts, statuses);
			left -= count;
		}
		(void)index;
		expect(a == 4 && b == 1.5 && c == 2.5);
	}
	return finish();
}
