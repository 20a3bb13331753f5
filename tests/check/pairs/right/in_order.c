/* pair: check=none ranks=2
 *
 * Messages with one tag arrive in the order of their sending, each with its own types. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int number = 0;
	double value = 0;
	char text[6] = "";
	MPI_Request requests[3];

	start(&argc, &argv);
	for (int i = 0; i < 5; i++) {
		if (rank == 0) {
			MPI_Isend((int[]){3}, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
			MPI_Isend((double[]){4.5}, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &requests[1]);
			MPI_Isend("hello", 6, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[2]);
		} else {
			MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
			MPI_Irecv(&value, 1, MPI_DOUBLE, 0, i % 2 ? MPI_ANY_TAG : 0, MPI_COMM_WORLD,
			          &requests[1]);
			MPI_Irecv(text, 6, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[2]);
		}
		MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	}
	expect(rank == 0 || (number == 3 && value == 4.5 && !strcmp(text, "hello")));
	return finish();
}
