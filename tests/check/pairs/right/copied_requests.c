/* pair: check=none ranks=2 always=--buffers=send
 *
 * Short sends are complete at once, and may share a handle. After waiting for a copy of it, the program may use that buffer. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int first = 1, second = 2;
	MPI_Request a, b, copy;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Isend(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &a);
		MPI_Isend(&second, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &b);
		copy = b;
		MPI_Wait(&copy, MPI_STATUS_IGNORE);
		second = 7;
		MPI_Recv(&second, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		copy = a;
		MPI_Wait(&copy, MPI_STATUS_IGNORE);
		first = 8;
		expect(second == 3);
	} else {
		int answer = 3;

		MPI_Recv(&first, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&second, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(first == 1 && second == 2);
		MPI_Send(&answer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	return finish();
}
