/* Rank 0 sends numbers to rank 1; with an argument it changes them too early. */
#include "numbers.h"

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static int numbers[64];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	fill_numbers(numbers, 64);
	if (!rank)
		send_numbers(numbers, 64, argc > 1);
	else
		MPI_Recv(numbers, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (!rank)
		printf("sum %ld\n", sum_numbers(numbers, 64));
	MPI_Finalize();
	return 0;
}
