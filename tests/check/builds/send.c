/* In a static library: sends numbers, and changes them too early if it has to. */
#include "numbers.h"

#include <mpi.h>

void send_numbers(int *numbers, int count, int is_wrong)
{
	MPI_Request request;

	MPI_Isend(numbers, count, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
	if (is_wrong)
		numbers[count / 2] = 1; /* USED */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	numbers[count / 2] = 1;
}
