/* pair: check=argument.freed-handle ranks=2 at=0 dies
 *
 * Requests may be copied, and moved in their array: the one that completes is the request, not the variable. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[3] = {0}, index, left = 3;
	MPI_Request requests[3], copy;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		for (int i = 0; i < 3; i++)
			MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]); /* MAY */
		while (left) {
			MPI_Waitany(left, requests, &index, MPI_STATUS_IGNORE);
			requests[index] = requests[--left];
		}
		expect(values[0] == 1 && values[2] == 3);
		MPI_Irecv(values, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, requests); /* MAY */
		copy = requests[0];
		MPI_Wait(requests, MPI_STATUS_IGNORE); /* MAY */
		(void)copy;
#ifdef WRONG
		MPI_Wait(&copy, MPI_STATUS_IGNORE); /* FOUND */
#endif
	} else {
		MPI_Send((int[]){3}, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
		MPI_Send((int[]){1}, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Send((int[]){2}, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Send((int[]){4}, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
	}
	return finish();
}
